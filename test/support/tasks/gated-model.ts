import { execFileSync } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { afterEach } from 'vitest';

/** A model of one command that answers once for each byte in its pipe: a test says when the next step ends. */
export function runningModel(at: (name: string) => string) {
  let opener: number | null = null;
  afterEach(() => {
    if (opener !== null) closeSync(opener);
    opener = null;
  });
  return {
    command(): string {
      const pipe = at('gate');
      execFileSync('mkfifo', [pipe]);
      opener = openSync(pipe, 'r+');
      return `dd bs=1 count=1 if='${pipe}' 2>/dev/null >/dev/null; echo done`;
    },
    letGo(steps: number): void {
      if (opener !== null) writeSync(opener, 'x'.repeat(steps));
    },
  };
}
