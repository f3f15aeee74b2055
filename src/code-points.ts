import { hasSurrogates } from './code-point-order.ts';
import { codePointLength } from './memory/clip-text.ts';

export function countCodePoints(text: string): number {
  return hasSurrogates(text) ? codePointLength(text) : text.length;
}
