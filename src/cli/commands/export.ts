import { typedName } from '../../closest.ts';
import { invalidInput } from '../../errors.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { defineCommand } from '../command.ts';
import { counted, forReader, table } from '../views/columns.ts';
import { change } from './install.ts';

export const command = defineCommand({
  help: `
    bearings export FORMAT [ID] [--out DIR]
    bearings export --keep CLIENT… [--undo]

    FORMAT is claude, agents, cursor, copilot, claude-memory, basic-memory or chemigram. Tastes, and of
    the workspace brief and notes; for chemigram also log and gaps. Prints one file, or lists several;
    --out writes them into a folder that is new or empty. learn takes them in again, block by block.

    With --keep: a marked block of this project’s confirmed notes in the file of instructions that the client reads
    (CLAUDE.md, AGENTS.md, GEMINI.md or .github/copilot-instructions.md). It shows the change and asks; from then on
    every decision brings the block up to date. What is around it is never touched; a block that somebody else
    changed stays as it is. Tastes stay out, since others read that file too.

    --out DIR  write the files into this folder
    --keep CLIENT …  the client whose file has the block; repeatable
    --undo  with --keep: take the block out again
    --print  with --keep: only show what would change
    --yes  with --keep: do not ask

    bearings export chemigram manta_001 --out exported  tastes and one image
    bearings export --keep claude-code codex  the confirmed notes in CLAUDE.md and AGENTS.md
  `,
  maxWords: 12,
  async run(call) {
    const { words, list, text, bearings, terminal, answer } = call;
    if (list('keep').length > 0) return change(call, [...list('keep'), ...words], true);
    const [format, id] = words;
    if (words.length > 2) throw invalidInput('export takes a format and a workspace.', 'See: bearings export --help');
    if (format === undefined) throw invalidInput('Which format?', 'For example: bearings export agents');
    const clients = await bearings.clients();
    const { files, warnings } = await clients.exportMemory(format, id);
    warnings.forEach((warning) => void terminal.warn(`warning: ${warning}`));
    const out = text('out');
    if (out !== undefined) await clients.writeExport(files, out);
    return answer({ files, out: out ?? null, warnings }, () => {
      const [only] = files;
      if (out === undefined && only && files.length === 1) return forReader(only.text.replace(/\n$/, ''), terminal);
      const end =
        out === undefined
          ? 'write them: add --out DIR'
          : `${counted(files.length, 'file')} in ${showHidden(out)} · take it in again: bearings learn --from ${format} --path ${typedName(showHidden(out))}`;
      const rows = files.map((file) => [showHidden(file.path), counted(file.text.length, 'character')]);
      return [...table(rows), files.length === 0 ? 'nothing to export' : end];
    });
  },
});
