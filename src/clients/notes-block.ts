import { sha256 } from '../files/file-fingerprint.ts';
import { accountedFile } from '../gate/domains/accounted-files.ts';
import { standings } from '../gate/io/read-standing.ts';
import { NOT_IN_HOME } from '../gate/standing/accounts.ts';
import type { AppContext, Settings } from '../settings/app-context.ts';
import type { EntryTools } from './json-entry.ts';

const BEGIN = /^<!-- bearings keep ([0-9a-f]{8}): .*-->$/;
const ABOUT = 'confirmed notes, brought up to date by each decision; change them with bearings, not here';

/** The notes of a project's workspace with a signed decision behind them. Tastes are the person's own, and such a file is shared. */
export function confirmedNotes(app: AppContext, settings: Settings, root: string): string {
  const place = accountedFile(settings, settings.workspace({ root }), 'notes.md');
  const blocks = standings(app).of(place.at).files.get(place.file)?.blocks ?? [];
  return blocks
    .filter(({ origin, text }) => origin !== null && origin.signed_by !== NOT_IN_HOME && text !== '')
    .map(({ text }) => text)
    .join('\n\n');
}

/** A marked block in a file of instructions: every byte around it is somebody else's. */
export const blockTools: EntryTools = {
  look(text) {
    const block = blockIn(text);
    if (block === 'broken')
      return { status: 'broken', reason: 'its marks of the block that Bearings keeps do not pair' };
    return block === null ? { status: 'absent' } : { status: 'present', value: block.value };
  },
  put(text, value) {
    const block = blockIn(text);
    if (block === 'broken') return null;
    const eol = text.includes('\r\n') ? '\r\n' : '\n';
    const written = `${marked(String(value)).replaceAll('\n', eol)}${eol}`;
    if (block) return `${text.slice(0, block.start)}${written}${text.slice(block.end)}`;
    return `${text}${eol.repeat(gapBefore(text))}${written}`;
  },
  // With the blank line that came with it.
  take(text, gap) {
    const block = blockIn(text);
    if (block === 'broken' || block === null) return null;
    const ends = /(?:\r?\n)*$/.exec(text.slice(0, block.start))?.[0].match(/\r?\n/g) ?? [];
    const before = ends.slice(ends.length - Math.min(gap, ends.length)).join('').length;
    return `${text.slice(0, block.start - before)}${text.slice(block.end)}`;
  },
  brings: gapBefore,
};

function gapBefore(text: string): number {
  return /^\uFEFF?$/.test(text) ? 0 : /\n$/.test(text) ? 1 : 2;
}

// The mark is in no line of the text, so that no note can end the block or begin another.
function marked(text: string): string {
  let mark = sha256(text).slice(0, 8);
  while (text.includes(mark)) mark = sha256(mark).slice(0, 8);
  return `<!-- bearings keep ${mark}: ${ABOUT} -->\n${text}\n<!-- bearings keep ${mark} end -->`;
}

function blockIn(text: string): { start: number; end: number; value: string } | 'broken' | null {
  let [at, start, mark] = [0, -1, ''];
  const lines: string[] = [];
  for (const whole of text.match(/[^\n]*(?:\n|$)/g) ?? []) {
    const line = whole.replace(/\r?\n$/, '');
    const found = BEGIN.exec(line.replace(/^\uFEFF/, ''))?.[1];
    if (start !== -1 && line === `<!-- bearings keep ${mark} end -->`)
      return { start, end: at + whole.length, value: lines.join('\n') };
    if (start !== -1) lines.push(line);
    else if (found !== undefined) [start, mark] = [at + (line.startsWith('\uFEFF') ? 1 : 0), found];
    at += whole.length;
  }
  return start === -1 ? null : 'broken';
}
