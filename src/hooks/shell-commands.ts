import {
  type Draft,
  MAX_DEPTH,
  RESERVED,
  rootsOf,
  type ShellLine,
  ShellReader,
  UNKNOWN,
  withoutAssignments,
  withoutDot,
} from './shell-reader.ts';

// What a command line would start, as far as its words tell: aliases, variables and scripts stay unseen. Pure.

const MAX_CHARS = 50_000;
const MAX_WORDS = 1_000;

export function splitShell(text: string): ShellLine {
  const isShort = text.length <= MAX_CHARS;
  const line: ShellLine = { commands: [], isWhole: isShort, folder: '', before: '', texts: new Map(), depth: 0 };
  if (isShort) new ShellReader(text, line, started).read(null);
  return line;
}

const isExec = (word: string): boolean => /^(?:-(?:exec|execdir|ok|okdir|[xX])|--exec(?:-batch)?)$/.test(word);

// Options of a wrapper that take the next word.
const WRAPPERS = new Map(
  `sudo:ugpChrtTDR doas:uC env:uCS nohup: nice:n ionice:cnp timeout:sk stdbuf:ioe setsid: xargs:InPLdasE command: builtin: exec:a npx:p bunx:
uvx: busybox: corepack: unshare: systemd-run:pEtM cross-env: chronic: caffeinate: arch: dotenv:ev watchexec:ewf entr: unbuffer: watch:n
parallel:j flock:wE time:fo strace:eo ltrace:eo fvm: xvfb-run:nes fakeroot: rlwrap: nix-shell:pAI sail: ddev: lando: chroot: nodemon:ewx setarch:
torsocks: proxychains: taskset: chrt: pkexec:u setpriv: firejail: prlimit:`
    .split(/\s/)
    .map((each) => each.split(':') as [string, string]),
);
const LONG_WITH_VALUE =
  /^--(?:package|with|python|extra|env-file|project|directory|filter|workspace|prefix|user|group|chdir|unset|signal|split-string|rcfile|init-file|timeout|kill-after|format)$/;
/** Wrappers that are words of another program, after its options. */
const RUNNERS: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:npm|pnpm|yarn|bun)$/, /^(?:exec|dlx|x)$/],
  [/^(?:uv|poetry|pipenv|pipx|pdm|rye|hatch|mise|conda|volta|asdf|fnm|rbenv|pyenv)$/, /^(?:run|exec)$/],
  [/^(?:python[\d.]*|py)$/, /^-m$/],
  [/^(?:bundle|dotnet|git)$/, /^(?:exec|tool (?:run|exec)|submodule foreach|bisect run)$/],
  [/^direnv$/, /^exec \S+$/],
];
/** What starts a command in a container: the words up to it, and their options that take no value. */
const CONTAINERS = /^(?:(?:docker|podman|nerdctl)(?: container| compose)?|docker-compose|podman-compose|kubectl|oc)$/;
const CONTAINER_FLAGS =
  /^-(?:[itdTPq]+|-(?:interactive|tty|stdin|detach|no-[a-zA-Z-]+|rm|init|privileged|quiet[a-z-]*|service-ports|use-aliases|build|read-only|all|remove-orphans|stdin=.*|tty=.*))$/;
/** Their `run x -- y` gives y to what they built. */
const BUILDERS = /^(?:npm|pnpm|yarn|bun|cargo|go|dotnet|swift|deno|stack|cabal|mix|zig|poetry|git)$/;
/** What they are given first is a script with a name of its own. */
export const INTERPRETERS = /^(?:python[\d.]*|py|php|ruby|perl|node|tsx|ts-node)$/;
/** What comes through their input are their commands. */
const TAKES_COMMANDS =
  /^(?:redis-cli|valkey-cli|[pi]sql|mysql|mariadb|sqlite3|duckdb|mongosh?|sqlplus|sqlcmd|cqlsh|snowsql|bq|clickhouse(?:-client)?|trino|presto|beeline|hive|cypher-shell|influx|usql)$/;
/** These read a file of commands too, and `STANDARD_INPUT` is how the line names it. */
const READS_COMMANDS = /^(?:(?:ba|z|da|k|fi|a)?sh|source|\.)$/;
const STANDARD_INPUT = /^(?:-|\/dev\/stdin|\/(?:dev|proc\/self)\/fd\/\d+)$/;
const IS_TEXT_OPTION = /^-[a-z]*c[a-z]*$/i;
/** Options whose values are command lines. */
const TEXT_OPTIONS: readonly (readonly [RegExp, RegExp])[] = [
  [/^git .*\b(?:rebase|difftool|filter-branch)\b/, /^(?:-x|--exec|--extcmd|--[a-z]+-filter)$/],
  [/^(?:split|sort|tar) /, /^(?:--filter|--compress-program|--use-compress-program|--to-command|--checkpoint-action)$/],
  [/^(?:mapfile|readarray) /, /^-C$/],
];
/** Command lines in a text of the program's own. */
const TEXT_PARTS: readonly (readonly [RegExp, RegExp])[] = [
  [/^[gmn]?awk$/, /(?:system\s*\(|\|)\s*"((?:[^"\\]|\\.)+)"/g],
  [/^[gmn]?awk$/, /"((?:[^"\\]|\\.)+)"\s*\|\s*getline/g],
  [/^(?:n?vim?|ed|ex)$/, /^[:\d,%$.]*!(.+)/gm],
  [/^sed$/, /(?:^|;)\s*\d*e (.+)/gm],
];

/** Options, and words that may be their values: all that may come before a sub-command (`cargo +nightly build`). */
export const areOptions = (words: readonly string[]): boolean =>
  words.every((word, at) => /^[-+]./.test(word) || /^-./.test(words[at - 1] ?? ''));

// How many words do no more than start what comes after them.
function runnerOf([program = '', ...rest]: readonly string[]): number | undefined {
  const [, verbs] = RUNNERS.find(([name]) => name.test(program)) ?? [];
  const count = (at: number) => [1, 2].find((words) => verbs?.test(rest.slice(at, at + words).join(' ')));
  const at = verbs ? rest.findIndex((_, place) => count(place) !== undefined) : -1;
  return at === -1 || !areOptions(rest.slice(0, at)) ? undefined : at + 1 + (count(at) ?? 0);
}

/** Whether it does no more than start what its other words name. */
export const isRunner = (words: readonly string[]): boolean =>
  /^(?:npx|bunx|uvx)$/.test(words[0] ?? '') || runnerOf(words) !== undefined;

export function programOf(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1).replace(/\.(?:exe|phar)$/i, '');
}

/** A command, and the line in which it may start others. */
interface Started {
  program: string;
  words: readonly string[];
  draft: Draft;
  line: ShellLine;
}

// What is left of `function f {`, `coproc N {` and `time -p` before the command itself.
function withoutOpening(words: readonly string[]): readonly string[] {
  const named = ['coproc', 'function'].indexOf(words[0] ?? '') + 1;
  const open = words.slice(0, 3).findLastIndex((word) => RESERVED.test(word)) + 1;
  const own = named === 0 ? words : words.slice(open || named);
  return own.slice(own.findIndex((word) => !word.startsWith('-') && !(named > 0 && RESERVED.test(word))));
}

function started(draft: Draft, line: ShellLine) {
  const { writes, input, piped } = draft;
  const [first, ...args] = withoutAssignments(withoutOpening(draft.words));
  if (first === undefined) {
    if (writes.length > 0) line.commands.push({ words: [], writes, folder: line.folder });
    return;
  }
  // No program is called so: `watch 'git push'` and `npx -c 'x y'` hand on a line.
  if (/\s/.test(first)) return script(line, [first, ...args].join(' '));
  const program = programOf(first);
  const words = [program, ...args];
  const text = TAKES_COMMANDS.test(program) ? (input ?? piped?.join(' ')) : undefined;
  const folder = program === 'git' ? folderOf(words, afterOptions(args, 'Cc'), line) : line.folder;
  // Whatever option would take the text as a word is there too.
  line.commands.push({ words: [...words, ...(text ? ['-c', '-e', text] : [])], writes, folder });
  // Of a pattern (`g?t`) only the shell knows what it names.
  const isUnknown = program === '' || /[*?[{\ufffc]/.test(program.replace(/^\[\[?$/, '-'));
  if (isUnknown || line.depth > MAX_DEPTH) line.isWhole = false;
  if (line.depth > MAX_DEPTH) return;
  const command = { program, words, draft, line };
  for (const each of textsIn(command)) script(line, each);
  handOn(command);
}

// A text that a shell would be given.
function script(line: ShellLine, text: string) {
  if (text.startsWith(UNKNOWN) || text.trim() === UNKNOWN || text.length > MAX_CHARS) line.isWhole = false;
  if (text.length <= MAX_CHARS) new ShellReader(text, line, started).read(null);
}

// The words of a command that another starts, in a folder of its own where that is said.
function again({ program, draft, line }: Started, words: readonly string[], folder = line.folder) {
  const before = line.folder;
  line.depth += 1;
  line.folder = folder;
  started({ ...draft, words: [...words], writes: [] }, line);
  if (!/^(?:command|builtin)$/.test(program)) line.folder = before;
  line.depth -= 1;
}

// Command lines that are values of options, or part of a program's own text.
function textsIn({ program, words, draft }: Started): string[] {
  const said = words.join(' ');
  const texts = [...words, draft.input ?? ''].join('\n');
  const options = TEXT_OPTIONS.filter(([name]) => name.test(said)).flatMap(([, option]) => valuesOf(words, option));
  const parts = TEXT_PARTS.filter(([name]) => name.test(program)).flatMap(([, part]) => [...texts.matchAll(part)]);
  // `git -c alias.x='!y' x`
  const aliases = program === 'git' ? words.filter((word) => /^alias\.[^=]+=/.test(word)) : [];
  return [
    ...options.map((each) => each.replace(/^exec=/, '')),
    ...parts.map(([, part = '']) => part),
    ...aliases.map((alias) => {
      const [, own, text = ''] = /^[^=]+=(!?)(.*)$/s.exec(alias) ?? [];
      return own ? text : `git ${text} ${words.slice(words.indexOf(alias) + 2).join(' ')}`;
    }),
  ];
}

function handOn(command: Started): unknown {
  const { program, words, line } = command;
  const args = words.slice(1);
  if (/^(?:cd|pushd|popd)$/.test(program)) return enter(command);
  if (READS_COMMANDS.test(program)) return shell(command, args);
  if (/^(?:at|batch)$/.test(program)) return shell(command, []);
  if (program === 'eval') return script(line, args.join(' '));
  if (program === 'trap') return script(line, args.find((word) => word !== '--') ?? '');
  if (program === 'ssh') return script(line, afterOptions(args, 'BbcDEeFIiJLlmOopQRSWw').slice(1).join(' '));
  if (/^(?:find|fd)$/.test(program)) return searched(command);
  if (!/^(?:tmux|screen|concurrently|hyperfine|su|runuser|script)$/.test(program)) return wrapped(command);
  for (const word of args) if (/\s/.test(word) || program === 'su') script(line, word);
  const rest = program === 'tmux' ? args.slice(1) : args;
  again(command, afterOptions(rest, program === 'runuser' ? 'ugGscw' : 'stncFxyeS'));
}

function searched(command: Started) {
  const { words } = command;
  const roots = rootsOf(words.slice(1));
  // One ends where the next can begin: read so, no word is read twice.
  for (let at = words.findIndex(isExec); at !== -1; ) {
    const stop = words.findIndex((word, place) => place > at && (word === ';' || word === '+'));
    const own = words.slice(at + 1, stop === -1 ? undefined : stop);
    again(command, own.flatMap((word) => (word === '{}' ? roots : [word])).slice(0, MAX_WORDS));
    at = stop === -1 ? -1 : words.findIndex((word, place) => place > stop && isExec(word));
  }
}

function wrapped(command: Started): unknown {
  const { program, words, draft, line } = command;
  const isScript = INTERPRETERS.test(program) && /^[^-]/.test(words[1] ?? '');
  const contained = isScript ? words.slice(1) : inContainer(words);
  if (contained.length > 0) return again(command, contained);
  // `op run -- x`, `aws-vault exec prod -- x`
  const dashes = words.indexOf('--');
  if (/ (?:run|exec) /.test(words.slice(0, dashes + 1).join(' ')) && !BUILDERS.test(program))
    return again(command, words.slice(dashes + 1));
  // `command -v x` asks, and starts nothing.
  if (program === 'command' && /^-[vV]/.test(words[1] ?? '')) return;
  const runner = runnerOf(words);
  const options = runner === undefined ? WRAPPERS.get(program) : '';
  if (options === undefined) return;
  const said = afterOptions(words.slice(runner ?? 1), options);
  const own = words.slice(1, words.length - said.length).map((word) => word.replace(/^-[iv0]+S/, '-S'));
  const split = own.map((word) => word.replace(/^(?:-S|--split-string)=?/, ''));
  if (program === 'env' && split.join(' ') !== own.join(' ')) return script(line, ['env', ...split, ...said].join(' '));
  const rest = withoutAssignments(said);
  const inner = /^(?:timeout|flock|taskset|chrt|chroot)$/.test(program) ? afterOptions(rest.slice(1), options) : rest;
  if (program === 'npx' || runner !== undefined) inner[0] = (inner[0] ?? '').replace(/(?<=.)@[^/]*$/, '');
  if (inner.length === 0 || inner[0] === '') return;
  again(command, program === 'xargs' ? withPiped(own, inner, draft) : inner, folderOf(words, said, line));
}

// `xargs x` gives x what came through the pipe, at its end or in place of a mark.
function withPiped(own: readonly string[], inner: readonly string[], { piped, input }: Draft): string[] {
  const given = piped ?? (input === null ? [] : [input]);
  const words = given.flatMap((each) => each.trim().split(/\s+/));
  const text = given.join(' ').slice(0, MAX_WORDS);
  const isText = (at: number) => IS_TEXT_OPTION.test(inner[at - 1] ?? '');
  const at = own.findIndex((word) => /^-[Ii]/.test(word));
  if (at === -1) return [...inner, ...(isText(inner.length) ? [text] : words)];
  const mark = own[at]?.slice(2) || (own[at] === '-I' ? (own[at + 1] ?? '') : '{}');
  return inner
    .flatMap((word, place) =>
      word === mark && !isText(place) ? words : text === '' ? word : word.replace(mark, () => text),
    )
    .slice(0, MAX_WORDS);
}

const inFolder = (folder: string, to: string): string => (/^[/~]/.test(to) || folder === '' ? to : `${folder}/${to}`);

// Where a program is told to work by an option before `rest`: `git -C a`, `env -C a`, `sudo -D a`.
function folderOf(words: readonly string[], rest: readonly string[], { folder }: ShellLine): string {
  const option = words[0] === 'sudo' ? /^(?:-D|--chdir)$/ : /^(?:-C|--chdir)$/;
  return valuesOf(words.slice(1, words.length - rest.length), option).reduce(inFolder, folder);
}

function enter({ program, words, line }: Started) {
  const { folder, before } = line;
  const to = words.slice(1).find((word) => !/^-./.test(word)) ?? '~';
  line.before = folder;
  line.folder = program === 'popd' || to === '-' ? before : inFolder(folder, to);
}

// `docker compose -f a.yml exec -T web rm x`: after `exec` or `run` comes the container, then what runs in it.
function inContainer(words: readonly string[]): string[] {
  const dashes = words.indexOf('--');
  // Where words stand that are no options, nor their values.
  const plain: number[] = [];
  for (let at = 0; at < (dashes === -1 ? words.length : dashes); at += 1) {
    const word = words[at] as string;
    if (!word.startsWith('-')) plain.push(at);
    else if (!CONTAINER_FLAGS.test(word) && !word.includes('=')) at += 1;
  }
  const verb = plain.findIndex((at) => /^(?:exec|run)$/.test(words[at] as string));
  const program = plain
    .slice(0, verb)
    .map((at) => words[at])
    .join(' ');
  if (verb === -1 || !CONTAINERS.test(program)) return [];
  if (dashes !== -1) return words.slice(dashes + 1);
  return words[plain[verb] as number] === 'run' && /^(?:kubectl|oc)$/.test(program)
    ? []
    : words.slice(plain[verb + 2] ?? words.length);
}

function shell({ draft, line }: Started, words: readonly string[]): unknown {
  const rest = afterOptions(words, 'oO');
  const options = words.slice(0, words.length - rest.length);
  const [file = '', ...args] = rest;
  if (options.some((word) => IS_TEXT_OPTION.test(word))) return script(line, withArguments(file, args));
  const written = line.texts.get(withoutDot(file));
  // Read once: a text that starts itself would have no end.
  if (written !== undefined && line.texts.delete(withoutDot(file))) return script(line, written);
  if (file !== '' && !STANDARD_INPUT.test(file) && !options.includes('-s')) return;
  if (draft.input !== null) return script(line, draft.input);
  if (draft.piped === null) return;
  // What a pipe brings may have been changed on its way.
  line.isWhole = false;
  script(line, draft.piped.join(' '));
}

// `sh -c 'git push $1' x --force`: the first of them is what the shell is called.
function withArguments(text: string, args: readonly string[]): string {
  return text.replace(/\$\{?([\d@*])\}?/g, (all, name) => {
    const value = /\d/.test(name) ? args[Number(name)] : args.slice(1).join(' ');
    return value && /^[\w ./:=@+-]{1,200}$/.test(value) ? value : all;
  });
}

/** What comes after options; a letter of `withValue` at the end of one takes the next word. */
export function afterOptions(words: readonly string[], withValue: string): string[] {
  const takesNext = new RegExp(`^[-+](?!-)[^${withValue}]*[${withValue}]$`);
  let at = 0;
  for (; /^[-+]./.test(words[at] ?? ''); at += 1) {
    const word = words[at] as string;
    if (word === '--') return words.slice(at + 1);
    if (LONG_WITH_VALUE.test(word) || takesNext.test(word)) at += 1;
  }
  return words.slice(at);
}

/** `-o file`, `-ofile`, `--output file` and `--output=file`. */
export function valuesOf(words: readonly string[], option: RegExp): string[] {
  return words.flatMap((word, at) => {
    const [name = '', ...value] = word.split('=');
    if (option.test(word)) return words[at + 1] ?? [];
    if (value.length > 0 && option.test(name)) return value.join('=');
    return /^-[A-Za-z]./.test(word) && option.test(word.slice(0, 2)) ? word.slice(2) : [];
  });
}
