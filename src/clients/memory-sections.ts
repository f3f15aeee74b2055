import { blocksOf } from '../gate/ledger/text-blocks.ts';

/** A part of memory within one file of another program: `notes.md`, `brief.md` or `tastes/NAME.md`. */
export interface Section {
  target: string;
  text: string;
}

const START = /^<!-- bearings ([0-9a-f]{8}) -->$/;
const TARGET = /^(?:notes\.md|brief\.md|tastes\/[^/]+\.md)$/;
const END = ' -->';

// A line of its own says where the text below belongs. Its mark is in none of the texts, so that no block can be taken for one.
export function writeSections(sections: readonly Section[], sha256: (text: string) => string): string {
  const whole = sections.map(({ text }) => text).join('\n');
  let mark = sha256(whole).slice(0, 8);
  while (whole.includes(mark)) mark = sha256(mark).slice(0, 8);
  const parts = sections
    .map(({ target, text }) => ({ target, blocks: blocksOf(text) }))
    .filter(({ blocks }) => blocks.length > 0)
    .map(({ target, blocks }) => `<!-- bearings ${mark}: ${target} -->\n\n${blocks.join('\n\n')}\n`);
  return [`<!-- bearings ${mark} -->\n`, ...parts].join('\n');
}

/** Null: not a file of ours. What comes before the first section is nobody's text. */
export function readSections(text: string): Section[] | null {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const at = lines.findIndex((line) => START.test(line));
  const mark = START.exec(lines[at] ?? '')?.[1];
  if (mark === undefined) return null;
  const sections: { target: string; lines: string[] }[] = [];
  const begin = `<!-- bearings ${mark}: `;
  for (const line of lines.slice(at + 1)) {
    const target = line.startsWith(begin) && line.endsWith(END) ? line.slice(begin.length, -END.length) : '';
    if (TARGET.test(target)) sections.push({ target, lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections.map((section) => ({ target: section.target, text: section.lines.join('\n') }));
}
