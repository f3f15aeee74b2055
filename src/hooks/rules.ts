import { orNull } from '../errors.ts';
import type { Rule } from '../memory/rules.ts';
import { hasWildcard, matcherOf, parseGlob, type Token } from '../project/pattern.ts';
import { afterOptions, areOptions, INTERPRETERS, isRunner, programOf, splitShell, valuesOf } from './shell-commands.ts';
import { rootsOf, type ShellCommand, UNKNOWN, withoutDot } from './shell-reader.ts';

export { splitShell };

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
    ...use.edits.map((forms) => ({ forms, whole: false, sweeps: false })),
    ...(line ? shellEdits(line.commands) : []).map((edit) => ({ ...edit, forms: pathForms(edit.path, edit.folder) })),
  ];
  const commands = (line?.commands ?? []).map(({ words }) => words.flatMap(withoutBraces));
  const speaks = (rule: R): Rule['decision'] | undefined => {
    const isAsked = (pattern: string) => commands.some((words) => mayMatch(pattern, words));
    const isSwept = (pattern: string) =>
      /\/\**$/.test(pattern) && edits.some(({ forms, sweeps }) => sweeps && matchesPath(pattern, forms, true));
    const isNamed = (pattern: string) =>
      rule.about === 'command'
        ? commands.some((words) => matchesCommand(pattern, words))
        : edits.some(({ forms, whole, sweeps }) => !sweeps && matchesPath(pattern, forms, whole));
    if (rule.patterns.some(isNamed)) return rule.decision;
    return rule.patterns.some(rule.about === 'command' ? isAsked : isSwept) ? 'ask' : undefined;
  };
  const found = rules.map((rule) => ({ rule, decision: speaks(rule) }));
  const strict = found.find(({ decision }) => decision === 'deny') ?? found.find(({ decision }) => decision);
  if (strict?.decision) return { rule: strict.rule, decision: strict.decision };
  const isUnclear = line !== null && !line.isWhole && rules.some(({ about }) => about === 'command');
  return isUnclear ? { decision: 'ask', rule: null } : null;
}

// Whether a value that only the shell knows could make it the pattern: nothing, a space, or what is left of a word of the pattern.
function mayMatch(pattern: string, words: readonly string[]): boolean {
  const isOpen = (word: string, at: number) =>
    /\S[\ufffc]|[\ufffc]\S/.test(word) ? !/\s/.test(word) : at === 1 && word === UNKNOWN;
  if (!words.some(isOpen)) return false;
  const all = splitShell(pattern.replaceAll('$', '\\$')).commands.flatMap((command) => command.words);
  const wanted = all.slice(all.lastIndexOf(words[0] ?? '') + 1);
  const filled = words.map((word, at) => {
    if (!isOpen(word, at)) return word;
    const known = word.replaceAll(UNKNOWN, '');
    const fits = (each: string) =>
      wordMatches(word.replaceAll(UNKNOWN, '*'), each) && each[0] === (known[0] === '-' ? '-' : each[0]);
    return wanted.find(fits) ?? known;
  });
  const split = words.flatMap((word, at) =>
    isOpen(word, at) ? word.split(UNKNOWN).filter((part) => part !== '') : word,
  );
  return matchesCommand(pattern, filled) || matchesCommand(pattern, split);
}

// The program, its sub-command, then the other words in order; options anywhere, short ones also in one bundle.
export function matchesCommand(pattern: string, words: readonly string[]): boolean {
  const { commands } = splitShell(pattern.replaceAll('$', '\\$'));
  const [first] = commands;
  // `npx x` and `uv run x` are x, whatever starts it.
  const own = first && isRunner(first.words) ? commands.at(-1) : first;
  const wanted = plainWords(own?.words ?? []).filter((word, at, all) => !(word === '*' && at === all.length - 1));
  const texts = [...pattern.matchAll(/"([^"]+)"|'([^']+)'/g)].map(([, double, single]) => double ?? single);
  const plain = plainWords(words);
  // `pnpm x y` starts what x is called in node_modules.
  const isStarted = wanted.length > 1 && /^(?:pnpm|yarn|bun)$/.test(plain[0] ?? '') && wanted[0] !== plain[0];
  // `python manage.py x` is also `./manage.py x`, and `php artisan x` `./artisan x`.
  const isScript = INTERPRETERS.test(wanted[0] ?? '') ? /^[^-]/ : /^[^-].*\.\w+$/;
  const script = isScript.test(wanted[1] ?? '') ? plainWords(wanted.slice(1)) : [];
  return matchesWords(wanted, isStarted ? plain.slice(1) : plain, texts) || matchesWords(script, plain, texts);
}

function matchesWords(
  [program, ...rest]: readonly string[],
  given: readonly string[],
  texts: readonly (string | undefined)[],
): boolean {
  // `-hname` is `-h name`.
  const glued = rest.map((word, at) => (/^-[A-Za-z]$/.test(rest[at - 1] ?? '') ? rest[at - 1] + word : ''));
  const words = given.flatMap((word) =>
    glued.includes(word) && word !== '' ? [word.slice(0, 2), word.slice(2)] : word,
  );
  if (program === undefined || words[0] === undefined || !programMatches(program, words[0])) return false;
  const options = words.filter((word) => word.startsWith('-') && word !== '-');
  const isOption = (word: string) => word.startsWith('-') && word.length > 1;
  if (!rest.filter(isOption).every((option) => hasOption(option, options))) return false;
  // After an option of the pattern a word is an argument, wherever it is.
  const firstOption = rest.findIndex(isOption);
  let at = 1;
  for (const [index, word] of rest.entries()) {
    if (isOption(word) || word === '*') continue;
    const isSubcommand = index === 0 && firstOption !== 0 && !/[/.*=:\s]/.test(word) && !MANY_TARGETS.test(program);
    const isShort = (each: string) =>
      isSubcommand && ABBREVIATES.test(program) && each.length > 1 && word.startsWith(each);
    const found = words.findIndex(
      (each, place) =>
        place >= at &&
        !isOption(each) &&
        (nameMatches(word, each) ||
          word === samePlace(each) ||
          isShort(each) ||
          (texts.includes(word) && isPart(word, each))),
    );
    if (found === -1 || (isSubcommand && !areOptions(words.slice(1, found)))) return false;
    at = /\s/.test(words[found] as string) ? found : found + 1;
  }
  return true;
}

/** Each of their words is a task of its own. */
const MANY_TARGETS = /^(?:g?make|ninja|gradle|mvn|ant|sbt|rake|just|task|invoke|inv|turbo)$/;
/** Take the beginning of a sub-command for it: `npm pub`, `composer up`. */
const ABBREVIATES = /^(?:npm|composer|artisan|console|hg|ip|vagrant)$/;
const tableOf = (text: string): ReadonlyMap<string, readonly string[]> =>
  new Map(text.split(/,\s*/).map((row) => [row.split(' ')[0] as string, row.split(' ').slice(1)]));
// Other names of a sub-command; of `docker container rm` and `pnpm run x` a word says nothing.
const SUBCOMMANDS = tableOf(
  `npm i=install in=install add=install rm=uninstall un=uninstall remove=uninstall t=test run-script=run,
pnpm i=install rm=remove un=remove uninstall=remove run=,bun i=install rm=remove un=remove uninstall=remove run=,yarn run=,
docker container= remove=rm,podman container= remove=rm,gcloud alpha= beta=,helm delete=uninstall del=uninstall un=uninstall,
fastlane ios= android= mac=,composer i=install u=update r=require`,
);
// Kinds that `kubectl` takes under a short name, in the plural, with their group, and as `kind/name`.
const KINDS = tableOf(
  `namespace ns,node no,pod po,service svc,deployment deploy,daemonset ds,statefulset sts,replicaset rs,configmap cm,secret,
job,cronjob cj,ingress ing,persistentvolume pv,persistentvolumeclaim pvc,serviceaccount sa,customresourcedefinition crd,networkpolicy netpol`,
);

function kindIn(word: string): string[] {
  const [, named = '', name] = /^([a-z]+)(?:\.[a-z\d.]+)?(?:\/(.+))?$/.exec(word) ?? [];
  const forms = [named.replace(/ies$/, 'y'), named.replace(/s$/, ''), named.replace(/es$/, '')];
  const kind = [...KINDS].find(([long, short]) => forms.some((form) => form === long || short.includes(form)));
  return kind ? [kind[0], ...(name === undefined ? [] : [name])] : [word];
}

const OTHER_NAMES = [
  [/\.(?:py|sh|rb|pl|bat|cmd)$|-cli$|(?<=^apt)-get$|(?<=^(?:gradle|mvn))w$/, ''],
  [/^sls$/, 'serverless'],
  [/^valkey(?:-cli)?$/, 'redis'],
] as const;

// One way to say what a program takes in several.
function plainWords([first = '', ...said]: readonly string[]): string[] {
  const program = OTHER_NAMES.reduce((name, [from, to]) => name.replace(from, to), programOf(first));
  // `docker-compose`, `git-lfs`, `dotnet-ef`
  const composed = /^(docker|podman|git|cargo|dotnet)-([a-z-]+)$/.exec(program);
  if (composed) return plainWords([composed[1] as string, composed[2] as string, ...said]);
  if (program === 'uv' && said[0] === 'pip') return plainWords(said);
  const rest = said.flatMap((word) => /^(--?[A-Za-z][\w-]*)=(.*)$/s.exec(word)?.slice(1) ?? [word]);
  // Whatever manager publishes, it is the same registry.
  const publish = rest.indexOf('publish');
  const isPublish = publish !== -1 && areOptions(rest.slice(rest[0] === 'npm' ? 1 : 0, publish));
  if (isPublish && /^(?:pnpm|yarn|bun)$/.test(program)) return ['npm', ...rest.filter((word) => word !== 'npm')];
  if (/^(?:kubectl|oc)$/.test(program)) return [program, ...rest.flatMap(kindIn)];
  if (program === 'systemctl') return [program, ...rest.map((word) => word.replace(/\.service$/, ''))];
  if (program === 'git' && rest.includes('push')) return [program, ...rest.flatMap(pushed)];
  if (program === 'git' && rest.includes('branch') && hasOption('-d', rest) && hasOption('-f', rest)) rest.push('-D');
  if (/^(?:p?kill|killall)$/.test(program)) return [program, ...signalled(rest)];
  if (program === 'yarn' && rest[0] === 'workspace') return plainWords([first, ...rest.slice(2)]);
  if (/^(?:docker|podman)$/.test(program) && rest[0] === 'image')
    return plainWords([first, (rest[1] ?? '').replace(/^(?:rm|remove)$/, 'rmi'), ...rest.slice(2)]);
  if (program === 'gradle') return [program, ...rest.map((word) => word.slice(word.lastIndexOf(':') + 1))];
  const names = new Map(SUBCOMMANDS.get(program)?.map((pair) => pair.split('=') as [string, string]));
  return [program, ...rest.map((word) => names.get(word) ?? word).filter((word) => word !== '')];
}

// `+a:b` forces b, `:b` deletes it.
function pushed(word: string): string[] {
  const [, plus, from, to] = /^(\+?)([^:]*):?([^:]*)$/.exec(word) ?? [];
  if (to === undefined || word.startsWith('-')) return [word];
  const name = (to || from || '').replace(/^refs\/heads\//, '');
  return [name, ...(plus === '' ? [] : ['--force']), ...(from === '' && to !== '' ? ['--delete'] : [])];
}

const SIGNALS: Readonly<Record<string, string>> = { HUP: '1', INT: '2', QUIT: '3', KILL: '9', TERM: '15' };

// `-s KILL`, `--signal=KILL`, `-SIGKILL` and `-9` are one signal.
function signalled(words: readonly string[]): string[] {
  const name = /(?<=^| )(?:-s |--signal[ =]|-)(?:SIG)?(HUP|INT|QUIT|KILL|TERM|\d+)(?= |$)/g;
  const said = words.join(' ').replace(name, (_, signal) => `-${SIGNALS[signal] ?? signal}`);
  return said.split(' ').filter((word) => word !== '');
}

// Letters that most programs take for these.
const LONG_FORMS = tableOf(
  `f force full-refresh file filename,h host,r recursive,R recursive,g global,a all,A all,c command,e eval execute,d delete detach,
i interactive in-place,k insecure,n no-verify dry-run,s stage,t tag,m message,F flush,X delete-chain,U upgrade,p prod prune,
u update update-snapshot,v volumes,w write watch,y yes`,
);

function hasOption(wanted: string, options: readonly string[]): boolean {
  // `--updateSnapshot` is `--update-snapshot`.
  const names = options.map((option) =>
    option.replace(/(?<=^--.*[a-z])[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  );
  const same = (option: string) =>
    wordMatches(wanted, option) || (wanted.length > 2 && option.replace(/^--/, '-') === wanted.replace(/^--/, '-'));
  if ([...options, ...names].some(same)) return true;
  // A letter with its value beside it (`-i.bak`) is one; letters alone are a bundle.
  const bundled = options.map((option) => /^-(?:[A-Za-z]+$|[A-Za-z](?=\W))/.exec(option)?.[0] ?? '').join('');
  const has = (letter: string) => bundled.includes(letter) || (letter === 'r' && bundled.includes('R'));
  if (/^-[A-Za-z]+$/.test(wanted))
    return [...wanted.slice(1)].every(
      (letter) => has(letter) || LONG_FORMS.get(letter)?.some((name) => names.includes(`--${name}`)),
    );
  return [...LONG_FORMS].some(([letter, long]) => long.includes(wanted.slice(2)) && bundled.includes(letter));
}

// `//`, `/.` and `/*` are the folder itself to whatever goes through all that is in it.
function samePlace(word: string): string {
  if (!/^[/~.]/.test(word)) return word;
  const folder = word.replace(/\/+/g, '/').replace(/\/[.*]$/, '/');
  return folder.replace(/(?<=.)\/$/, '');
}

// `python` is also `python3.12`.
const programMatches = (pattern: string, word: string): boolean =>
  nameMatches(pattern, word) || nameMatches(pattern, word.replace(/(?<=[a-z])-?\d[\d.]*$/, ''));

// Some programs take their words in capitals too (`FLUSHALL`, `DROP`); a plain word means both. Of a longer text, such as SQL, a part.
function nameMatches(pattern: string, word: string): boolean {
  const isSame = /^(?:[a-z]+|[A-Z]+)$/.test(pattern) && pattern.toLowerCase() === word.toLowerCase();
  const isText = /\s/.test(word) && /\s|^[A-Z]+$/.test(pattern);
  return isSame || wordMatches(pattern, word) || (isText && isPart(pattern, word));
}

const isPart = (pattern: string, text: string): boolean =>
  ` ${text} `.replace(/\W+/g, ' ').toLowerCase().includes(` ${pattern} `.replace(/\W+/g, ' ').toLowerCase());

// `*` and `?` in a word; each star takes as little as it can: no longer than the product of both lengths.
function wordMatches(pattern: string, word: string): boolean {
  const tokens = Array.from(
    pattern,
    (char): Token => (char === '*' ? char : (other) => char === '?' || char === other),
  );
  return matcherOf(tokens, pattern)(word);
}

/** A glob as people write it: a bare name is meant at any depth, a folder with all that is in it. `whole`: a folder goes, or is written
 *  into, with all that is in it; a shell's own pattern stands for what it may name. */
export function matchesPath(pattern: string, forms: readonly string[], whole = false): boolean {
  const { root, rest } = rooted(pattern.replace(/^\.\//, '').replace(/\/$/, ''));
  const anywhere = root !== '' || rest.includes('/') ? [rest] : [rest, `**/${rest}`];
  // A pattern that leaves the project names nothing in it.
  const globs = anywhere.flatMap((each) => [each, `${each}/**`]).map((each) => orNull(() => parseGlob(each)));
  return forms
    .map(rooted)
    .filter((form) => form.root[0] === root[0])
    .some((form) => globs.some((glob) => glob?.matches(form.rest)) || mayName(rest.split('/'), form.rest, whole));
}

// A path from the root or the person's folder, and one from the project's.
function rooted(path: string): { root: string; rest: string } {
  const [root = ''] = /^[/~]\/?/.exec(path) ?? [];
  return { root, rest: path.slice(root.length) };
}

// Name by name: a pattern of the shell against one of the rule, and what is above the rule's files where whole folders are meant.
function mayName(wanted: readonly string[], form: string, whole: boolean): boolean {
  const names = form.split('/');
  for (const [at, name] of names.entries()) {
    const part = wanted[at];
    if (part === undefined) return hasWildcard(form);
    if (part === '**') return at > 0;
    if (part !== name && !wordMatches(name, part) && !mayBothName(name, part)) return false;
  }
  return (whole && names.length <= wanted.length) || (hasWildcard(form) && names.length === wanted.length);
}

// Two patterns with stars can name the same when neither their beginnings nor their ends differ.
function mayBothName(one: string, other: string): boolean {
  if (!one.includes('*') || !other.includes('*')) return false;
  const [head, otherHead] = [one.slice(0, one.indexOf('*')), other.slice(0, other.indexOf('*'))];
  const [tail, otherTail] = [one.slice(one.lastIndexOf('*') + 1), other.slice(other.lastIndexOf('*') + 1)];
  return (
    (head.startsWith(otherHead) || otherHead.startsWith(head)) && (tail.endsWith(otherTail) || otherTail.endsWith(tail))
  );
}

const EVERY_ARGUMENT =
  /^(?:rm|rmdir|unlink|tee|touch|truncate|shred|chmod|chown|chgrp|patch|vim?|nvim|nano|emacs|ed|ex|dos2unix|gzip|gunzip|sponge)$/;
const ONLY_READS = /^(?:(?:gzip|gunzip) .*-[a-z]*[clt]|n?vim? .*-R)/;
const INTO_THE_LAST = /^(?:cp|mv|ln|install|rsync|scp)$/;
const GIT_EDITS = /^(?:rm|mv|checkout|restore|clean)$/;
// An option that names the file or folder that is written: of these programs, and of most others.
const TARGETS: Readonly<Record<string, RegExp>> = {
  wget: /^(?:-O|-P|--output-document|--directory-prefix)$/,
  tar: /^(?:-C|--directory)$/,
  unzip: /^-d$/,
  ...{ pg_dump: /^(?:-f|--file)$/, 'ssh-keygen': /^-f$/ },
  git: /^--directory$/,
};
const UNPACKS = /^(?:[a-zA-Z]*x[a-zA-Z]*( |$)|(?:.* )?(?:-[a-zA-Z]*x|--extract|--get))/;
const OUTPUT = /^(?:-o|--?(?:\w+_|key)?out(?:put)?-?(?:[Ff]ile|[Dd]ir|[Pp]ath|directory)?)$/;
const OTHER_OUTPUT = /^(?:[ef]?grep|rg|find|ls|ps|ssh|scp|mount|set|shopt|test|\[)$/;
// Formatters pass over much of what lies in a folder: only what is named counts.
const REWRITES = /^(?:prettier|eslint|biome|ruff|black|isort|stylelint|rubocop|gofmt|goimports|clang-format)$/;
const IN_SOURCE = /^(?:-w|-i|-a|-A|--write|--fix|--autocorrect(?:-all)?)$/;
const IN_PLACE = /^-[a-zA-Z]*i|^--in-place/;

// Files that a command line writes, as far as its words tell. `whole`: a folder, where it is one, goes or changes with all that is in it;
// `sweeps`: a formatter goes through it, and may pass over what lies there.
function shellEdits(commands: readonly ShellCommand[]) {
  return commands.flatMap(({ words, writes, folder }) => {
    const [program = '', ...rest] = words;
    const own = program === 'git' ? afterOptions(rest, 'Cc') : rest;
    const args = own.filter((word) => !word.startsWith('-') && !word.startsWith(UNKNOWN)).flatMap(withoutBraces);
    const edits = (paths: readonly string[], whole: boolean, sweeps = false) =>
      paths.flatMap(withGlobs).map((path) => ({ path, folder, whole, sweeps }));
    if (!REWRITES.test(program)) return [...edits(writes, false), ...edits(editedBy(program, own, args), true)];
    const does = /^(?:black|isort)$/.test(program) || args[0] === 'format' || rest.some((word) => IN_SOURCE.test(word));
    const isDry = rest.some((word) => /^--(?:check|diff|dry-run)$/.test(word));
    // `src/**/*.ts` is what lies in src, and `.` all that is here.
    const paths = does && !isDry ? args.map((path) => path.replace(/\/\*\*.*$/, '')) : [];
    const named = paths.filter((path) => !path.includes('*')).flatMap((path) => [path, `${path}/-`]);
    const swept = paths.map((path) => path.replace(/^(?:\.\/?|\*\*.*)$/, '*'));
    return [...edits([...writes, ...named], false), ...edits(swept, true, true)];
  });
}

// A file may be called so, too: `[id].tsx`.
function withGlobs(word: string): string[] {
  const all = [word, word.replace(/\[[^\]/]+\]/g, '?'), word.replaceAll(UNKNOWN, '') || word];
  return [...new Set(all.map(withoutDot))];
}

// `a.{js,ts}` is two files.
function withoutBraces(word: string): string[] {
  const [, head = '', inside, tail = ''] = /^(\S*?)\{([^{}\s]*,[^{}\s]*)\}(\S*)$/.exec(word.slice(0, 300)) ?? [];
  return inside === undefined ? [word] : inside.split(',').map((part) => head + part + tail);
}

function editedBy(program: string, rest: readonly string[], args: readonly string[]): readonly string[] {
  if (ONLY_READS.test([program, ...rest].join(' '))) return [];
  if (EVERY_ARGUMENT.test(program)) return args;
  if (INTO_THE_LAST.test(program)) return copied(program, rest, args);
  if (/^(?:sed|perl|ruby|yq)$/.test(program))
    return rest.some((word) => IN_PLACE.test(word)) ? withoutScript(rest) : [];
  if (/^[gmn]?awk$/.test(program)) {
    const printed = [...args.join('\n').matchAll(/>\s*"([^"\n]+)"/g)].map(([, path]) => path as string);
    return [...printed, ...(rest.includes('inplace') ? args.slice(2) : [])];
  }
  if (program === 'dd') return args.flatMap((word) => (word.startsWith('of=') ? [word.slice(3)] : []));
  if (program === 'find') {
    const names = valuesOf(rest, /^-i?name$/);
    const printed = valuesOf(rest, /^-f(?:print[0f]?|ls)$/);
    return rest.includes('-delete')
      ? rootsOf(rest).flatMap((root) => [root, ...names.map((name) => `${root}/${name}`)])
      : printed;
  }
  if (program === 'git' && GIT_EDITS.test(args[0] ?? '')) return /^-[bB]$/.test(rest[1] ?? '') ? [] : args.slice(1);
  if (program === 'tar' && !UNPACKS.test(rest.join(' '))) return [];
  return OTHER_OUTPUT.test(program) ? [] : valuesOf(rest, TARGETS[program] ?? OUTPUT);
}

// The files of `sed -i s/a/b/ file`: not what is done to them.
function withoutScript(rest: readonly string[]): string[] {
  const takesNext = (word = '') => /^-[a-zA-Z]*[ef]$|^--(?:expression|file)$/.test(word);
  const isGiven = rest.some((word) => takesNext(word) || /^--(?:expression|file)=/.test(word));
  const files = rest.filter((word, at) => word !== '' && !word.startsWith('-') && !takesNext(rest[at - 1]));
  return isGiven ? files : files.slice(1);
}

// What goes away (`mv`), and the folder or the file in it that comes.
function copied(program: string, rest: readonly string[], args: readonly string[]): string[] {
  const named = valuesOf(rest, /^(?:-t|--target-directory)$/)[0];
  const sources = named === undefined ? args.slice(0, -1) : args.filter((word) => word !== named);
  const to = named ?? args.at(-1);
  // `scp x host:y` writes elsewhere.
  if (to === undefined || (/^(?:scp|rsync)$/.test(program) && /^[^/]+:/.test(to))) return [];
  // A name with an ending is a file, as in `cp .env .env.old`.
  const isFile = named === undefined && sources.length < 2 && /[^/.]\.\w+$|^\.\w+\.\w/.test(to);
  const below = isFile
    ? []
    : sources.map((source) => `${to.replace(/\/$/, '')}/${source.replace(/\/$/, '').split('/').at(-1)}`);
  return [to, ...below, ...(program === 'mv' ? sources : [])];
}
