import { statSync } from 'node:fs';
import { join } from 'node:path';
import { parseGlob } from '../tasks/glob.ts';
import type { Match, MatchingInput, MemorySystem } from '../tasks/memory-system.ts';
import { sharedWords, wordsOf } from '../tasks/words.ts';
import { projectFiles } from './project-files.ts';
import { readText } from './read-text.ts';

const MAX_FILE_BYTES = 256 * 1024;
const MAX_FILES = 2_000;
const MIN_SHARED = 2;
const EXCERPT = 1_200;

// Whole words in common, files in path order, nothing kept: the simplest memory that is honest and the same every time.
export function plainMemory(root: string): MemorySystem {
  return {
    async getRelevantContextFor(input, { subset }) {
      const parent = input.inheritedContext ?? '';
      return { context: subset ? filterParagraphs(parent, input) : parent, matches: matching(root, input) };
    },
    async freshContext(input, maxChars) {
      const matches = matching(root, input);
      const parts: string[] = [];
      let room = maxChars;
      for (const [path] of matches) {
        const part = `${path}\n${excerpt(root, path, wanted(input))}`;
        if (part.length > room) break;
        parts.push(part);
        room -= part.length + 2;
      }
      return { text: parts.join('\n\n'), matches };
    },
  };
}

function wanted(input: MatchingInput): Set<string> {
  return wordsOf(input.taskText);
}

function filterParagraphs(text: string, input: MatchingInput): string {
  const words = wanted(input);
  return text
    .split(/\n{2,}/)
    .filter((paragraph) => sharedWords(words, paragraph) > 0)
    .join('\n\n');
}

function matching(root: string, input: MatchingInput): Match[] {
  const words = wanted(input);
  const found: Match[] = [];
  let seen = 0;
  for (const path of projectFiles(root, parseGlob('**'))) {
    seen += 1;
    if (seen > MAX_FILES) break;
    const text = textOf(root, path);
    if (text !== null && sharedWords(words, text) >= Math.min(MIN_SHARED, words.size)) found.push([path, null]);
  }
  return found;
}

function excerpt(root: string, path: string, words: ReadonlySet<string>): string {
  const paragraphs = (textOf(root, path) ?? '').split(/\n{2,}/).filter((part) => sharedWords(words, part) > 0);
  return paragraphs.join('\n\n').slice(0, EXCERPT);
}

function textOf(root: string, path: string): string | null {
  const size = statSync(join(root, path), { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0 || size > MAX_FILE_BYTES) return null;
  const file = readText(join(root, path), root);
  return file.status === 'ok' && file.value.valid && !file.value.text.includes('\0') ? file.value.text : null;
}
