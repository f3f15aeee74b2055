/** Something that a note may cite of a project: a path with or without a line, or a name. */
export interface Citation {
  /** As the note says it. */
  cited: string;
  path: string | null;
  /** From 1. */
  line: number | null;
  name: string | null;
}

const MOST_CITATIONS = 20;
const FENCE = /^\s*(?:```|~~~)/;
const QUOTED = /`([^`\n]{1,200})`/g;
// A slash, or a name with an ending: what is only a word names no file.
const PATH = /^(?:\.\/)?((?:[\w.@+~-]+\/)*[\w.@+~-]*\w\/?)(?::(\d{1,7})(?:[-:]\d{1,7})?|#L(\d{1,7})(?:-L?\d{1,7})?)?$/u;
const ENDING = /\.[A-Za-z][A-Za-z0-9]{0,9}$/;
const NAME = /^[@#.]?([\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#)[\p{L}_$][\p{L}\p{N}_$]*)*)(?:\(.*\))?$/u;
const SHORTEST_NAME = 3;
const ADDRESS = /\w:\/\/\S*/g;

/** What a text may cite, in its order; whether the project has it is not asked here. */
export function citationsIn(text: string): Citation[] {
  const found = new Map<string, Citation>();
  for (const line of proseLines(text)) {
    const names = [...line.matchAll(QUOTED)].map(([, quoted = '']) => quoted.trim());
    const words = line
      .replace(QUOTED, ' ')
      .replace(ADDRESS, ' ')
      .split(/[\s"'“”‘’()[\]{}<>|]+/);
    for (const quoted of names) add(found, pathIn(quoted) ?? nameIn(quoted));
    for (const word of words) add(found, pathIn(word.replace(/[.,;:!?…]+$/, '')));
  }
  return [...found.values()].slice(0, MOST_CITATIONS);
}

function add(found: Map<string, Citation>, citation: Citation | null): void {
  if (citation && !found.has(citation.cited)) found.set(citation.cited, citation);
}

// Code in a fence is an example: it need not be the project's.
function* proseLines(text: string): Generator<string> {
  let fenced = false;
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) fenced = !fenced;
    else if (!fenced) yield line;
  }
}

function pathIn(word: string): Citation | null {
  const match = PATH.exec(word);
  const path = match?.[1];
  if (path === undefined || !(path.includes('/') || ENDING.test(path)) || path.split('/').includes('..')) return null;
  const line = Number(match?.[2] ?? match?.[3]);
  return { cited: word, path: path.replace(/\/$/, ''), line: Number.isNaN(line) ? null : line, name: null };
}

function nameIn(quoted: string): Citation | null {
  const name = NAME.exec(quoted)?.[1]?.replaceAll(/::|#/g, '.');
  if (name === undefined || name.length < SHORTEST_NAME) return null;
  return { cited: quoted, path: null, line: null, name };
}
