import { splitLines } from '../code-points.ts';
import { type Citation, citationsIn } from '../gate/anchors/io/project-code.ts';
import { type Contradiction, contradictionsWith } from '../gate/contradictions/contradictions.ts';
import { type Refusal, refusalsIn, usesRefused } from '../matching/text/refusals.ts';
import { createTokenizer } from '../matching/text/terms.ts';

/** A file that tells agents something: instructions, rules, a client's memory. */
export interface Source {
  name: string;
  text: string;
  /** It lies in the project, and speaks of it. */
  inProject: boolean;
}

export interface Place {
  source: string;
  /** From 1. */
  line: number;
  text: string;
}

/** What the citations are looked up in. */
export interface CitedProject {
  /** All files, with `/`. */
  files: readonly string[];
  isThere(path: string): boolean;
  /** Left out of git: it may be made at any time. */
  isIgnored(path: string): boolean;
  /** Of every package.json; null where there is none. */
  scripts: ReadonlySet<string> | null;
}

const MOST_LINES = 2_000;
const MOST_COMPARED = 200;
// Whether a whole paragraph says the opposite of another, words alone do not tell.
const LONGEST_COMPARED = 160;
const LEAST_TERMS = 4;
const MOST_FOUND = 50;

interface Told extends Place {
  terms: ReadonlySet<string>;
  /** A command of a block of code. */
  isCommand: boolean;
  refusals: readonly Refusal[];
}

/** Every line that says something, with its words. */
export function linesOf(sources: readonly Source[]): Told[] {
  const tokenizer = createTokenizer();
  return sources
    .flatMap(({ name, text }) => {
      const refused = linesUnder(REFUSING, text);
      return saidLines(text)
        .filter(({ line }) => !refused.has(line))
        .map((said) => ({ source: name, ...said }));
    })
    .slice(0, MOST_LINES)
    .map((place) => ({ ...place, terms: new Set(tokenizer.list(place.text)), refusals: refusalsIn(place.text) }));
}

const FENCE = /^\s*(?:```|~~~)\s*(\w*)/;
const SHELL = /^(?:sh|bash|shell|zsh|console)?$/;
const FRONT_MATTER = /^---\r?\n[\s\S]*?\n---(?=\s|$)/;

function saidLines(text: string): Pick<Told, 'line' | 'text' | 'isCommand'>[] {
  let language: string | null = null;
  const front = FRONT_MATTER.exec(text)?.[0].split('\n').length ?? 0;
  return splitLines(text).flatMap((line, at) => {
    const fence = FENCE.exec(line);
    if (at < front) return [];
    if (fence) language = language === null ? (fence[1] ?? '') : null;
    const said = line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '').trim();
    const isSaid =
      !fence &&
      (language === null || SHELL.test(language)) &&
      !/^(?:#|\||<!--|---)|^\w+:\s*(?:true|false)?$/.test(said) &&
      /\p{L}.*\p{L}/u.test(said);
    return isSaid ? [{ line: at + 1, text: said, isCommand: language !== null }] : [];
  });
}

const REFUSING =
  /\b(?:never|do not|don['’]?t|avoid|not|no|forbidden|prohibited|anti-?patterns?|bad|wrong|incorrect)\b|[❌✗🚫⛔]/iu;

// Below a heading or a lead that refuses, an order means its opposite.
function linesUnder(lead: RegExp, text: string): ReadonlySet<number> {
  let isUnder = false;
  const found = splitLines(text).flatMap((line, at) => {
    const isLead = /^\s*#|:\W*$/.test(line) || /^\s*\*\*[^*]+\*\*\W*$/.test(line);
    if (isLead) isUnder = lead.test(line);
    return isUnder || /[❌✗🚫⛔]/u.test(line) ? [at + 1] : [];
  });
  return new Set(found);
}

/** Lines of different files that say the opposite of each other. Files of one program are one voice each. */
export function contradictionsIn(lines: readonly Told[]) {
  const found: (Place & { with: Place; why: Contradiction['why'] })[] = [];
  const near = nearby(lines);
  for (const [at, line] of lines.entries())
    for (const other of near(line.terms, at + 1)) {
      if (other.source === line.source || found.length >= MOST_FOUND) continue;
      if (Math.max(line.text.length, other.text.length) > LONGEST_COMPARED) continue;
      const why =
        usesRefused(line.refusals, other) || usesRefused(other.refusals, line) ? 'opposite' : opposing(line, other);
      if (why) found.push({ ...placeOf(line), with: placeOf(other), why });
    }
  return found;
}

// Two orders that are the same but for a refusal or for one word. Words in common tell no more: a rule and the title of a file
// about it, a thing and its opposite in two other contexts, share as many.
const REFUSAL = /^(?:never|not|no|avoid|stop|(?:do|does|must|should|ca)n['’]?t|do not|must not|should not)\b/i;
const ADVICE = /^(?:always|please|prefer|you|we|should|must|only|using|to|a|an|the)$/;

function opposing(said: Pick<Told, 'text' | 'isCommand'>, other: Told): Contradiction['why'] | null {
  const [a, b] = [plainOf(said.text), plainOf(other.text)];
  if (said.isCommand || other.isCommand || [a, b].some((text) => text.endsWith(':'))) return null;
  const [one, two] = [orderOf(a), orderOf(b)];
  const isRefused = REFUSAL.test(a) !== REFUSAL.test(b);
  const differ = one.length === two.length ? one.filter((word, at) => word !== two[at]).length : 2;
  if (one.length < 2 || one[0] !== two[0] || differ !== (isRefused ? 0 : 1)) return null;
  const [told] = contradictionsWith(a, [{ place: other.source, line: other.line, text: b }]);
  return told?.why ?? null;
}

function plainOf(text: string): string {
  return text.replace(/\*+|`/g, '').trim();
}

function orderOf(text: string): string[] {
  const words =
    text
      .toLowerCase()
      .replace(REFUSAL, '')
      .match(/[\p{L}\p{N}][\p{L}\p{N}+/_-]*/gu) ?? [];
  return words.filter((word) => !ADVICE.test(word)).map((word) => word.replace(/^using$|^uses$/, 'use'));
}

/** What these lines say against a text. */
export function against(text: string, lines: readonly Told[]): Place[] {
  const [terms, refusals] = [new Set(createTokenizer().list(text)), refusalsIn(text)];
  return nearby(lines)(terms, 0)
    .filter((line) => usesRefused(refusals, line) || opposing({ text, isCommand: false }, line) !== null)
    .map(placeOf);
}

/** Where a text is said already, in nearly the same words. */
export function saidIn(text: string, lines: readonly Told[]): Place[] {
  const terms = new Set(createTokenizer().list(text));
  return terms.size < 2
    ? []
    : nearby(lines)(terms, 0)
        .filter((line) => !line.isCommand && alike(terms, line.terms) >= 0.7)
        .map(placeOf);
}

export function repeatsIn(told: readonly Told[]) {
  const lines = told.filter(({ isCommand }) => !isCommand);
  const seen = new Set<Told>();
  const near = nearby(lines);
  return lines.flatMap((line, at) => {
    if (line.terms.size < LEAST_TERMS || seen.has(line)) return [];
    const same = near(line.terms, at + 1).filter((other) => !seen.has(other) && alike(line.terms, other.terms) >= 0.9);
    for (const other of same) seen.add(other);
    const places = [line, ...same].map(({ source, line: number }) => `${source}:${number}`);
    return same.length === 0 ? [] : [{ ...placeOf(line), places }];
  });
}

// Only lines that share a word can speak of the same thing.
function nearby(lines: readonly Told[]): (terms: ReadonlySet<string>, from: number) => Told[] {
  const byTerm = new Map<string, number[]>();
  for (const [at, { terms }] of lines.entries())
    for (const term of terms) byTerm.set(term, [...(byTerm.get(term) ?? []), at]);
  return (terms, from) => {
    const shared = new Map<number, number>();
    for (const term of terms)
      for (const at of byTerm.get(term) ?? []) if (at >= from) shared.set(at, (shared.get(at) ?? 0) + 1);
    return [...shared]
      .sort(([a, x], [b, y]) => y - x || a - b)
      .slice(0, MOST_COMPARED)
      .map(([at]) => lines[at] as Told);
  };
}

function alike(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((term) => b.has(term)).length;
  return shared / (a.size + b.size - shared);
}

function placeOf({ source, line, text }: Place): Place {
  return { source, line, text };
}

// `bun run src/cli.ts` runs a file.
const SCRIPT = /\b(?:npm|pnpm|yarn|bun) run ([\w:.-]*\w)(?![\w/]|[.:-]\w)/g;
// What is said of a file that need not be there.
const HYPOTHETICAL =
  /\b(?:e\.g|example|for instance|such as|like|create[sd]?|creating|generat\w+|will|would|new|output\w*|writes?|named?|template|placeholder|if|deleted|removed|gone|no longer|legacy|deprecated|previous\w*|formerly|old|missing|exists?|patch\w*)\b/i;
// Another project's, or named as what is not meant.
const NOT_OURS = /(?:\w['’]s|\bnot|\binstead of|\brather than|https?:\/\/\S*) [`"']?$|https?:\/\/\S*$/;
// To be added first, never to be run, or of what runs elsewhere.
const SCRIPT_ELSEWHERE = /\badd(?:s|ed|ing)?\b|\b(?:never|not|n['’]t) (?:run|use)\b|\b(?:docker|podman|kubectl|ssh)\b/i;
const PLACEHOLDER =
  /(?:^|\/)(?:path|to|foo|bar|baz|example|examples|your|my|some|xxx|yyyy|name|feature|component|module|dist|build|out|coverage|node_modules|target|tmp|temp|vendor)(?:[/.-]|$)|[<>*{}$]|(?:^|\/)(?:[A-Z]?[xX]{2,}|N{2,}|Y{4})/i;
const CODE_ENDING =
  /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|c|h|cc|cpp|cs|swift|exs?|vue|svelte|css|scss|html|md|mdc?|json|ya?ml|toml|sh|sql|proto)$/;

// What was changed, not what is there; what another repository holds.
const CHANGED =
  /^\W*(?:(?:modif|chang|edit|updat|renam|mov|fix|touch|refactor|add)\w*(?:s|ed)|wrote|[MADRU?]{1,2}(?=\s+\S+$))\s/i;
const ELSEWHERE =
  /\b(?:other|another|separate|sibling|upstream|external|different) (?:[\w-]+ )?(?:repo|repository|project|codebase)\b|\b(?:in|from|of|to|see) (?:the )?[`"*]*(?!(?:this|our|the|main|whole|entire|same|git|current|a|each|your|my)\b)[\w./-]+[`"*]* repo(?:sitory)?\b|\b(?:files? |what )?(?:modified|changed|touched|edited)(?: files?)?:?$/i;

function isOurs({ cited }: Citation, line: string): boolean {
  const before = line.slice(0, line.indexOf(cited));
  const isLinked = line.includes(`/${cited}`) && /https?:\/\//.test(line);
  return !NOT_OURS.test(before) && !isLinked;
}

/** Files and scripts of the project that these files still name. */
export function goneIn(sources: readonly Source[], project: CitedProject) {
  const names = new Set(project.files.flatMap((file) => file.split('/').slice(0, -1)));
  const endsLike = (path: string) => project.files.some((file) => file === path || file.endsWith(`/${path}`));
  const isGone = ({ path, cited }: Citation, line: string): boolean => {
    if (path === null || !path.includes('/') || /^[@~.]/.test(path) || !CODE_ENDING.test(path)) return false;
    if (PLACEHOLDER.test(path) || endsLike(path) || project.isThere(path)) return false;
    if (HYPOTHETICAL.test(line.replaceAll(cited, ''))) return false;
    // Its first folder is known here, so it is this project's, and git would keep it.
    return names.has(path.split('/')[0] ?? '') && !project.isIgnored(path);
  };
  const found: (Place & { cited: string; what: 'file' | 'script' })[] = [];
  for (const { name, text, inProject } of sources) {
    if (!inProject) continue;
    const prose = new Map(saidLines(text).flatMap((said) => (said.isCommand ? [] : [[said.line, said.text]])));
    const elsewhere = linesUnder(ELSEWHERE, text);
    for (const [at, raw] of splitLines(text).entries()) {
      const said = prose.get(at + 1);
      if (elsewhere.has(at + 1) || ELSEWHERE.test(raw) || CHANGED.test(said ?? '')) continue;
      const place = { source: name, line: at + 1, text: raw.trim() };
      for (const citation of said === undefined ? [] : citationsIn(said))
        if (isGone(citation, said ?? '') && isOurs(citation, said ?? ''))
          found.push({ ...place, cited: citation.cited, what: 'file' });
      for (const [cited, script = ''] of raw.matchAll(SCRIPT))
        if (project.scripts && !project.scripts.has(script) && !SCRIPT_ELSEWHERE.test(raw))
          found.push({ ...place, cited, what: 'script' });
    }
  }
  return found;
}
