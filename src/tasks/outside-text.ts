import { BearingsError } from '../errors.ts';
import { codeOf, reasonOf } from '../files/system-error.ts';
import { findInFile } from '../safety/clean-file.ts';
import { redact } from '../safety/finding.ts';

const MAX_CHARS = 300;
const MAX_READ = 20_000;
const ABSOLUTE = /(?<![\w.~…-])(?:~|[A-Za-z]:)?[\\/][^\s'"`:;,()<>|]*/g;

// What a program or a library of someone else said, as it may be in one of our sentences: short, on one line, without
// secrets and without places of this machine.
export function outsideText(text: string): string {
  const end = text.slice(-MAX_READ);
  const line = redact(end, findInFile(end).certain)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{DI}\s]+/gu, ' ')
    .trim()
    .replace(ABSOLUTE, '…');
  const points = [...line];
  return points.length > MAX_CHARS ? `${points.slice(0, MAX_CHARS - 1).join('')}…` : line;
}

/** Why something of someone else failed, in a few words. */
export function causeOf(error: unknown): string {
  if (error instanceof BearingsError) return error.message.replace(/\.$/, '');
  if (codeOf(error).startsWith('E')) return reasonOf(error);
  const said = error instanceof Error ? `${error.name}: ${error.message}` : typeof error === 'string' ? error : '';
  return outsideText(said) || 'no reason was given';
}
