import { invalidInput } from '../../errors.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../command.ts';
import { forReader } from '../views/for-reader.ts';

export const command: Command = {
  summary: 'print the notes, whole or in part',
  usage: ['bearings notes [ID] [--offset N] [--limit N]'],
  details: ['All lines on a terminal or into a pipe; with --json one window of at most 2,000 lines.'],
  options: {
    offset: { type: 'string', value: 'N', about: 'lines to skip (default 0)' },
    limit: { type: 'string', value: 'N', about: 'lines to print (default: all; with --json 2000)' },
  },
  maxWords: 1,
  examples: [
    { line: 'bearings notes manta_001', about: 'all of them' },
    { line: 'bearings notes manta_001 --limit 20', about: 'the first 20 lines' },
  ],
  async run({ words: [id], bearings, terminal, json, text }) {
    const offset = wholeNumber('offset', text('offset')) ?? 0;
    const limit = wholeNumber('limit', text('limit'));
    const memory = await bearings.memory();
    if (json) {
      const { warnings, ...notes } = await memory.readNotes({ id }, { offset, limit });
      terminal.print(JSON.stringify(notes, null, 2));
      for (const warning of warnings) terminal.warn(`warning: ${warning}`);
      return EXIT.done;
    }
    const warned = new Set<string>();
    let missing = limit ?? Number.POSITIVE_INFINITY;
    for (let at: number | null = offset; at !== null && missing > 0; ) {
      const window = await memory.readNotes({ id }, { offset: at, limit: Math.min(missing, 2000) });
      if (window.total_lines === 0) terminal.warn(`The notes of ${window.image_id} are empty.`);
      for (const warning of window.warnings) warned.add(warning);
      if (window.lines > 0) terminal.print(forReader(window.text, terminal));
      missing -= window.lines;
      at = window.next_offset;
    }
    for (const warning of warned) terminal.warn(`warning: ${warning}`);
    return EXIT.done;
  },
};

function wholeNumber(name: string, written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  if (!/^\d{1,15}$/.test(written))
    throw invalidInput(`--${name} takes a whole number, not "${written}".`, `For example: --${name} 20`);
  return Number(written);
}
