import { hasSurrogates } from './code-point-order.ts';

// Sizes towards an agent are code points: the same on every machine, and never half a surrogate pair.
export function codePointLength(text: string): number {
  if (!hasSurrogates(text)) return text.length;
  let count = text.length;
  for (let i = 0; i < text.length - 1; i += 1) if (isPairAt(text, i)) count -= 1;
  return count;
}

export function isPairAt(text: string, index: number): boolean {
  const high = text.charCodeAt(index);
  if (high < 0xd800 || high > 0xdbff) return false;
  const low = text.charCodeAt(index + 1);
  return low >= 0xdc00 && low <= 0xdfff;
}
