import { invalidInput } from '../../errors.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { defineCommand, EXIT } from '../command.ts';
import { counted } from '../views/columns.ts';

export const command = defineCommand({
  help: `
    bearings export FORMAT [ID] [--out DIR]

    FORMAT is claude, agents, cursor, copilot, claude-memory, basic-memory or chemigram. Tastes, and of
    the workspace brief and notes; for chemigram also log and gaps. Prints one file, or lists several;
    --out writes them into a folder that is new or empty. import takes them in again, block by block.

    --out DIR  write the files into this folder

    bearings export agents  an AGENTS.md on standard output
    bearings export chemigram manta_001 --out exported  tastes and one image
  `,
  maxWords: 2,
  async run({ words: [format, id], text, bearings, terminal, json }) {
    if (format === undefined) throw invalidInput('Which format?', 'For example: bearings export agents');
    const clients = await bearings.clients();
    const files = await clients.exportMemory(format, id);
    const out = text('out');
    if (out !== undefined) await clients.writeExport(files, out);
    const [only] = files;
    if (json) terminal.print(JSON.stringify({ files, out: out ?? null }, null, 2));
    else if (out !== undefined) {
      for (const { path } of files) terminal.print(showHidden(path));
      terminal.print(
        `${counted(files.length, 'file')} in ${showHidden(out)} · take it in again: bearings learn --from ${format}`,
      );
    } else if (only && files.length === 1) {
      const whole = only.text.replace(/\n$/, '');
      terminal.print(terminal.interactive ? showHidden(whole, { keepLines: true }) : whole);
    } else {
      for (const { path, text: whole } of files)
        terminal.print(`${showHidden(path)}  ${counted(whole.length, 'character')}`);
      terminal.print(files.length === 0 ? 'nothing to export' : 'write them: add --out DIR');
    }
    return EXIT.done;
  },
});
