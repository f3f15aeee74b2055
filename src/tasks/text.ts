import { BearingsError, codeOf, reasonOf } from '../errors.ts';
import { findInFile } from '../safety/clean-text.ts';
import { redact } from '../safety/secret-literals.ts';

// Looking at every text would cost more than the rest of a small step: most hold nothing as long as any secret.
const MIGHT_HOLD_ONE = /\d[\d .-]{6,}\d|\S{16,}|-----BEGIN|%[0-9a-f]{2}|pass|pwd|secret|token|key|auth|bearer/i;

// What is certainly a secret is replaced by its class before a model or a journal sees it (L25). `kinds`: of what was replaced.
export function cleanText(text: string): { text: string; kinds: string[] } {
  if (!MIGHT_HOLD_ONE.test(text)) return { text, kinds: [] };
  const { certain } = findInFile(text);
  if (certain.length === 0) return { text, kinds: [] };
  return { text: redact(text, certain), kinds: [...new Set(certain.map(({ kind }) => kind))] };
}

export function redactedWarning(what: string, kinds: readonly string[]): string {
  return `${what} holds ${kinds.join(', ')}, which is redacted.`;
}

/** A copy as plain data, with the texts in it cleaned. */
export function cleanData(value: unknown): unknown {
  const clean = (_: string, part: unknown) => (typeof part === 'string' ? cleanText(part).text : part);
  return JSON.parse(JSON.stringify(value), clean);
}

const MAX_CHARS = 300;
const MAX_READ = 20_000;
const ABSOLUTE = /(?<![\w.~…-])(?:~|[A-Za-z]:)?[\\/][^\s'"`:;,()<>|]*/g;

// What a program or a library of someone else said, as it may be in one of our sentences: short, on one line, without
// secrets and without places of this machine.
export function outsideText(text: string): string {
  const end = text.slice(-MAX_READ);
  const line = redact(end, findInFile(end).certain)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{DI}\s]+/gu, ' ')
    .trim()
    .replace(ABSOLUTE, '…');
  const points = [...line];
  return points.length > MAX_CHARS ? `${points.slice(0, MAX_CHARS - 1).join('')}…` : line;
}

/** Why something of someone else failed, in a few words. */
export function causeOf(error: unknown): string {
  if (error instanceof BearingsError) return error.message.replace(/\.$/, '');
  if (codeOf(error).startsWith('E')) return reasonOf(error);
  const said = error instanceof Error ? `${error.name}: ${error.message}` : typeof error === 'string' ? error : '';
  return outsideText(said) || 'no reason was given';
}

// Whole words in small letters; short ones say nothing about what a text is about.
export function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu));
}

export function sharedWords(words: ReadonlySet<string>, text: string): number {
  return [...wordsOf(text)].filter((word) => words.has(word)).length;
}
