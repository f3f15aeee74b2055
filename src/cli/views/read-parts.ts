import type { Overview } from '../../bearings.ts';
import { contextText } from '../../memory/context-text.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import type { Call } from '../command.ts';
import { fitTo, grouped, padTo } from './columns.ts';
import { forReader } from './for-reader.ts';

// More than any context that an agent gets.
const WHOLE = 10_000_000;
const NAME = 40;
const COUNT = 10;

/** The text itself, as an agent gets it. */
export function markdownOf({ served, workspace, unconfirmed }: Overview, terminal: Call['terminal']): string {
  return forReader(contextText(served, workspace.id ?? 'this work', WHOLE, unconfirmed), terminal);
}

/** What each part of it costs, in characters and tokens. */
export async function sizesOf(
  { served }: Overview,
  { measure }: Awaited<ReturnType<Call['bearings']['memory']>>,
): Promise<string[]> {
  const { tastes, brief, notes, recent_log, recent_gaps } = served;
  const parts: [string, string][] = [
    ['tastes/_default.md', tastes.default],
    ...Object.entries(tastes.genres).map(([name, text]): [string, string] => [`tastes/${name}.md`, text]),
    ['brief.md', brief.raw],
    ['notes.md', notes.summary],
    ['recent_log', JSON.stringify(recent_log)],
    ['recent_gaps', JSON.stringify(recent_gaps)],
  ];
  const row = (name: string, characters: string, tokens: string) =>
    `${padTo(fitTo(showHidden(name), NAME), NAME)}  ${characters.padStart(COUNT)}  ${tokens.padStart(COUNT)}`;
  const rows = [row('', 'characters', 'tokens')];
  for (const [name, text] of parts) {
    const { characters, tokens } = await measure(text);
    rows.push(row(name, grouped(characters), grouped(tokens)));
  }
  return rows;
}
