import { codePointLength, compareCodePoints } from '../code-points.ts';
import { CHANGE_TERMS, STOP_WORDS } from './text/stop-words.ts';
import { isAscii, joined, type Tokenizer, wordsOf } from './text/terms.ts';

/** What the title says weighs 1, what the description says less the longer it is. */
export interface Said {
  name: string;
  weight: number;
}

export interface Query {
  /** Each term once, by code point, with its weight. */
  terms: { term: string; weight: number /** As the text spells it. */; word: string }[];
  /** `fix(router):` names where the change is. */
  scope: string[] | null;
  /** Identifiers as they are in code, joined. */
  identifiers: Said[];
  /** Paths, file names and dotted modules that the text spells out. */
  paths: Said[];
  /** Where a stack trace or a link points: a file and a line of it. */
  frames: { path: string; line: number }[];
  /** Messages that the text quotes, as they may be in code. */
  messages: string[];
  /** True when documents are meant: README, docs, guide. */
  aboutProse: boolean;
  /** True when tests are meant. */
  aboutTests: boolean;
  /** True when settings are meant: CI, dependencies, configuration. */
  aboutData: boolean;
  /** True when a description follows the title, as in an issue. */
  isDescribed: boolean;
  /** Words with a capital letter: who or what is called by name. */
  names: string[];
}

// Both cases spelt out: patterns that ignore case take a millisecond each to build.
const PREFIX = /^\s*(?:[Rr]evert[:\s]+"?)?([A-Za-z]+)(?:\(([^)\n]{1,80})\))?!?:\s+/;
// What a conventional commit calls its kind; any other word before the colon is where the change is: `ignore: skip …`.
const TYPES: ReadonlySet<string> = new Set(
  'feat feature fix bugfix hotfix bug docs doc style refactor perf test tests build ci chore revert release deps types wip misc'.split(
    ' ',
  ),
);
const TRAILER = /(?:\(#\d{1,9}\)|\[[\w -]{1,60}\])$/;
export const CHANGE_WEIGHT = 0.3;
const LONGEST_PART = 20_000;
const MOST_TERMS = 128;
const QUOTED = /`([^`\n]{2,100})`/g;
const LONGEST_NAME = 100;
const LONGEST_PATH = 300;
const FRAME = /(?:^|[\s"'(])([\w@./\\-]{1,300}\.\w{1,5})(?:["']?, line |:|#L)(\d{1,7})(?!\d)/gm;
const MESSAGE = /"([^"\n]{10,200})"|'([^'\n]{10,200})'|\b\w{0,60}(?:Error|Exception|Warning): ([^\n]{10,200})/g;
const LONGEST_MESSAGE = 24;
const [MOST_FRAMES, MOST_MESSAGES] = [100, 50];
const ABOUT_TESTS = /\b(?:tests?|specs?|testing|coverage|benchmarks?)\b/;
// So many words of a description weigh as much as the same words in a title; more of them share that weight.
const DESCRIPTION_WORDS = 20;
const ABOUT_DATA =
  /\b(?:ci|deps|dependenc(?:y|ies)|workflows?|actions?|config(?:uration|s)?|build|release|schema|pipeline)\b/;
const ABOUT_PROSE = /\b(?:docs?|documentation|readme|guides?|changelog|tutorial|typos?|wording|markdown|notes?)\b/;

// Who asks with I, my or me is called one of these in the turns of a talk.
const FIRST_PERSON = /(?<![\w'’])(?:I|[Mm]y|me|mine)(?![\w-])/;
const SELVES = ['user', 'human', 'me'];

// Letters of other scripts by their ranges: classes of all scripts take milliseconds to build.
const OTHERS = '\\u00c0-\\u1fff\\u2c00-\\u2fff\\u3040-\\uffff';
const WORD = new RegExp(`[A-Za-z0-9_$${OTHERS}]+`, 'g');
const BETWEEN = new RegExp(`[^A-Za-z0-9_$${OTHERS}]+`);
const LETTER = new RegExp(`[A-Za-z_$${OTHERS}]`);

// What the template of an issue tells its writer, and what is ticked off, says nothing of what is to be done.
const TEMPLATE = /<!--(?:(?!<!--)[\s\S])*?-->|^[ \t]{0,12}[-*] \[[xX]\] .*$/gm;

/** An issue with its log. */
const MAX_TASK_CHARS = 100_000;

/** What of a task's text is looked at; cutting again changes nothing. */
export function cutTask(text: string): string {
  return headAndTail(text, MAX_TASK_CHARS, '…');
}

/** The first half and the last half of so many characters: where a log ends stands what went wrong. */
export function headAndTail(text: string, most: number, mark: string): string {
  if (codePointLength(text) <= most) return text;
  const [head, tail] = [[...text.slice(0, most)], [...text.slice(-most)]];
  return `${head.slice(0, most / 2).join('')}${mark}${tail.slice(-most / 2).join('')}`;
}

export function cutWarnings(text: string): string[] {
  return codePointLength(text) <= MAX_TASK_CHARS
    ? []
    : ['The task is cut to 100,000 characters: its first and its last 50,000 are looked at.'];
}

/** What a task's matching looks at: its text most, then what earlier steps found, then what it inherited. */
export interface QueryInput {
  taskText: string;
  inheritedContext?: string;
  previousOutputs?: string;
}

// How much all words of a part may weigh beside all words of the task, and how many of them count.
const PREVIOUS = { share: 0.6, most: 64 };
const INHERITED = { share: 0.2, most: 32 };

// The words of the other parts are added with less weight; files and names that earlier steps speak of count as named.
export function parseInput(input: QueryInput, tokenizer: Tokenizer): Query {
  const task = parseQuery(input.taskText, tokenizer);
  const { previousOutputs = '', inheritedContext = '' } = input;
  if (previousOutputs === '' && inheritedContext === '') return task;
  const previous = parsePart(previousOutputs, tokenizer);
  const inherited = parsePart(inheritedContext, tokenizer);
  const terms = new Map(task.terms.map((term) => [term.term, term]));
  const whole = task.terms.reduce((sum, { weight }) => sum + weight, 0);
  for (const [part, { share, most }] of [
    [previous, PREVIOUS],
    [inherited, INHERITED],
  ] as const) {
    const added = part.terms.toSorted((a, b) => b.weight - a.weight).slice(0, most);
    const sum = added.reduce((total, { weight }) => total + weight, 0);
    const factor = Math.min(share, (share * whole) / Math.max(sum, Number.MIN_VALUE));
    for (const { term, word, weight } of added)
      terms.set(term, {
        term,
        word: terms.get(term)?.word ?? word,
        weight: (terms.get(term)?.weight ?? 0) + weight * factor,
      });
  }
  return {
    ...task,
    terms: [...terms.values()].sort((a, b) => compareCodePoints(a.term, b.term)),
    identifiers: unique([...task.identifiers, ...previous.identifiers]),
    paths: unique([...task.paths, ...previous.paths]),
  };
}

// Read at every step of a run, and it weighs less than the task.
export function parsePart(text: string, tokenizer: Tokenizer): Query {
  return parseQuery(text.slice(0, LONGEST_PART), tokenizer);
}

export function parseQuery(whole: string, tokenizer: Tokenizer): Query {
  const text = cutTask(whole).replace(TEMPLATE, ' ');
  const prefix = PREFIX.exec(text);
  const rest = text
    .slice(prefix?.[0].length ?? 0)
    .trimEnd()
    .replace(TRAILER, '');
  const scope = scopeOf(prefix);
  const { title, description } = partsOf(rest);
  const type = (prefix?.[0] ?? '').trim().toLowerCase();
  const about = `${type} ${title.toLowerCase()}`;
  const counts = countedTerms([title, ...(scope ?? [])].join(' '), description, tokenizer);
  const share = shareOf(counts);
  const said = (names: (part: string) => string[], least = 0): Said[] =>
    unique([
      ...names(title).map((name) => ({ name, weight: 1 })),
      ...names(description).map((name) => ({ name, weight: Math.max(share, least) })),
    ]);
  return {
    terms: weightedTerms(counts, share),
    scope,
    identifiers: said(identifiersIn),
    // A trace or a path names a file wherever it is.
    paths: said(pathsIn, 1),
    frames: firstAndLast([...text.matchAll(FRAME)], MOST_FRAMES).flatMap(([, path = '', line = '']) => [
      { path: path.replaceAll('\\', '/'), line: Number(line) },
    ]),
    messages: firstAndLast([...text.matchAll(MESSAGE)], MOST_MESSAGES).map((match) => messageOf(match)),
    aboutProse: ABOUT_PROSE.test(about),
    aboutTests: ABOUT_TESTS.test(about),
    aboutData: ABOUT_DATA.test(about),
    isDescribed: description.trim() !== '',
    names: namesOf(rest),
  };
}

function firstAndLast<T>(all: readonly T[], most: number): readonly T[] {
  return all.length <= most ? all : [...all.slice(0, most / 2), ...all.slice(-most / 2)];
}

// What a program filled in at the end of a message is not in its code.
function messageOf([, double, single, error = '']: RegExpMatchArray): string {
  return (double ?? single ?? error).trim().slice(0, LONGEST_MESSAGE);
}

function scopeOf(prefix: RegExpExecArray | null): string[] | null {
  const [, type = '', written] = prefix ?? [];
  if (written !== undefined) return written.split(/[/,:\s]+/).filter(Boolean);
  return type === '' || TYPES.has(type.toLowerCase()) ? null : [type];
}

function namesOf(text: string): string[] {
  const capital = isAscii(text) ? /[A-Z][A-Za-z'’-]+/g : /\p{Lu}[\p{L}'’-]+/gu;
  const names = [...text.matchAll(capital)].map(([name]) => name.toLowerCase().replace(/['’]s$/, ''));
  return [...new Set([...names, ...(FIRST_PERSON.test(text) ? SELVES : [])])].sort(compareCodePoints);
}

// The first line of a text with several says what it is about.
function partsOf(text: string): { title: string; description: string } {
  const start = text.search(/\S/);
  const end = text.indexOf('\n', Math.max(0, start));
  return end === -1 ? { title: text, description: '' } : { title: text.slice(0, end), description: text.slice(end) };
}

type Counts = Map<string, { title: number; description: number; word: string }>;

function countedTerms(title: string, description: string, tokenizer: Tokenizer): Counts {
  const counts: Counts = new Map();
  for (const [field, part] of [
    ['title', title],
    ['description', description],
  ] as const)
    for (const word of part.split(BETWEEN))
      tokenizer.each(word, (term) => {
        const seen = counts.get(term) ?? { title: 0, description: 0, word };
        counts.set(term, seen);
        seen[field] += 1;
      });
  return counts;
}

// A long description as a whole weighs no more than so many words: it may not drown the title.
function shareOf(counts: Counts): number {
  let described = 0;
  for (const { description } of counts.values()) if (description > 0) described += 1;
  return Math.min(1, DESCRIPTION_WORDS / Math.max(1, described));
}

function weightedTerms(counts: Counts, share: number): Query['terms'] {
  const times = (count: number): number => (count > 0 ? 1 + Math.log(count) : 0);
  return [...counts]
    .map(([term, { title, description, word }]) => ({
      term,
      word,
      weight: (CHANGE_TERMS.has(term) ? CHANGE_WEIGHT : 1) * (times(title) + share * times(description)),
    }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MOST_TERMS)
    .sort((a, b) => compareCodePoints(a.term, b.term));
}

// In backticks, in camelCase or with underscores, called or taken from something: words that only code has.
function identifiersIn(text: string): string[] {
  const names = [...text.matchAll(QUOTED)].flatMap((match) => namesIn(match[1] as string));
  for (const match of text.matchAll(WORD)) {
    const [word] = match;
    if (word.length > LONGEST_NAME) continue;
    const inCode =
      /[a-z0-9][A-Z]|._./.test(word) ||
      text.startsWith('()', match.index + word.length) ||
      (text[match.index - 1] === '.' && LETTER.test(text[match.index - 2] ?? ''));
    if (inCode) names.push(...namesIn(word));
  }
  return names;
}

// As written, without line numbers and drives: `src/a.ts:12`, `C:\\src\\a.ts`, `pkg.module.name` as pkg/module/name.
function pathsIn(text: string): string[] {
  return (
    text
      .replaceAll('\\', '/')
      .split(/[\s"'`()[\]{}<>,;=|]+/)
      // Before the patterns: each looks for an end from every place of a word.
      .filter((word) => word.length <= LONGEST_PATH)
      .map((word) => word.replace(/(?:#L?\d.*|:\d+(?::\d+)?:?)$/, '').replace(/[.:!?]+$/, ''))
      .flatMap((word) => {
        if (/[\w@.-]\/[\w@.-]/.test(word) || /^[\w.-]*\w\.[a-z]{1,5}$/.test(word)) return [word, ...modulesIn(word)];
        return modulesIn(word);
      })
  );
}

function modulesIn(word: string): string[] {
  return /^[A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w*){1,9}$/.test(word) ? [word.replace(/\.|::/g, '/')] : [];
}

function namesIn(code: string): string[] {
  return code
    .split(BETWEEN)
    .map((part) => joined(wordsOf(part)))
    .filter((name) => name.length > 1 && !STOP_WORDS.has(name));
}

function unique(said: readonly Said[]): Said[] {
  const weights = new Map<string, number>();
  for (const { name, weight } of said) weights.set(name, Math.max(weight, weights.get(name) ?? 0));
  return [...weights].map(([name, weight]) => ({ name, weight })).sort((a, b) => compareCodePoints(a.name, b.name));
}
