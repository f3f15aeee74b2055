import {
  type Draft,
  emptyLine,
  MAX_DEPTH,
  rootsOf,
  type ShellLine,
  ShellReader,
  UNKNOWN,
  withoutAssignments,
} from './shell-reader.ts';

// What a command line would start, as far as its words tell: aliases, variables and scripts stay unseen. Pure.

const MAX_CHARS = 50_000;
const MAX_WORDS = 1_000;

export function splitShell(text: string): ShellLine {
  const line = emptyLine();
  if (text.length > MAX_CHARS) return { ...line, isWhole: false };
  new ShellReader(text, line, 0, started).read(null);
  return line;
}

const isExec = (word: string): boolean => /^(?:-(?:exec|execdir|ok|okdir|[xX])|--exec(?:-batch)?)$/.test(word);

// Options of a wrapper that take the next word.
const WRAPPERS = new Map(
  `sudo:ugpChrtT doas:uC env:uC nohup: nice:n ionice:cnp timeout:sk stdbuf:ioe setsid: xargs:InPLdasE command: builtin: exec:a npx:p bunx:
uvx: busybox: corepack: unshare: systemd-run:pEtM cross-env: chronic: caffeinate: arch: dotenv:ev watchexec:ewf entr: unbuffer: watch:n
parallel:j flock: strace:eo ltrace:eo fvm: xvfb-run:nes fakeroot: rlwrap: nix-shell:pAI sail: ddev: lando: chroot: nodemon:ewx setarch:
torsocks: proxychains: taskset: chrt: pkexec:u setpriv: firejail: prlimit:`
    .split(/\s/)
    .map((each) => each.split(':') as [string, string]),
);
const LONG_WITH_VALUE =
  /^--(?:package|with|python|extra|env-file|project|directory|filter|workspace|prefix|user|group|chdir|unset|signal)$/;
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
const SHELL_NAMES = /^(?:ba|z|da|k|fi|a)?sh$/;

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
  const again = (inner: string[], input = draft.input) =>
    started({ words: inner, writes: [], input, piped: draft.piped }, line, depth + 1);
  const script = (text: string) => {
    if (text.trim() === UNKNOWN || text.startsWith(UNKNOWN)) line.isWhole = false;
    new ShellReader(text, line, depth + 1, started).read(null);
  };
  // No program is called so: `watch 'git push'` and `npx -c 'x y'` hand on a line.
  if (/\s/.test(first)) return script(first);
  const program = programOf(first);
  const input = TAKES_COMMANDS.test(program) ? (draft.input ?? draft.piped?.join(' ')) : undefined;
  // Whatever option would take the text as a word is there too.
  line.commands.push({ words: [program, ...words.slice(1), ...(input ? ['-c', '-e', input] : [])], writes, folder });
  // Of a pattern (`g?t`) only the shell knows what it names.
  if (program === '' || /[*?[{\ufffc]/.test(program.replace(/^\[\[?$/, '-'))) line.isWhole = false;
  if (depth > MAX_DEPTH) {
    line.isWhole = false;
    return;
  }
  if (program === 'git' && words.some((word) => /^(?:rebase|difftool|filter-branch)$/.test(word)))
    for (const text of valuesOf(words, /^(?:-x|--exec|--extcmd|--[a-z]+-filter)$/)) script(text);
  // `git -c alias.x='!y' x`
  if (program === 'git')
    for (const alias of words.filter((word) => /^alias\.[^=]+=/.test(word))) {
      const [, own, text = ''] = /^[^=]+=(!?)(.*)$/s.exec(alias) ?? [];
      script(own ? text : `git ${text} ${words.slice(words.indexOf(alias) + 2).join(' ')}`);
    }
  if (/^[gmn]?awk$/.test(program))
    for (const [, text = ''] of words.join('\n').matchAll(/(?:system\s*\(|\|)\s*"((?:[^"\\]|\\.)+)"/g)) script(text);
  if (/^(?:cd|pushd|popd)$/.test(program)) return enter(program, words[1] ?? '~', line);
  if (SHELL_NAMES.test(program)) return shell(words, draft, { line, script });
  if (/^(?:at|batch)$/.test(program)) return shell([program], draft, { line, script });
  if (program === 'eval') return script(words.slice(1).join(' '));
  if (program === 'trap') return script(words[1] ?? '');
  if (/^(?:tmux|screen|concurrently|hyperfine|su|runuser|script)$/.test(program)) {
    for (const word of words.slice(1)) if (/\s/.test(word) || program === 'su') script(word);
    again(afterOptions(words.slice(program === 'tmux' ? 2 : 1), program === 'runuser' ? 'ugGscw' : 'stncFxyeS'));
    return;
  }
  if (program === 'ssh') {
    const rest = afterOptions(words.slice(1), 'BbcDEeFIiJLlmOopQRSWw').slice(1);
    if (rest.length > 0) script(rest.join(' '));
    return;
  }
  if (/^(?:find|fd)$/.test(program)) {
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
  const isScript = INTERPRETERS.test(program) && /^[^-]/.test(words[1] ?? '');
  const contained = isScript ? words.slice(1) : inContainer([program, ...words.slice(1)]);
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
  const options = runner === undefined ? WRAPPERS.get(program) : '';
  if (options === undefined) return;
  const rest = withoutAssignments(afterOptions(words.slice(runner ?? 1), options));
  const wrapped = /^(?:timeout|flock|taskset|chrt|chroot)$/.test(program) ? afterOptions(rest.slice(1), options) : rest;
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

function afterOptions(words: readonly string[], withValue: string): string[] {
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at] as string;
    if (word === '--') return words.slice(at + 1);
    if (!word.startsWith('-') || word === '-') break;
    if (LONG_WITH_VALUE.test(word)) at += 1;
    const last = word.startsWith('--') ? '' : (word.at(-1) as string);
    if (last !== '' && word.length === 2 && withValue.includes(last)) at += 1;
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
