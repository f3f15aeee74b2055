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
  /** Of readers and wrappers in each other. */
  depth: number;
}

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
const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;

// What stands at one place of the text: each is tried there and nowhere else.
const BLANKS = /(?:[^\S\n]|\\\n)+/y;
const COMMENT = /#[^\n]*/y;
const REDIRECTION = /\d*(?![<>]\()(<<[<-]?|<[&>]?|&?>>|&>|>[|&]?)/y;
const OPERATOR = /\n|;[;&]|;|&&?|\|[|&]?|\(\(.{0,2000}?\)\)|\(\(|\(\)|[()]/sy;
const EXPANSIONS = [
  /\\(?<escaped>.?)|`(?<command>(?:[^`\\]|\\.)*)`/,
  /\$\(\((?<sum>.{0,2000}?)\)\)|(?<open>\$\()|\$\{(?<braces>(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}/,
  /\$(?<name>[A-Za-z_]\w*|[0-9@*#?$!-])|(?<unclosed>`|\$\{)/,
];
const IN_QUOTES = oneOf([...EXPANSIONS, /(?<letters>[^"\\$`]+|.)/]);
const PIECE = oneOf([
  /'(?<plain>[^']*)'|\$'(?<ansi>(?:[^'\\]|\\.)*)'|(?<quote>\$?")|(?<unended>\$?')/,
  ...EXPANSIONS,
  /(?<letters>[^\s;&|()<>\\'"$`]+|.)/,
]);
/** The word that ends a here-document is taken as it stands: `$X`, back-ticks and a carriage return are letters of it. */
const DOCUMENT_END = /(?:\$?'[^']*'|\$?"(?:[^"\\]|\\.)*"|\\.|[^\s;&|()<>\\'"]|\r)+/sy;
const ANSI_ESCAPE = /\\(?:x([\da-f]{1,2})|u([\da-f]{1,4})|U([\da-f]{1,8})|([0-7]{1,3})|(.))/gis;

export type Start = (draft: Draft, line: ShellLine) => void;

export class ShellReader {
  private at = 0;
  private draft: Draft;
  /** After the texts of the here-documents that this line of the text has begun. */
  private documentsEnd = 0;
  /** Of `case`: how many are open, and whether a pattern stands here. */
  private cases = 0;
  private isPattern = false;
  /** What its last command writes. */
  private out: readonly string[] = [];
  private readonly text: string;
  private readonly line: ShellLine;
  private readonly start: Start;
  /** What comes through a pipe into all of it. */
  private piped: Draft['piped'];

  constructor(text: string, line: ShellLine, start: Start, piped: Draft['piped'] = null) {
    this.text = text;
    this.line = line;
    this.start = start;
    this.piped = piped;
    this.draft = empty(piped);
  }

  /** Up to the end of the text, or to the character that closes this part. The place after it. */
  read(close: ')' | null): number {
    const { text, line } = this;
    const { folder, before } = line;
    line.depth += 1;
    if (line.depth > MAX_DEPTH) this.break();
    while (this.at < text.length && (text[this.at] !== close || this.isPattern)) this.step();
    this.endCommand(false);
    if (close !== null && this.at >= text.length) this.break();
    line.depth -= 1;
    if (line.depth > 0) Object.assign(line, { folder, before });
    return this.at + 1;
  }

  // A part that can't be told: nothing after it can.
  private break(): string {
    this.line.isWhole = false;
    this.at = this.text.length;
    return UNKNOWN;
  }

  // What a pattern finds here, its first group or all; the place goes after it.
  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    return found?.[1] ?? found?.[0];
  }

  private step(): unknown {
    if (this.take(BLANKS) || this.take(COMMENT)) return;
    const sign = this.take(REDIRECTION);
    if (sign !== undefined) return this.redirect(sign);
    if (this.isPattern && this.take(/[|(]/y)) return this.dropCommand();
    const operator = this.take(OPERATOR);
    if (operator !== undefined) return this.operate(operator);
    const from = this.at;
    const word = this.word();
    this.addWord(word, this.text.slice(from, this.at));
  }

  private operate(operator: string): unknown {
    switch (operator.slice(0, 2)) {
      case '\n':
        this.at = Math.max(this.at, this.documentsEnd);
        return this.endCommand(false);
      case '((':
        return operator === '((' ? this.break() : this.inText(operator);
      case '(': {
        const piped = this.draft.words.length === 0 ? this.draft.piped : null;
        this.endCommand(false);
        return this.nested(0, piped);
      }
      // A function begins, or a pattern of `case` ends.
      case '()':
      case ')':
        this.isPattern &&= operator === '()';
        return this.dropCommand();
      case ';;':
      case ';&':
        this.isPattern = this.cases > 0;
        return this.endCommand(false);
      default:
        return this.endCommand(operator === '|' || operator === '|&');
    }
  }

  /** What is in brackets gives what it writes into a pipe. */
  private nested(skipped: number, piped: Draft['piped'] = null): readonly string[] {
    this.at += skipped;
    const inner = this.inner(this.text.slice(this.at), piped);
    this.at += inner.read(')');
    return inner.out;
  }

  private inner(text: string, piped: Draft['piped'] = null): ShellReader {
    return new ShellReader(text, this.line, this.start, piped);
  }

  // What is only a text, but for the substitutions in it.
  private inText(text: string) {
    const inner = this.inner(text);
    if (/[$`]/.test(text)) while (inner.at < text.length) inner.part(true);
  }

  private redirect(sign: string): unknown {
    const { draft } = this;
    const isDescriptor = sign === '>&' && /[\d-]/.test(this.text[this.at] ?? '');
    this.take(BLANKS);
    if (sign === '<<' || sign === '<<-') return this.document(sign === '<<-');
    const word = this.word();
    if (word === '') return;
    if (sign === '<<<') draft.input = word;
    // `[[ a > b ]]` compares.
    else if (sign !== '<' && sign !== '<&' && !isDescriptor && draft.words[0] !== '[[') draft.writes.push(word);
  }

  // Its text begins with the next line, or after that of the one before it.
  private document(strips: boolean) {
    const written = this.take(DOCUMENT_END) ?? '';
    if (this.text[this.at] === '(') return this.break();
    const end = written.replace(/\$?(['"])(.*?)\1|\\(.)/gs, '$2$3');
    const from = Math.max(this.documentsEnd, this.text.indexOf('\n', this.at) + 1);
    if (from === 0) return;
    const last = new RegExp(`(?<=\\n)${strips ? '\\t*' : ''}${end.replace(/\W/g, '\\$&')}(?:\\n|$)`, 'g');
    last.lastIndex = from;
    const stop = last.exec(this.text)?.index ?? this.text.length + 1;
    this.documentsEnd = last.lastIndex || this.text.length;
    this.draft.input = this.text.slice(from, Math.max(from, stop - 1));
    if (!/['"\\]/.test(written)) this.inText(this.draft.input);
  }

  private word(): string {
    let word = '';
    for (;;) {
      const char = this.text[this.at] ?? ' ';
      if (/[<>]/.test(char) && this.text[this.at + 1] === '(') {
        this.draft.piped = this.nested(2);
        word += PIPE_FILE;
      } else if (char === '(' && word.endsWith('=')) {
        // The values of `a=( … )` start nothing, but for the substitutions in them.
        this.at += 1;
        this.upTo(')', () => this.take(/\s+(?:#[^\n]*)?/y) ?? this.part(false));
      } else if (/[\s;&|()<>]/.test(char)) return word;
      else word += this.part(false);
    }
  }

  private upTo(end: string, piece: () => string): string {
    let text = '';
    while (this.at < this.text.length && this.text[this.at] !== end) text += piece();
    if (this.at >= this.text.length) this.break();
    this.at += 1;
    return text;
  }

  /** One piece of a word: a quoted run, an expansion, or characters. */
  private part(inQuotes: boolean): string {
    const pattern = inQuotes ? IN_QUOTES : PIECE;
    pattern.lastIndex = this.at;
    const { escaped, plain, ansi, quote, command, sum, open, braces, name, letters, ...rest } =
      pattern.exec(this.text)?.groups ?? {};
    this.at = pattern.lastIndex;
    if (rest.unclosed ?? rest.unended) return this.break();
    if (escaped !== undefined)
      return inQuotes && /[^"\\$`\n]/.test(escaped) ? `\\${escaped}` : escaped.replace('\n', '');
    if (ansi !== undefined) return ansi.replace(ANSI_ESCAPE, unescaped);
    if (quote) return this.upTo('"', () => this.part(true));
    if (command !== undefined) this.inner(command.replaceAll('\\`', '`')).read(null);
    if (open) this.nested(0);
    // A default may run something: ${X:-$(rm x)}
    this.inText(sum ?? braces ?? '');
    // What it may be is as good as written there: ${X:---force}
    if (braces !== undefined) return placeOf(braces) + (/^\w+:?[-+=]([^$`"']*)$/.exec(braces)?.[1] ?? '');
    return plain ?? letters ?? placeOf(name ?? '');
  }

  private addWord(word: string, written: string) {
    const { words } = this.draft;
    if (words.length > 0 || !RESERVED.test(written)) words.push(word);
    else if (OPENS_GROUP.test(word)) this.piped = this.draft.piped;
    else if (CLOSES_GROUP.test(word)) this.piped = null;
    else if (word === 'esac') {
      this.cases -= 1;
      this.isPattern = false;
    }
    if (word !== 'in' || words.length !== 3 || words[0] !== 'case') return;
    this.cases += 1;
    this.isPattern = true;
    this.dropCommand();
  }

  private dropCommand() {
    this.draft = empty(this.piped);
  }

  private endCommand(isPipe: boolean) {
    const { draft, line } = this;
    if (draft.words.length > 0) this.out = handedOn(draft);
    for (const path of draft.writes) line.texts.set(withoutDot(path), this.out.join(' '));
    this.draft = empty(isPipe ? this.out : this.piped);
    if (draft.words.length > 0 || draft.writes.length > 0) this.start(draft, line);
  }
}

function unescaped(_: string, byte?: string, short?: string, long?: string, octal?: string, other = ''): string {
  const hex = byte ?? short ?? long;
  if (hex === undefined && octal === undefined) return { n: '\n', t: '\t', r: '\r' }[other] ?? other;
  const code = Number.parseInt(hex ?? octal ?? '', hex === undefined ? 8 : 16);
  return code > 0x10ffff ? UNKNOWN : String.fromCodePoint(code);
}

// One pattern that is tried at one place.
function oneOf(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'), 'sy');
}

const empty = (piped: Draft['piped']): Draft => ({ words: [], writes: [], input: null, piped });

// What a command writes into its pipe: words it was given, a text it was given, or what it was handed itself.
function handedOn({ words: all, piped, input }: Draft): readonly string[] {
  const [program = '', ...words] = withoutAssignments(all);
  const args = words.filter((word) => !word.startsWith('-'));
  let names: readonly string[] = [];
  if (/^(?:echo|printf)$/.test(program)) names = words;
  else if (program === 'cat' && input !== null) names = [input];
  else if (program === 'find') names = rootsOf(words);
  else if (/^(?:ls|fd|[ef]?grep|rg|git)$/.test(program)) names = args.slice(/^(?:ls|fd)$/.test(program) ? 0 : 1);
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
