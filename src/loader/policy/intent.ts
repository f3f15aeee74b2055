import { DEFAULT_KEY } from './limits.ts';
import type { Intent } from './policy.ts';

export interface IntentHit {
  intent: Intent;
  /** The policy's word that was found; null for the default intent. */
  word: string | null;
}

interface Word {
  text: string;
  /** Only a blank, hyphen or underscore is between this word and the one before. */
  joined: boolean;
}

// The first intent, in the policy's order, that has one of its words in the task. Text is cut into words once, so no
// task can make this slow, and "ui" is never found inside "build".
export function findIntent(task: string, intents: readonly Intent[]): IntentHit {
  const words = wordsOf(task);
  for (const intent of intents) {
    const word = intent.words.find((candidate) => holds(words, candidate));
    if (word !== undefined) return { intent, word };
  }
  const otherwise = intents.find(({ key }) => key === DEFAULT_KEY);
  return { intent: otherwise ?? { key: DEFAULT_KEY, about: '', words: [], include: [] }, word: null };
}

function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  let end = 0;
  // Most tasks are plain ASCII, and the full classes take milliseconds to build.
  const word = isAscii(text) ? /[a-z0-9]+/gi : /[\p{L}\p{M}\p{N}]+/gu;
  for (const match of text.matchAll(word)) {
    words.push({ text: match[0].toLowerCase(), joined: /^(?:\s+|[-_])$/.test(text.slice(end, match.index)) });
    end = match.index + match[0].length;
  }
  return words;
}

// Most words of a policy are just that.
const ONE_WORD = /^[a-z0-9]+$/;

function holds(words: readonly Word[], wanted: string): boolean {
  const parts = ONE_WORD.test(wanted) ? [wanted] : wordsOf(wanted).map(({ text }) => text);
  const last = parts.pop();
  if (last === undefined) return false;
  const plural = pluralOf(last);
  return words.some(({ text }, at) => {
    if (text !== last && text !== plural) return false;
    return parts.every((part, index) => {
      const place = at - parts.length + index;
      return words[place]?.text === part && words[place + 1]?.joined === true;
    });
  });
}

const HISSING = ['s', 'x', 'z', 'ch', 'sh'];

function pluralOf(word: string): string {
  const before = word.at(-2);
  if (word.endsWith('y') && before !== undefined && !'aeiou'.includes(before)) return `${word.slice(0, -1)}ies`;
  return HISSING.some((end) => word.endsWith(end)) ? `${word}es` : `${word}s`;
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}
