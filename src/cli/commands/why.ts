import { notFound } from '../../errors.ts';
import type { Blame } from '../../gate/accounting/blame.ts';
import type { Why } from '../../gate/search-and-why.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { type Call, defineCommand } from '../command.ts';
import { isMemoryFile } from '../named-file.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { ageOf, counted, fitTo, padTo, wrapTo } from '../views/columns.ts';

export const command = defineCommand({
  help: `
    bearings why TEXT [ID]
    bearings why [notes.md|brief.md][:LINE] [ID]
    bearings why tastes/FILE

    Of a text an agent was given, or a part of it: the decision, file or record it comes from, and the sessions in
    which it was served. Exit code 1 where it is not in memory and was never served.

    Of a file: for each block its decision, or \`unaccounted\` where none covers it; with :LINE the block there alone.

    bearings why "Use pnpm" billing-client  who decided it, and who got it
    bearings why notes.md  every block of the notes here
  `,
  maxWords: 2,
  async run(call) {
    const [text = 'notes.md', id] = call.words;
    const [, file = text, line] = /^(\S+):(\d+)$/.exec(text) ?? [];
    if (!isMemoryFile(file)) return explainText(call, text, id);
    return explainFile(call, file, { id, line: line === undefined ? null : Number(line) });
  },
});

async function explainText({ bearings, terminal, answer }: Call, text: string, id?: string): Promise<number> {
  const why = await (await bearings.gate()).why(text, { id });
  const lines = () => linesOf(why).map((line) => terminal.fold(showHidden(line)));
  for (const warning of why.warnings) terminal.warn(`warning: ${showHidden(warning)}`);
  return answer(why, lines, why.sources.length + why.served.length > 0);
}

/** What brought a text back is no edit by hand. */
const HOW: Readonly<Record<string, string>> = { accept: 'accepted', undo: 'back by an undo', restore: 'restored' };

function linesOf({ sources, served, not_kept }: Why): string[] {
  const now = new Date();
  const from = sources.map(({ kind, file, line, origin, record, gone }) => {
    const place = line === null ? file : `${file}:${line}`;
    if (record) return `${place}  written by an agent, ${ageOf(String(record.timestamp ?? ''), now)}; not confirmed`;
    if (kind === 'file') return `${place}  a file of the project, in a bundle`;
    if (gone && !origin) return `${place}  it was there when it was served, and no longer is`;
    if (kind === 'brief') return `${place}  the brief`;
    if (!origin) return `${place}  no decision covers it: bearings review`;
    const how = `${HOW[origin.decision] ?? 'by hand'} ${ageOf(origin.at, now)}`;
    const by = origin.proposed_by && `proposed by ${origin.proposed_by}`;
    const signed = origin.signed_by !== 'you' && `signed by ${origin.signed_by}`;
    const facts = [`${place}  ${how}`, signed, by, `ledger ${origin.seq}`, gone && 'no longer there'];
    return facts.filter(Boolean).join(' · ');
  });
  const to = served.map(
    ({ session_id, client, at }) => `served ${ageOf(at, now)} to ${client} · session ${session_id}`,
  );
  const lost = not_kept > 0 ? [`${counted(not_kept, 'served text')} no longer stored, so not searched`] : [];
  const none = from.length + to.length === 0 ? ['It is not in this memory, nor in any stored context.'] : [];
  return [...none, ...from, ...to, ...lost];
}

async function explainFile(
  { bearings, terminal, answer }: Call,
  file: string,
  { id, line }: { id: string | undefined; line: number | null },
): Promise<number> {
  const whole = await (await bearings.gate()).blame(file, { id });
  const isMeant = (block: Blame['blocks'][number]) =>
    line === null || (block.first_line <= line && line <= block.last_line);
  const blame = { ...whole, blocks: whole.blocks.filter(isMeant) };
  if (line !== null && blame.blocks.length === 0)
    throw notFound(`There is no text at line ${line} of ${file}.`, `See the lines: bearings why ${file}`);
  for (const warning of blame.warnings) terminal.warn(`warning: ${showHidden(warning)}`);
  return answer(blame, () => blameLines(blame, terminal));
}

function blameLines({ target, blocks }: Blame, { paint, columns }: Terminal): string[] {
  if (blocks.length === 0) return [`${showHidden(target)} is empty`];
  const width = String(blocks.at(-1)?.last_line ?? 0).length;
  const now = new Date();
  const missing = blocks.filter(({ origin }) => origin === null).length;
  return [
    ...blocks.flatMap(({ first_line, last_line, origin, text }) => {
      const lines = `${String(first_line).padStart(width)}${last_line > first_line ? `-${last_line}` : ''}`;
      const left = `${padTo(lines, width * 2 + 1)}  `;
      const room = Math.max(20, Math.min(columns, 100) - left.length);
      const facts =
        origin === null
          ? ['unaccounted', 'bearings review']
          : [
              `${HOW[origin.decision] ?? 'by hand'}${origin.edited && origin.decision === 'accept' ? ', edited' : ''}`,
              ageOf(origin.at, now),
              origin.proposal_id,
              origin.proposed_by && `by ${origin.proposed_by}`,
              origin.session_id && `session ${origin.session_id}`,
              `signed by ${origin.signed_by}`,
              `ledger ${origin.seq}`,
            ];
      const style = origin === null ? 'yellow' : 'dim';
      return [
        `${left}${fitTo(showHidden(text.split('\n')[0] ?? ''), room)}`,
        ...wrapTo(showHidden(facts.filter(Boolean).join(' · ')), room).map(
          (line) => `${' '.repeat(left.length)}${paint(style, line)}`,
        ),
      ];
    }),
    `${counted(blocks.length, 'block')}, ${missing === 0 ? 'all accounted for' : `${missing} unaccounted`}`,
  ];
}
