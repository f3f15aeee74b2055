import { codePointLength, hasSurrogates } from '../../code-points.ts';

export interface Excerpt {
  text: string;
  chars: number;
  truncated: boolean;
}

// The first `max` code points, cut at a line end where one lies in the last tenth of them.
// `whole` is false when `text` is itself only the beginning of a file.
export function excerptOf(text: string, max: number, whole = true): Excerpt {
  const end = indexAfter(text, max);
  if (end === text.length && whole) return { text, chars: codePointLength(text), truncated: false };
  const kept = text.slice(0, atLineEnd(text, end, max));
  return { text: kept, chars: codePointLength(kept), truncated: true };
}

// How many UTF-16 units the first `count` code points take.
function indexAfter(text: string, count: number): number {
  if (text.length <= count) return text.length;
  if (!hasSurrogates(text)) return count;
  let index = 0;
  for (let seen = 0; seen < count && index < text.length; seen += 1)
    index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  return index;
}

// Just after the last line end, if less than a tenth of the room is given up for it; never between CR and LF.
function atLineEnd(text: string, end: number, max: number): number {
  if (text[end - 1] === '\r' && text[end] === '\n') return max >= 10 ? end - 1 : end;
  const last = Math.max(text.lastIndexOf('\n', end - 1), text.lastIndexOf('\r', end - 1));
  if (last === -1) return end;
  return codePointLength(text.slice(last + 1, end)) * 10 < max ? last + 1 : end;
}
