import { codePointLength, isPairAt } from '../code-points.ts';

export interface Clipped {
  text: string;
  cut: number;
}

// Keeps the beginning. The result, marker included, has at most `max` code points.
export function clipEnd(text: string, max: number): Clipped {
  const total = text.length <= max ? text.length : codePointLength(text);
  if (total <= max) return { text, cut: 0 };
  const room = Math.max(0, max - marker(total).length);
  const kept = atLineEnd(text.slice(0, indexOfCodePoint(text, room)));
  const cut = total - codePointLength(kept);
  return { text: firstChars(kept + marker(cut), max), cut };
}

// Keeps both ends, the later one more: the newest notes are never the ones that go.
export function clipMiddle(text: string, max: number): Clipped {
  const total = text.length <= max ? text.length : codePointLength(text);
  if (total <= max) return { text, cut: 0 };
  const room = Math.max(0, max - marker(total).length - 1);
  const front = Math.floor(room / 4);
  const head = atLineEnd(text.slice(0, indexOfCodePoint(text, front)));
  const tail = fromLineStart(text.slice(indexOfCodePoint(text, total - (room - front))));
  const cut = total - codePointLength(head) - codePointLength(tail);
  return { text: firstChars(`${head}${marker(cut)}\n${tail}`, max), cut };
}

function marker(cut: number): string {
  return `\n... [${cut} characters cut] ...`;
}

// A tiny limit has no room for the marker itself.
function firstChars(text: string, max: number): string {
  return text.slice(0, indexOfCodePoint(text, max));
}

// At a line end, unless that would give up more than half of the room to one long line.
function atLineEnd(text: string): string {
  const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
  if (end < text.length / 2) return text;
  return text.slice(0, text[end] === '\n' && text[end - 1] === '\r' ? end - 1 : end);
}

function fromLineStart(text: string): string {
  const ends = [text.indexOf('\n'), text.indexOf('\r')].filter((end) => end !== -1);
  const end = Math.min(...ends);
  if (ends.length === 0 || end > text.length / 2) return text;
  return text.slice(text[end] === '\r' && text[end + 1] === '\n' ? end + 2 : end + 1);
}

function indexOfCodePoint(text: string, count: number): number {
  let index = 0;
  for (let seen = 0; seen < count && index < text.length; seen += 1) index += isPairAt(text, index) ? 2 : 1;
  return index;
}
