// The words of a command line as a shell would read them: quotes, lists, redirections, substitutions. Pure.

/** One command that would be started. */
export interface ShellCommand {
  /** The program first; `UNKNOWN` stands for what only the shell knows, such as `$X`. */
  words: string[];
  /** Files that its redirections write. */
  writes: string[];
  /** The folder it is run in, as far as `cd` tells: empty where nothing did. */
  folder: string;
}

export interface ShellLine {
  commands: ShellCommand[];
  /** False: a part of it can't be told, such as a program named by a variable. */
  isWhole: boolean;
  /** Where `cd` has led, and where that was left (`cd -`, `popd`). */
  folder: string;
  before: string;
  /** What it has written into files, as far as that is known. */
  texts: Map<string, string>;
}

export const emptyLine = (): ShellLine => ({ commands: [], isWhole: true, folder: '', before: '', texts: new Map() });

export const withoutDot = (path: string): string => path.replace(/^\.\//, '');

export const UNKNOWN = '\ufffc';
export const MAX_DEPTH = 20;
// What comes through a pipe is put in where it is named: not again and again without end.
const MAX_NAMES = 100;

export interface Draft {
  words: string[];
  writes: string[];
  /** What a here-document or here-string gives it; null: nothing that is known. */
  input: string | null;
  /** After a pipe: the words that come through it, as far as they are known. */
  piped: readonly string[] | null;
}

export const RESERVED = /^(?:if|then|elif|else|fi|while|until|do|done|esac|!|\{|\}|time)$/;
const OPENS_GROUP = /^(?:if|while|until|\{)$/;
const CLOSES_GROUP = /^(?:fi|done|\})$/;
/** What the shell puts in place of `<( … )`. */
const PIPE_FILE = '/dev/fd/63';
const placeOf = (name: string): string => (name === 'HOME' ? '~' : name === 'PWD' ? '.' : UNKNOWN);
const INPUTS = new Map(Object.entries({ '<<': 'document', '<<-': 'tabbed document', '<<<': 'text' } as const));
const ANSI_ESCAPE = /\\(?:x([\da-f]{1,2})|u([\da-f]{1,4})|U([\da-f]{1,8})|([0-7]{1,3})|(.))/gis;
const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;

export type Start = (draft: Draft, line: ShellLine, depth: number) => void;

export class ShellReader {
  private at = 0;
  private word: string | null = null;
  private redirect: 'write' | 'read' | 'text' | 'document' | 'tabbed document' | null = null;
  private documents: { end: string; isPlain: boolean; strips: boolean; of: Draft }[] = [];
  private wasQuoted = false;
  private draft: Draft;
  /** Of `case`: how many are open, and whether a pattern stands here. */
  private cases = 0;
  private isPattern = false;
  /** What its last command writes. */
  private out: readonly string[] = [];

  private readonly text: string;
  private readonly line: ShellLine;
  private readonly depth: number;
  private readonly start: Start;

  /** What comes through a pipe into all of it. */
  private piped: Draft['piped'];

  constructor(text: string, line: ShellLine, depth: number, start: Start, piped: Draft['piped'] = null) {
    this.text = text;
    this.line = line;
    this.depth = depth;
    this.start = start;
    this.piped = piped;
    this.draft = empty(piped);
  }

  private inner(text: string, line = this.line, piped: Draft['piped'] = null): ShellReader {
    return new ShellReader(text, line, this.depth + 1, this.start, piped);
  }

  /** Up to the end of the text, or to the character that closes this part. The place after it. */
  read(close: ')' | null): number {
    if (this.depth > MAX_DEPTH) return this.broken();
    const { folder, before } = this.line;
    const end = this.readOn(close);
    if (this.depth > 0) Object.assign(this.line, { folder, before });
    return end;
  }

  private readOn(close: ')' | null): number {
    while (this.at < this.text.length) {
      const char = this.text[this.at] as string;
      if (char === ')') this.endWord();
      if (char === close && !this.isPattern) {
        this.endCommand(false);
        return this.at + 1;
      }
      this.step(char);
    }
    this.endCommand(false);
    return close === null ? this.at : this.broken();
  }

  private broken(): number {
    this.line.isWhole = false;
    this.at = this.text.length;
    return this.at;
  }

  private step(char: string) {
    const { text } = this;
    const next = text[this.at + 1];
    if (char === '\n') return this.endLine();
    if (/\s/.test(char) && !(char === '\r' && this.isEnd)) return this.skip(1, () => this.endWord());
    if (char === '#' && this.word === null) {
      const end = text.indexOf('\n', this.at);
      this.at = end === -1 ? text.length : end;
      return;
    }
    if ((char === '<' || char === '>') && next === '(') return this.processFile();
    if (char === '>' || char === '<' || (char === '&' && next === '>')) return this.arrow();
    if (this.isPattern && (char === '|' || char === '(')) return this.skip(1, () => this.dropCommand());
    if (char === ';' || char === '&' || char === '|') {
      const isPipe = char === '|' && next !== '|';
      const length = next === char || (char === '|' && next === '&') ? 2 : 1;
      this.skip(length, () => this.endCommand(isPipe));
      if (char === ';' && (next === ';' || next === '&')) this.isPattern = this.cases > 0;
      return;
    }
    if (char === '(') return this.parenthesis();
    // The end of a pattern of `case`, or one too many.
    if (char === ')') {
      this.isPattern = false;
      return this.skip(1, () => this.dropCommand());
    }
    this.part(char, false);
  }

  private skip(length: number, then: () => void) {
    this.at += length;
    then();
  }

  private parenthesis(): unknown {
    if (this.isEnd) return this.broken();
    if (this.word?.endsWith('=')) {
      // A list of values: its words start nothing.
      const inner = emptyLine();
      this.at += 1 + this.inner(this.text.slice(this.at + 1), inner).read(')');
      if (!inner.isWhole) this.line.isWhole = false;
      return;
    }
    if (this.text[this.at + 1] === ')') return this.skip(2, () => this.dropCommand());
    if (this.text[this.at + 1] === '(' && this.word === null) return this.arithmetic(2);
    this.endWord();
    const piped = this.draft.words.length === 0 ? this.draft.piped : null;
    this.endCommand(false);
    this.at += 1 + this.inner(this.text.slice(this.at + 1), this.line, piped).read(')');
  }

  private arithmetic(length: number) {
    const inside = this.upTo(/\)\)/g, length);
    if (inside !== null && /[$`]/.test(inside)) this.inText(inside);
  }

  // What stands before an end, and the place goes after it; null where there is none.
  private upTo(end: RegExp, skipped: number): string | null {
    const from = this.at + skipped;
    end.lastIndex = from;
    const found = end.exec(this.text);
    if (found) this.at = end.lastIndex;
    else this.broken();
    return found && this.text.slice(from, found.index);
  }

  private arrow() {
    // A number right before it is not a word.
    if (this.word !== null && /^\d+$/.test(this.word) && !this.wasQuoted) this.word = null;
    this.endWord();
    const [, sign = '', after = ''] =
      /^(<<[<-]?|<>?|&?>>|&>|>[|&]?)(.?)/s.exec(this.text.slice(this.at, this.at + 4)) ?? [];
    const isRead = sign === '<' || (sign === '>&' && /[\d-]/.test(after));
    this.at += sign.length;
    this.redirect = INPUTS.get(sign) ?? (isRead ? 'read' : 'write');
  }

  /** The word that ends a here-document is taken as it stands: `$X`, back-ticks and a carriage return are letters of it. */
  private get isEnd(): boolean {
    return this.redirect?.endsWith('document') ?? false;
  }

  private add(part: string) {
    this.word = (this.word ?? '') + part;
  }

  /** One piece of a word: a quoted run, an expansion or a character. */
  private part(char: string, inQuotes: boolean) {
    const { text } = this;
    const next = text[this.at + 1];
    if (char === '\\') {
      if (next === '\n') this.at += 2;
      else if (inQuotes && !/["\\$`]/.test(next ?? '')) this.skip(1, () => this.add('\\'));
      else this.skip(2, () => this.add(next ?? ''));
      this.wasQuoted = true;
    } else if (char === "'" && !inQuotes) this.quoted();
    else if (char === '"' && !inQuotes) this.doubleQuoted();
    else if (char === '`' && !this.isEnd) this.backticks();
    else if (char === '$') this.dollar(next, inQuotes);
    else this.skip(1, () => this.add(char));
  }

  private quoted() {
    this.wasQuoted = true;
    this.add(this.upTo(/'/g, 1) ?? '');
  }

  private doubleQuoted() {
    this.wasQuoted = true;
    this.add('');
    this.at += 1;
    while (this.at < this.text.length && this.text[this.at] !== '"') this.part(this.text[this.at] as string, true);
    if (this.at >= this.text.length) this.broken();
    else this.at += 1;
  }

  private backticks() {
    const inside = this.upTo(/(?<!\\)`/g, 1);
    if (inside !== null) this.inner(inside.replaceAll('\\`', '`')).read(null);
    this.add(UNKNOWN);
  }

  private dollar(next: string | undefined, inQuotes: boolean): unknown {
    const { text } = this;
    if (next === "'" && !inQuotes) return this.ansiQuoted();
    if (next === '"' && !inQuotes) return this.skip(1, () => this.doubleQuoted());
    if (this.isEnd) return this.skip(1, () => this.add('$'));
    if (next === '(' && text[this.at + 2] === '(') {
      this.arithmetic(3);
      return this.add(UNKNOWN);
    }
    if (next === '(') return this.substitution();
    if (next === '{') return this.braces();
    const name = /^\$(?:[A-Za-z_]\w*|[0-9@*#?$!-])/.exec(text.slice(this.at, this.at + 200))?.[0];
    if (name === undefined) return this.skip(1, () => this.add('$'));
    this.add(placeOf(name.slice(1)));
    this.at += name.length;
  }

  private ansiQuoted() {
    this.wasQuoted = true;
    this.add((this.upTo(/'(?<=(?<!\\)(?:\\\\)*')/g, 2) ?? '').replace(ANSI_ESCAPE, unescaped));
  }

  private braces() {
    let depth = 0;
    for (let end = this.at + 1; end < this.text.length; end += 1) {
      if (this.text[end] === '{') depth += 1;
      if (this.text[end] === '}') depth -= 1;
      if (depth > 0) continue;
      const inside = this.text.slice(this.at + 2, end);
      // A default may run something: ${X:-$(rm x)}
      if (/[$`]/.test(inside)) this.inText(inside);
      // What it may be is as good as written there: ${X:---force}
      this.add(placeOf(inside) + (/^\w+:?[-+=]([^$`"']*)$/.exec(inside)?.[1] ?? ''));
      this.at = end + 1;
      return;
    }
    this.broken();
  }

  /** What it writes. */
  private substitution(as = UNKNOWN): readonly string[] {
    const inner = this.inner(this.text.slice(this.at + 2));
    this.at += 2 + inner.read(')');
    this.add(as);
    return inner.out;
  }

  private processFile() {
    this.draft.piped = this.substitution(PIPE_FILE);
  }

  // What is only a text, but for the substitutions in it.
  private inText(text: string) {
    const inner = this.inner(text);
    while (inner.at < text.length) inner.part(text[inner.at] as string, true);
  }

  private endWord() {
    const { word, redirect, wasQuoted } = this;
    if (word === null) return;
    this.word = null;
    this.redirect = null;
    // `[[ a > b ]]` compares.
    const { words, writes } = this.draft;
    const isBare = words.length === 0 && !wasQuoted && redirect === null;
    this.wasQuoted = false;
    if (redirect === 'write' && words[0] !== '[[') writes.push(word);
    else if (redirect === 'text') this.draft.input = word;
    else if (redirect?.endsWith('document'))
      this.documents.push({ end: word, isPlain: wasQuoted, strips: redirect !== 'document', of: this.draft });
    else if (isBare && RESERVED.test(word)) this.reserved(word);
    else if (redirect === null) words.push(word);
    if (word !== 'in' || words.length !== 3 || words[0] !== 'case') return;
    this.cases += 1;
    this.isPattern = true;
    this.draft = empty(this.piped);
  }

  private reserved(word: string) {
    if (OPENS_GROUP.test(word)) this.piped = this.draft.piped;
    if (CLOSES_GROUP.test(word)) this.piped = null;
    if (word !== 'esac') return;
    this.cases -= 1;
    this.isPattern = false;
  }

  private endLine() {
    this.at += 1;
    // The program of a here-document is known once its text is.
    if (this.documents.length === 0 && this.word === null) return this.endCommand(false);
    this.endWord();
    for (const document of this.documents.splice(0)) {
      const { text, next } = this.textOf(document, this.at);
      this.at = next;
      document.of.input = text;
      if (!document.isPlain && /[$`]/.test(text)) this.inText(text);
    }
    this.endCommand(false);
  }

  // Of a here-document, from the line after its command.
  private textOf({ end, strips }: { end: string; strips: boolean }, from: number): { text: string; next: number } {
    for (let at = from; at < this.text.length; ) {
      const stop = this.text.indexOf('\n', at);
      const next = stop === -1 ? this.text.length : stop + 1;
      const line = this.text.slice(at, stop === -1 ? undefined : stop);
      if ((strips ? line.replace(/^\t+/, '') : line) === end)
        return { text: this.text.slice(from, Math.max(from, at - 1)), next };
      at = next;
    }
    return { text: this.text.slice(from), next: this.text.length };
  }

  private dropCommand() {
    this.endWord();
    this.draft = empty(this.piped);
  }

  private endCommand(isPipe: boolean) {
    this.endWord();
    const { draft } = this;
    // The text of a here-document comes with the next line: until then the command waits.
    const waits = this.documents.find(({ of }) => of === draft);
    const stop = this.text.indexOf('\n', this.at);
    if (waits && stop !== -1) draft.input = this.textOf(waits, stop + 1).text;
    if (draft.words.length > 0) this.out = handedOn(draft);
    for (const path of draft.writes) this.line.texts.set(withoutDot(path), this.out.join(' '));
    this.draft = empty(isPipe ? this.out : this.piped);
    if (draft.words.length > 0 || draft.writes.length > 0) this.start(draft, this.line, this.depth);
  }
}

function unescaped(_: string, byte?: string, short?: string, long?: string, octal?: string, other = ''): string {
  const hex = byte ?? short ?? long;
  if (hex === undefined && octal === undefined) return { n: '\n', t: '\t', r: '\r' }[other] ?? other;
  const code = Number.parseInt(hex ?? octal ?? '', hex === undefined ? 8 : 16);
  return code > 0x10ffff ? UNKNOWN : String.fromCodePoint(code);
}

const empty = (piped: Draft['piped']): Draft => ({ words: [], writes: [], input: null, piped });

// What a command writes into its pipe: words it was given, a text it was given, or what it was handed itself.
function handedOn({ words: all, piped, input }: Draft): readonly string[] {
  const [program = '', ...words] = withoutAssignments(all);
  const args = words.filter((word) => !word.startsWith('-'));
  const own = (): readonly string[] => {
    if (/^(?:echo|printf)$/.test(program)) return words;
    if (program === 'cat' && input !== null) return [input];
    if (program === 'find') return rootsOf(words);
    if (/^(?:ls|fd)$/.test(program)) return args;
    return /^(?:[ef]?grep|rg|git)$/.test(program) ? args.slice(1) : [];
  };
  const names = own();
  return names.length > 0 ? names.slice(0, MAX_NAMES) : (piped ?? []);
}

// Where `find` begins.
export function rootsOf(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word) => /^[-(!]/.test(word));
  return words.slice(0, Math.min(end === -1 ? MAX_NAMES : end, MAX_NAMES));
}

export function withoutAssignments(words: readonly string[]): string[] {
  const first = words.findIndex((word) => !ASSIGNMENT.test(word));
  return first === -1 ? [] : words.slice(first);
}
