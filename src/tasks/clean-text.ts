import { findInFile } from '../safety/clean-file.ts';
import { redact } from '../safety/finding.ts';

// Looking at every text would cost more than the rest of a small step: most hold nothing as long as any secret.
const MIGHT_HOLD_ONE = /\d[\d .-]{6,}\d|\S{16,}|-----BEGIN|%[0-9a-f]{2}|pass|pwd|secret|token|key|auth|bearer/i;

export interface CleanText {
  text: string;
  /** Classes of what was replaced. */
  kinds: string[];
}

// What is certainly a secret is replaced by its class before a model or a journal sees it (L25).
export function cleanText(text: string): CleanText {
  if (!MIGHT_HOLD_ONE.test(text)) return { text, kinds: [] };
  const { certain } = findInFile(text);
  if (certain.length === 0) return { text, kinds: [] };
  return { text: redact(text, certain), kinds: [...new Set(certain.map(({ kind }) => kind))] };
}

export function redactedWarning(what: string, kinds: readonly string[]): string {
  return `${what} holds ${kinds.join(', ')}, which is redacted.`;
}

/** A plain value with the texts in it cleaned. */
export function cleanData(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value).text;
  if (Array.isArray(value)) return value.map(cleanData);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, cleanData(part)]));
}
