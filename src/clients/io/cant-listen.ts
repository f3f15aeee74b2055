import { BearingsError } from '../../errors.ts';
import { codeOf } from '../../files/system-error.ts';

const REASONS: Record<string, string> = {
  EADDRINUSE: 'another program uses it',
  EACCES: 'it needs more rights than you have',
};

/** What to say of a port that can't be opened; any other error as it is. */
export function cantListen(port: number, error: unknown, hint: string): unknown {
  const reason = REASONS[codeOf(error)];
  return reason
    ? new BearingsError('io_error', `Port ${port} can't be opened: ${reason}.`, { hint, cause: error })
    : error;
}
