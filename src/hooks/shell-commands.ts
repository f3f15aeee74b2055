// A command line as a shell would split it: quotes, lists, substitutions, what a wrapper or `bash -c` would start. Pure, and no more
// than a reading: aliases, variables and scripts stay unseen.

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
}

export const UNKNOWN = '\ufffc';
const MAX_CHARS = 50_000;
const MAX_DEPTH = 20;
// What comes through a pipe is put in where it is named: not again and again without end.
const MAX_NAMES = 100;
const MAX_WORDS = 1_000;

export function splitShell(text: string): ShellLine {
  const line = emptyLine();
  if (text.length > MAX_CHARS) return { ...line, isWhole: false };
  new Reader(text, line, 0).read(null);
  return line;
}

const emptyLine = (): ShellLine => ({ commands: [], isWhole: true, folder: '', before: '' });

interface Draft {
  words: string[];
  writes: string[];
  /** What a here-document or here-string gives it; null: nothing that is known. */
  input: string | null;
  /** After a pipe: the words that come through it, as far as they are known. */
  piped: readonly string[] | null;
}

const RESERVED = /^(?:if|then|elif|else|fi|while|until|do|done|esac|!|\{|\}|coproc|time)$/;
const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;

class Reader {
  private at = 0;
  private word: string | null = null;
  private redirect: 'write' | 'read' | 'text' | { strips: boolean } | null = null;
  private documents: { end: string; isPlain: boolean; strips: boolean; of: Draft }[] = [];
  private wasQuoted = false;
  private draft: Draft = empty(null);

  private readonly text: string;
  private readonly line: ShellLine;
  private readonly depth: number;

  constructor(text: string, line: ShellLine, depth: number) {
    this.text = text;
    this.line = line;
    this.depth = depth;
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
      if (char === close) {
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
    if (/\s/.test(char)) return this.skip(1, () => this.endWord());
    if (char === '#' && this.word === null) {
      const end = text.indexOf('\n', this.at);
      this.at = end === -1 ? text.length : end;
      return;
    }
    if ((char === '<' || char === '>') && next === '(') return this.substitution(2);
    if (char === '&' && next === '>') return this.redirection('write', text[this.at + 2] === '>' ? 3 : 2);
    if (char === '>' || char === '<') return this.arrow(char);
    if (char === ';' || char === '&' || char === '|') {
      const isPipe = char === '|' && next !== '|';
      const length = next === char || (char === '|' && next === '&') ? 2 : 1;
      return this.skip(length, () => this.endCommand(isPipe));
    }
    if (char === '(') return this.parenthesis();
    // The end of a pattern of `case`, or one too many.
    if (char === ')') return this.skip(1, () => this.dropCommand());
    this.part(char, false);
  }

  private skip(length: number, then: () => void) {
    this.at += length;
    then();
  }

  private parenthesis() {
    if (this.word?.endsWith('=')) {
      // A list of values: its words start nothing.
      const inner = emptyLine();
      this.at += 1 + new Reader(this.text.slice(this.at + 1), inner, this.depth + 1).read(')');
      if (!inner.isWhole) this.line.isWhole = false;
      return;
    }
    if (this.text[this.at + 1] === ')') return this.skip(2, () => this.dropCommand());
    if (this.text[this.at + 1] === '(' && this.word === null) return this.arithmetic(2);
    this.endCommand(false);
    this.at += 1 + new Reader(this.text.slice(this.at + 1), this.line, this.depth + 1).read(')');
  }

  private arithmetic(length: number) {
    const end = this.text.indexOf('))', this.at + length);
    if (end === -1) return void this.broken();
    const inside = this.text.slice(this.at + length, end);
    this.at = end + 2;
    if (/[$`]/.test(inside)) this.inText(inside);
  }

  private arrow(char: string) {
    const { text } = this;
    // A number right before it is not a word.
    if (this.word !== null && /^\d+$/.test(this.word) && !this.wasQuoted) this.word = null;
    if (char === '<') {
      if (text.startsWith('<<<', this.at)) return this.redirection('text', 3);
      if (text.startsWith('<<', this.at)) {
        const strips = text[this.at + 2] === '-';
        return this.redirection({ strips }, strips ? 3 : 2);
      }
      return this.redirection(text[this.at + 1] === '>' ? 'write' : 'read', text[this.at + 1] === '>' ? 2 : 1);
    }
    const second = text[this.at + 1];
    if (second === '&') return this.redirection(/\d|-/.test(text[this.at + 2] ?? '') ? 'read' : 'write', 2);
    this.redirection('write', second === '>' || second === '|' ? 2 : 1);
  }

  private redirection(kind: NonNullable<Reader['redirect']>, length: number) {
    this.endWord();
    this.redirect = kind;
    this.at += length;
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
    } else if (char === "'" && !inQuotes) this.quoted(text.indexOf("'", this.at + 1));
    else if (char === '"' && !inQuotes) this.doubleQuoted();
    else if (char === '`') this.backticks();
    else if (char === '$') this.dollar(next, inQuotes);
    else this.skip(1, () => this.add(char));
  }

  private quoted(end: number) {
    this.wasQuoted = true;
    if (end === -1) this.broken();
    else {
      this.add(this.text.slice(this.at + 1, end));
      this.at = end + 1;
    }
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
    const end = /(?<!\\)`/g;
    end.lastIndex = this.at + 1;
    const found = end.exec(this.text);
    if (!found) {
      this.broken();
      return;
    }
    new Reader(this.text.slice(this.at + 1, found.index).replaceAll('\\`', '`'), this.line, this.depth + 1).read(null);
    this.add(UNKNOWN);
    this.at = found.index + 1;
  }

  private dollar(next: string | undefined, inQuotes: boolean) {
    const { text } = this;
    if (next === '(' && text[this.at + 2] === '(') {
      this.arithmetic(3);
      return this.add(UNKNOWN);
    }
    if (next === '(') return this.substitution(2);
    if (next === '{') return this.braces();
    if (next === "'" && !inQuotes) return this.ansiQuoted();
    if (next === '"' && !inQuotes) return this.skip(1, () => this.doubleQuoted());
    const name = /^\$(?:[A-Za-z_]\w*|[0-9@*#?$!-])/.exec(text.slice(this.at, this.at + 200))?.[0];
    if (name === undefined) return this.skip(1, () => this.add('$'));
    this.add(name === '$HOME' ? '~' : UNKNOWN);
    this.at += name.length;
  }

  private ansiQuoted() {
    const end = /(?<!\\)(?:\\\\)*'/g;
    end.lastIndex = this.at + 2;
    const found = end.exec(this.text);
    if (!found) {
      this.broken();
      return;
    }
    this.add(this.text.slice(this.at + 2, end.lastIndex - 1).replace(/\\(.)/g, '$1'));
    this.wasQuoted = true;
    this.at = end.lastIndex;
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
      this.add(inside === 'HOME' ? '~' : UNKNOWN);
      this.at = end + 1;
      return;
    }
    this.broken();
  }

  private substitution(length: number) {
    this.at += length;
    this.at += new Reader(this.text.slice(this.at), this.line, this.depth + 1).read(')');
    this.add(UNKNOWN);
  }

  // What is only a text, but for the substitutions in it.
  private inText(text: string) {
    const inner = new Reader(text, this.line, this.depth + 1);
    while (inner.at < text.length) inner.part(text[inner.at] as string, true);
  }

  private endWord() {
    const { word, redirect } = this;
    if (word === null) return;
    this.word = null;
    this.redirect = null;
    if (redirect === 'write') this.draft.writes.push(word);
    else if (redirect === 'text') this.draft.input = word;
    else if (typeof redirect === 'object' && redirect !== null)
      this.documents.push({ end: word, isPlain: this.wasQuoted, strips: redirect.strips, of: this.draft });
    else if (redirect === null && !(this.draft.words.length === 0 && RESERVED.test(word) && !this.wasQuoted))
      this.draft.words.push(word);
    this.wasQuoted = false;
  }

  private endLine() {
    this.at += 1;
    // The program of a here-document is known once its text is.
    if (this.documents.length === 0 && this.word === null) return this.endCommand(false);
    this.endWord();
    for (const { end, isPlain, strips, of } of this.documents.splice(0)) {
      const lines: string[] = [];
      for (;;) {
        if (this.at >= this.text.length) break;
        const stop = this.text.indexOf('\n', this.at);
        const line = this.text.slice(this.at, stop === -1 ? undefined : stop);
        this.at = stop === -1 ? this.text.length : stop + 1;
        if ((strips ? line.replace(/^\t+/, '') : line) === end) break;
        lines.push(line);
      }
      of.input = lines.join('\n');
      if (!isPlain && /[$`]/.test(of.input)) this.inText(of.input);
    }
    this.endCommand(false);
  }

  private dropCommand() {
    this.endWord();
    this.draft = empty(null);
  }

  private endCommand(isPipe: boolean) {
    this.endWord();
    const { draft } = this;
    // The text of a here-document comes with the next line: until then the command waits.
    const waits = this.documents.filter(({ of }) => of === draft);
    if (waits.length > 0 && this.at < this.text.length) {
      const stop = this.text.indexOf('\n', this.at);
      if (stop !== -1) {
        const [{ end, strips } = { end: '', strips: false }] = waits;
        const lines = this.text.slice(stop + 1).split('\n');
        const last = lines.findIndex((line) => (strips ? line.replace(/^\t+/, '') : line) === end);
        draft.input = lines.slice(0, last === -1 ? undefined : last).join('\n');
      }
    }
    this.draft = empty(isPipe ? handedOn(draft) : null);
    if (draft.words.length > 0 || draft.writes.length > 0) started(draft, this.line, this.depth);
  }
}

const empty = (piped: Draft['piped']): Draft => ({ words: [], writes: [], input: null, piped });

// Names that a command writes into its pipe: those it was given, or those it was handed itself.
function handedOn({ words: all, piped }: Draft): readonly string[] {
  const [program = '', ...words] = withoutAssignments(all);
  const args = words.filter((word) => !word.startsWith('-'));
  const own = (): readonly string[] => {
    if (program === 'echo') return words;
    if (program === 'find') return rootsOf(words);
    if (/^(?:ls|fd)$/.test(program)) return args;
    return /^(?:[ef]?grep|rg|git|printf)$/.test(program) ? args.slice(1) : [];
  };
  const names = own();
  return names.length > 0 ? names.slice(0, MAX_NAMES) : (piped ?? []);
}

const isExec = (word: string): boolean => /^-(?:exec|execdir|ok|okdir)$/.test(word);

// Where `find` begins.
function rootsOf(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word) => /^[-(!]/.test(word));
  return words.slice(0, Math.min(end === -1 ? MAX_NAMES : end, MAX_NAMES));
}

// Options of a wrapper that take the next word.
const WRAPPERS: Readonly<Record<string, string>> = {
  ...{ sudo: 'ugpChrtT', doas: 'uC', env: 'uC', nohup: '', nice: 'n', ionice: 'cnp', timeout: 'sk', stdbuf: 'ioe' },
  ...{ setsid: '', xargs: 'InPLdasE', command: '', builtin: '', exec: 'a', npx: 'pc', bunx: '', uvx: '', busybox: '' },
  ...{ corepack: '', unshare: '', 'systemd-run': 'pEtM', 'cross-env': '', chronic: '', caffeinate: '', arch: '' },
  ...{ dotenv: 'ev', watchexec: 'ewf', entr: '', unbuffer: '', watch: 'n', parallel: 'j', flock: '' },
  ...{ strace: 'eo', ltrace: 'eo' },
};
/** Wrappers that are words of another program. */
const RUNNERS =
  /^(?:(?:npm|pnpm|yarn|bun) (?:exec|dlx|x)|(?:uv|poetry|pipenv|pdm|rye|hatch|mise|conda|volta|asdf|fnm|rbenv|pyenv) (?:run|exec)|bundle exec|direnv exec \S+|(?:python[\d.]*|py) -m)$/;
/** What starts a command in a container: the words up to it, and their options that take no value. */
const CONTAINERS = /^(?:(?:docker|podman|nerdctl)(?: container| compose)?|docker-compose|podman-compose|kubectl|oc)$/;
const CONTAINER_FLAGS =
  /^-(?:[itdTPq]+|-(?:interactive|tty|stdin|detach|no-[a-zA-Z-]+|rm|init|privileged|quiet[a-z-]*|service-ports|use-aliases|build|read-only|all|remove-orphans|stdin=.*|tty=.*))$/;
/** Their `run x -- y` gives y to what they built. */
const BUILDERS = /^(?:npm|pnpm|yarn|bun|cargo|go|dotnet|swift|deno|stack|cabal|mix|zig|poetry|git)$/;
const SHELL_NAMES = /^(?:ba|z|da|k|fi|a)?sh$/;

const runnerOf = (words: readonly string[]): number | undefined =>
  [2, 3].find((count) => RUNNERS.test(words.slice(0, count).join(' ')));

/** Whether it does no more than start what its other words name. */
export const isRunner = (words: readonly string[]): boolean =>
  /^(?:npx|bunx|uvx)$/.test(words[0] ?? '') || runnerOf(words) !== undefined;

export function programOf(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1).replace(/\.exe$/i, '');
}

function started(draft: Draft, line: ShellLine, depth: number) {
  const { writes } = draft;
  const { folder } = line;
  // What is left of `function f {` and `time -p` before the command itself.
  const own = draft.words[0] === 'function' ? draft.words.slice(draft.words[2] === '{' ? 3 : 2) : draft.words;
  const words = withoutAssignments(own.slice(own.findIndex((word) => !word.startsWith('-'))));
  const [first] = words;
  if (first === undefined) {
    if (writes.length > 0) line.commands.push({ words: [], writes, folder });
    return;
  }
  const program = programOf(first);
  line.commands.push({ words: [program, ...words.slice(1)], writes, folder });
  if (program.includes(UNKNOWN) || program === '') line.isWhole = false;
  if (depth > MAX_DEPTH) {
    line.isWhole = false;
    return;
  }
  const again = (inner: string[], input = draft.input) =>
    started({ words: inner, writes: [], input, piped: draft.piped }, line, depth + 1);
  const script = (text: string) => {
    if (text.trim() === UNKNOWN || text.startsWith(UNKNOWN)) line.isWhole = false;
    new Reader(text, line, depth + 1).read(null);
  };
  if (/^(?:cd|pushd|popd)$/.test(program)) return enter(program, words[1] ?? '~', line);
  if (SHELL_NAMES.test(program)) return shell(words, draft, { line, script });
  if (program === 'eval') return script(words.slice(1).join(' '));
  if (program === 'trap') return script(words[1] ?? '');
  if (/^(?:tmux|screen|concurrently|hyperfine)$/.test(program)) {
    for (const word of words.slice(1)) if (/\s/.test(word)) script(word);
    again(afterOptions(words.slice(program === 'tmux' ? 2 : 1), 'stncFxyeS'));
    return;
  }
  if (program === 'su' || program === 'script') {
    const at = words.findIndex((word) => /^-[a-z]*c$/.test(word) || word === '--command');
    if (at !== -1 && words[at + 1] !== undefined) script(words[at + 1] as string);
    return;
  }
  if (program === 'ssh') {
    const rest = afterOptions(words.slice(1), 'BbcDEeFIiJLlmOopQRSWw').slice(1);
    if (rest.length > 0) script(rest.join(' '));
    return;
  }
  if (program === 'find') {
    const roots = rootsOf(words.slice(1));
    // One ends where the next can begin: read so, no word is read twice.
    for (let at = words.findIndex(isExec); at !== -1; ) {
      const stop = words.findIndex((word, place) => place > at && (word === ';' || word === '+'));
      const own = words.slice(at + 1, stop === -1 ? undefined : stop);
      again(own.flatMap((word) => (word === '{}' ? roots : [word])).slice(0, MAX_WORDS));
      at = stop === -1 ? -1 : words.findIndex((word, place) => place > stop && isExec(word));
    }
    return;
  }
  const contained = inContainer([program, ...words.slice(1)]);
  if (contained.length > 0) {
    again(contained);
    return;
  }
  // `op run -- x`, `aws-vault exec prod -- x`
  const dashes = words.indexOf('--');
  if (/ (?:run|exec) /.test(words.slice(0, dashes + 1).join(' ')) && !BUILDERS.test(program)) {
    again(words.slice(dashes + 1));
    return;
  }
  // `command -v x` asks, and starts nothing.
  if (program === 'command' && /^-[vV]/.test(words[1] ?? '')) return;
  const runner = runnerOf([program, ...words.slice(1)]);
  const options = runner === undefined ? WRAPPERS[program] : '';
  if (options === undefined) return;
  const rest = withoutAssignments(afterOptions(words.slice(runner ?? 1), options));
  const wrapped = program === 'timeout' || program === 'flock' ? afterOptions(rest.slice(1), options) : rest;
  if (program === 'npx' || runner !== undefined) wrapped[0] = (wrapped[0] ?? '').replace(/(?<=.)@[^/]*$/, '');
  if (wrapped.length > 0 && wrapped[0] !== '') again(program === 'xargs' ? withPiped(words, wrapped, draft) : wrapped);
}

// `xargs x` gives x what came through the pipe, at its end or in place of a mark.
function withPiped(words: readonly string[], inner: readonly string[], { piped }: Draft): string[] {
  const at = words.slice(0, words.length - inner.length).findIndex((word) => /^-[Ii]/.test(word));
  if (at === -1) return [...inner, ...(piped ?? [])];
  const mark = words[at]?.slice(2) || (words[at] === '-I' ? words[at + 1] : '{}');
  return inner.flatMap((word) => (word === mark ? (piped ?? []) : [word])).slice(0, MAX_WORDS);
}

function enter(program: string, to: string, line: ShellLine) {
  const { folder, before } = line;
  line.before = folder;
  if (program === 'popd' || to === '-') line.folder = before;
  else line.folder = /^[/~]/.test(to) || folder === '' ? to : `${folder}/${to}`;
}

// `docker compose -f a.yml exec -T web rm x`: after `exec` or `run` comes the container, then what runs in it.
function inContainer(words: readonly string[]): string[] {
  const rest = (from: number): number => {
    let at = from;
    while (words[at]?.startsWith('-') && words[at] !== '--')
      at += CONTAINER_FLAGS.test(words[at] as string) || words[at]?.includes('=') ? 1 : 2;
    return at;
  };
  let verb = rest(1);
  const program = [words[0]];
  if (/^(?:compose|container)$/.test(words[verb] ?? '')) {
    program.push(words[verb]);
    verb = rest(verb + 1);
  }
  if (!CONTAINERS.test(program.join(' ')) || !/^(?:exec|run)$/.test(words[verb] ?? '')) return [];
  const dashes = words.indexOf('--', verb);
  const inner = words.slice(dashes === -1 ? rest(rest(verb + 1) + 1) : dashes + 1);
  return /^(?:kubectl|oc)$/.test(program[0] ?? '') && dashes === -1 && words[verb] === 'run' ? [] : inner;
}

function shell(words: readonly string[], draft: Draft, on: { line: ShellLine; script(text: string): void }) {
  const at = words.findIndex((word, index) => index > 0 && /^-[a-z]*c$/i.test(word));
  if (at !== -1) {
    const text = words.slice(at + 1).find((word) => !/^[-+]/.test(word));
    return text === undefined ? undefined : on.script(text);
  }
  const file = words.slice(1).find((word) => !word.startsWith('-'));
  if (file !== undefined && !words.includes('-s')) return;
  if (draft.input !== null) on.script(draft.input);
  else if (draft.piped !== null) on.line.isWhole = false;
}

function withoutAssignments(words: readonly string[]): string[] {
  const first = words.findIndex((word) => !ASSIGNMENT.test(word));
  return first === -1 ? [] : words.slice(first);
}

function afterOptions(words: readonly string[], withValue: string): string[] {
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at] as string;
    if (word === '--') return words.slice(at + 1);
    if (!word.startsWith('-') || word === '-') break;
    const last = word.startsWith('--') ? '' : (word.at(-1) as string);
    if (last !== '' && word.length === 2 && withValue.includes(last)) at += 1;
  }
  return words.slice(at);
}
