import type { Fault } from '../io/file-faults.ts';

/** One thing that was checked. `hint`: nothing is wrong, but something could be better. */
export interface Finding {
  check: string;
  status: 'ok' | 'hint' | 'broken';
  what: string;
  /** The one command that fixes it. */
  fix: string | null;
}

export function finding(check: string, what: string, fault: Fault | null): Finding {
  return fault
    ? { check, status: 'broken', what: `${what} ${fault.reason}`, fix: fault.fix }
    : { check, status: 'ok', what, fix: null };
}
