import type { Rule } from '../memory/rules.ts';
import { parseGlob } from '../project/pattern.ts';
import { programOf, type ShellCommand, splitShell, UNKNOWN } from './shell-commands.ts';

/** What a tool is about to do. */
export interface Use {
  command: string | null;
  /** Files it edits, as `pathForms` gives them. */
  edits: string[][];
}

export interface Stop<R extends Rule> {
  decision: Rule['decision'];
  /** Null: the command can't be split, and there are rules about commands. */
  rule: R | null;
}

/** The strictest rule that speaks of it. `pathForms`: every way a file may be called, relative to a folder. */
export function stopFor<R extends Rule>(
  rules: readonly R[],
  use: Use,
  pathForms: (path: string, folder: string) => string[],
): Stop<R> | null {
  const line = use.command === null ? null : splitShell(use.command);
  const edits = [
    ...use.edits.map((forms) => ({ forms, whole: false })),
    ...(line ? shellEdits(line.commands) : []).map((edit) => ({ ...edit, forms: pathForms(edit.path, edit.folder) })),
  ];
  const speaks = (rule: R): boolean =>
    rule.about === 'command'
      ? (line?.commands ?? []).some(({ words }) => rule.patterns.some((pattern) => matchesCommand(pattern, words)))
      : edits.some(({ forms, whole }) => rule.patterns.some((pattern) => matchesPath(pattern, forms, whole)));
  const found = rules.filter(speaks);
  const rule = found.find(({ decision }) => decision === 'deny') ?? found[0];
  if (rule) return { decision: rule.decision, rule };
  const isUnclear = line !== null && !line.isWhole && rules.some(({ about }) => about === 'command');
  return isUnclear ? { decision: 'ask', rule: null } : null;
}

// The program, its sub-command, then the other words in order; options anywhere, short ones also in one bundle.
export function matchesCommand(pattern: string, words: readonly string[]): boolean {
  const [parsed] = splitShell(pattern.replaceAll('$', '\\$')).commands;
  const wanted = (parsed?.words ?? []).filter((word, at, all) => !(word === '*' && at === all.length - 1));
  const [program, ...rest] = wanted;
  if (program === undefined || words[0] === undefined || !nameMatches(program, programOf(words[0]))) return false;
  const options = words.filter((word) => word.startsWith('-') && word !== '-');
  const isOption = (word: string) => word.startsWith('-') && word.length > 1;
  if (!rest.filter(isOption).every((option) => hasOption(option, options))) return false;
  // After an option of the pattern a word is an argument, wherever it is.
  const firstOption = rest.findIndex(isOption);
  let at = 1;
  for (const [index, word] of rest.entries()) {
    if (isOption(word) || word === '*') continue;
    const isSubcommand = index === 0 && firstOption !== 0 && !/[/.*=:]/.test(word);
    const found = words.findIndex(
      (each, place) => place >= at && !isOption(each) && (nameMatches(word, each) || word === samePlace(each)),
    );
    if (found === -1) return false;
    // Between program and sub-command only options and their values, and a toolchain (`cargo +nightly build`).
    const isBetween = (each: string, i: number) => /^[-+]./.test(each) || isOption(words[i] ?? '');
    if (isSubcommand && !words.slice(1, found).every(isBetween)) return false;
    at = found + 1;
  }
  return true;
}

function hasOption(wanted: string, options: readonly string[]): boolean {
  if (wanted.startsWith('--')) {
    const short = wanted[2] as string;
    return options.some(
      (option) =>
        wordMatches(wanted, option.split('=')[0] as string) ||
        wordMatches(wanted, option) ||
        // `-f` is how most programs shorten `--force`.
        (/^--[a-z]/.test(wanted) && /^-[A-Za-z]+$/.test(option) && option.includes(short)),
    );
  }
  if (options.some((option) => wordMatches(wanted, option))) return true;
  if (!/^-[A-Za-z]+$/.test(wanted)) return false;
  const bundled = options.filter((option) => /^-[A-Za-z]+$/.test(option)).join('');
  // `-R` is what many programs call `-r`.
  return [...wanted.slice(1)].every((letter) => bundled.includes(letter) || (letter === 'r' && bundled.includes('R')));
}

// `//`, `/.` and `/*` are the folder itself to whatever goes through all that is in it.
const samePlace = (word: string): string =>
  /^[/~.]/.test(word)
    ? word
        .replace(/\/+/g, '/')
        .replace(/\/[.*]$/, '/')
        .replace(/(?<=.)\/$/, '')
    : word;

// Some programs take their words in capitals too (`FLUSHALL`, `DROP`); a plain word means both.
const nameMatches = (pattern: string, word: string): boolean =>
  wordMatches(pattern, word) || (/^[a-z]+$/.test(pattern) && pattern === word.toLowerCase());

function wordMatches(pattern: string, word: string): boolean {
  if (!pattern.includes('*')) return pattern === word;
  // Each star takes as little as it can: no pattern takes more than the product of both lengths.
  const parts = pattern.split('*');
  const [head = '', ...others] = parts;
  const tail = others.pop() ?? '';
  if (!word.startsWith(head) || word.length < head.length + tail.length || !word.endsWith(tail)) return false;
  let from = head.length;
  for (const part of others) {
    const at = word.indexOf(part, from);
    if (at === -1 || at + part.length > word.length - tail.length) return false;
    from = at + part.length;
  }
  return true;
}

/** A glob as people write it: a bare name is meant at any depth, a folder with all that is in it. `whole`: a folder goes, or is written
 *  into, with all that is in it; a shell's own pattern stands for what it may name. */
export function matchesPath(pattern: string, forms: readonly string[], whole = false): boolean {
  const plain = pattern.replace(/^\.\//, '').replace(/\/$/, '');
  const isRooted = /^(?:\/|~)/.test(plain);
  const anywhere = plain.includes('/') ? [plain] : [plain, `**/${plain}`];
  const globs = anywhere.flatMap((each) => [each, `${each}/**`]).map((each) => globOf(each.replace(/^[/~]\/?/, '')));
  return forms
    .filter((form) => isRooted === /^(?:\/|~)/.test(form) && (!isRooted || form[0] === plain[0]))
    .map((form) => form.replace(/^[/~]\/?/, ''))
    .some((form) => globs.some((glob) => glob?.matches(form)) || mayName(plain, form, whole));
}

// Name by name: a pattern of the shell against one of the rule, and what is above the rule's files where whole folders are meant.
function mayName(pattern: string, form: string, whole: boolean): boolean {
  const wanted = pattern.replace(/^[/~]\/?/, '').split('/');
  const names = form.split('/');
  for (const [at, name] of names.entries()) {
    const part = wanted[at];
    if (part === undefined) return names.some((each) => each.includes('*'));
    if (part === '**') return at > 0;
    if (part !== name && !wordMatches(name, part) && !(name.includes('*') && part.includes('*'))) return false;
  }
  return whole || form.includes('*')
    ? names.length <= wanted.length && (whole || names.length === wanted.length)
    : false;
}

function globOf(pattern: string) {
  try {
    return parseGlob(pattern);
  } catch {
    return null; // a pattern that leaves the project names nothing in it
  }
}

const EVERY_ARGUMENT =
  /^(?:rm|rmdir|unlink|tee|touch|truncate|shred|ln|chmod|chown|chgrp|patch|vim?|nvim|nano|emacs|ed|ex)$/;
const INTO_THE_LAST = /^(?:cp|mv|install|rsync|scp)$/;
const GIT_EDITS = /^(?:rm|mv|checkout|restore|clean)$/;
// An option that names the file or folder that is written.
const TARGETS: Readonly<Record<string, RegExp>> = {
  curl: /^(?:-o|--output|--output-dir)$/,
  wget: /^(?:-O|-P|--output-document|--directory-prefix)$/,
  tar: /^(?:-C|--directory)$/,
  unzip: /^-d$/,
  sort: /^(?:-o|--output)$/,
};
const IN_PLACE = /^-[a-zA-Z]*i|^--in-place/;

interface ShellEdit {
  path: string;
  /** That it is relative to. */
  folder: string;
  /** A folder, where it is one, goes or changes with all that is in it. */
  whole: boolean;
}

// Files that a command line writes, as far as its words tell.
function shellEdits(commands: readonly ShellCommand[]): ShellEdit[] {
  const edits: ShellEdit[] = [];
  let folder = '';
  for (const { words, writes } of commands) {
    const [program = '', ...rest] = words;
    const args = rest.filter((word) => !word.startsWith('-') && !word.startsWith(UNKNOWN));
    if (program === 'cd' || program === 'pushd') {
      const to = args[0] ?? '~';
      folder = /^[/~]/.test(to) || folder === '' ? to : `${folder}/${to}`;
      continue;
    }
    for (const path of writes) edits.push({ path, folder, whole: false });
    for (const path of editedBy(program, rest, args)) edits.push({ path, folder, whole: true });
  }
  return edits;
}

function editedBy(program: string, rest: readonly string[], args: readonly string[]): readonly string[] {
  if (EVERY_ARGUMENT.test(program)) return args;
  if (INTO_THE_LAST.test(program)) return copied(program, rest, args);
  if (program === 'sed' || program === 'perl') return rest.some((word) => IN_PLACE.test(word)) ? args : [];
  if (/^[gm]?awk$/.test(program)) return rest.includes('inplace') ? args.slice(1) : [];
  if (program === 'dd') return args.flatMap((word) => (word.startsWith('of=') ? [word.slice(3)] : []));
  if (program === 'find')
    return rest.includes('-delete')
      ? args.slice(
          0,
          rest.findIndex((word) => /^-/.test(word)),
        )
      : [];
  if (program === 'git') return GIT_EDITS.test(args[0] ?? '') ? args.slice(1) : [];
  return valuesOf(rest, TARGETS[program]);
}

// What goes away (`mv`), and the folder or the file in it that comes.
function copied(program: string, rest: readonly string[], args: readonly string[]): string[] {
  const named = valuesOf(rest, /^(?:-t|--target-directory)$/)[0];
  const sources = named === undefined ? args.slice(0, -1) : args.filter((word) => word !== named);
  const to = named ?? args.at(-1);
  if (to === undefined) return [];
  const below = sources.map((source) => `${to.replace(/\/$/, '')}/${source.replace(/\/$/, '').split('/').at(-1)}`);
  return [to, ...below, ...(program === 'mv' ? sources : [])];
}

// `-o file`, `-ofile`, `--output file` and `--output=file`.
function valuesOf(words: readonly string[], option: RegExp | undefined): string[] {
  if (option === undefined) return [];
  return words.flatMap((word, at) => {
    const [name = '', ...value] = word.split('=');
    if (option.test(word)) return words[at + 1] ?? [];
    if (value.length > 0 && option.test(name)) return value.join('=');
    return /^-[A-Za-z]./.test(word) && option.test(word.slice(0, 2)) ? word.slice(2) : [];
  });
}
