import { grouped } from '../views/columns.ts';
import type { Terminal } from './terminal.ts';

const SILENT_MS = 1000;
const BETWEEN_MS = 200;
const BAR = 20;

// A bar on the terminal for work that takes more than a second; into a pipe it says nothing.
export function progressOn(terminal: Terminal, what: string) {
  const started = Date.now();
  let last = 0;
  return {
    step(done: number, total: number): void {
      const now = Date.now();
      if (!terminal.showsProgress || now - started < SILENT_MS || now - last < BETWEEN_MS) return;
      last = now;
      const filled = Math.round((BAR * done) / Math.max(1, total));
      terminal.draw(`${what} ${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${grouped(done)} of ${grouped(total)}`);
    },
    end(): void {
      if (last > 0) terminal.draw('');
    },
  };
}
