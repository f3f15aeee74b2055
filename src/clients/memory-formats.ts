import { blocksOf } from '../gate/ledger/text-blocks.ts';
import { isRecord, parseJson } from '../json.ts';

/** What of memory goes out: the tastes, and of one workspace the rest. */
export interface MemoryTexts {
  id: string | null;
  tastes: readonly { name: string; text: string }[];
  brief: string | null;
  notes: string | null;
  /** By file name, as they stand. */
  records: ReadonlyMap<string, string>;
}

export interface ExportedFile {
  path: string;
  text: string;
}

const CURSOR_HEAD = '---\ndescription: What is remembered of this work\nalwaysApply: true\n---\n\n';

/** The parts of a memory, and how sections are written into one file. */
type Parts = { tastes: Section[]; own: Section[]; memory: MemoryTexts; written(sections: readonly Section[]): string };

// Each in the layout of the program it is for.
const FORMATS = {
  claude: ({ tastes, own, written }) => [
    ...(tastes.length > 0 ? [{ path: '.claude/CLAUDE.md', text: written(tastes) }] : []),
    ...(own.length > 0 ? [{ path: 'CLAUDE.md', text: written(own) }] : []),
  ],
  agents: (parts) => [{ path: 'AGENTS.md', text: whole(parts) }],
  cursor: (parts) => [{ path: '.cursor/rules/bearings.mdc', text: `${CURSOR_HEAD}${whole(parts)}` }],
  copilot: (parts) => [{ path: '.github/copilot-instructions.md', text: whole(parts) }],
  'claude-memory': (parts) => [
    { path: 'MEMORY.md', text: `# Memory\n\n- [What is remembered](remembered.md)\n\n${parts.written([])}` },
    { path: 'remembered.md', text: whole(parts) },
  ],
  'basic-memory'(parts) {
    const title = parts.memory.id ?? 'tastes';
    const head = `---\ntitle: ${JSON.stringify(title)}\ntype: note\npermalink: bearings/${encodeURIComponent(title)}\ntags:\n- bearings\n---\n\n`;
    return [{ path: `bearings/${title}.md`, text: `${head}${whole(parts)}` }];
  },
  chemigram({ tastes, own, memory: { id, records } }) {
    const kept = [...own, ...[...records].map(([target, text]) => ({ target, text }))];
    const image = id === null ? [] : kept.map(({ target, text }) => ({ path: `images/${id}/${target}`, text }));
    return [...tastes.map(({ target, text }) => ({ path: target, text })), ...image];
  },
} satisfies Record<string, (parts: Parts) => ExportedFile[]>;

export type ExportFormat = keyof typeof FORMATS;
export const EXPORT_FORMATS = Object.keys(FORMATS) as ExportFormat[];

const whole = ({ tastes, own, written }: Parts): string => written([...tastes, ...own]);

export function exportFiles(
  format: ExportFormat,
  memory: MemoryTexts,
  sha256: (text: string) => string,
): ExportedFile[] {
  const own = [
    ...(memory.brief === null ? [] : [{ target: 'brief.md', text: memory.brief }]),
    ...(memory.notes === null ? [] : [{ target: 'notes.md', text: memory.notes }]),
  ];
  const tastes = memory.tastes.map(({ name, text }) => ({ target: `tastes/${name}.md`, text }));
  return FORMATS[format]({ tastes, own, memory, written: (sections) => writeSections(sections, sha256) });
}

/** The texts of an export of mem0, or of any list of memories; null: it is none. */
export function readMem0(text: string): string[] | null {
  const value = parsed(text);
  const list = Array.isArray(value) ? value : isRecord(value) ? (value.results ?? value.memories ?? value.data) : null;
  if (!Array.isArray(list)) return null;
  const texts = list.flatMap((item) => {
    const said = isRecord(item) ? (item.memory ?? item.text ?? item.content) : item;
    return typeof said === 'string' && said.trim() !== '' ? [said] : [];
  });
  return texts.length === 0 && list.length > 0 ? null : texts;
}

const NUMBERED = /^\d+\.\s+\[\d{4}-\d\d-\d\d\]\.?\s*/;

/** What ChatGPT remembered: the last saved memories of its conversations, or a list of them; null: it is none. */
export function readChatGpt(text: string): string[] | null {
  const value = parsed(text);
  const contexts = value === null ? [] : savedContexts(value);
  const last = contexts.at(-1);
  if (last !== undefined)
    return last
      .split(/\r?\n(?=\d+\.\s+\[\d{4}-)/)
      .map((entry) => entry.trim().replace(NUMBERED, ''))
      .filter((entry) => entry !== '');
  return readMem0(text);
}

// By the walk of an explicit list: an export may be nested deeper than a stack is high.
function savedContexts(value: unknown): string[] {
  const found: string[] = [];
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    if (isRecord(next) && next.content_type === 'model_editable_context' && typeof next.model_set_context === 'string')
      if (next.model_set_context.trim() !== '') found.push(next.model_set_context);
    for (const inner of Object.values(next).reverse()) open.push(inner);
  }
  return found;
}

const parsed = (text: string): unknown => parseJson(text.replace(/^\uFEFF/, ''));

/** A part of memory within one file of another program: `notes.md`, `brief.md` or `tastes/NAME.md`. */
export interface Section {
  target: string;
  text: string;
}

const START = /^<!-- bearings ([0-9a-f]{8}) -->$/;
const TARGET = /^(?:notes\.md|brief\.md|tastes\/[^/]+\.md)$/;
const END = ' -->';

// A line of its own says where the text below belongs. Its mark is in none of the texts, so that no block can be taken for one.
function writeSections(sections: readonly Section[], sha256: (text: string) => string): string {
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
