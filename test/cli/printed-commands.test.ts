import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { accepted, openLibrary, proposed } from '../support/open-library.ts';
import { bearings, environment, type Place, startBinary } from '../support/process/binary.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const root = tempFolder();
const place: Place = { home: join(root, 'person'), cwd: join(root, 'person/site') };
const run = (...args: string[]) => bearings(place, ...args);

// Where a message goes on in words after the command: only the command is printed as one.
const ENDS =
  /\s+(?:·|#|\||—|and|or|to|in|on|is|it|was|for|of|with|that|then|so|as|if|see|set|what|puts?|takes?|tells?|looks?|goes|gives?|asks?|says?|writes?|decide|serve|again|once|only|names?|lists?|measures?|shows?|has|alone|beside|where|without|by|at)(?:\s|$)|[.,;:)]+(?:\s|$)|\s\(|\s{2,}|\s&&\s|\s>|<\//;
// What stands for something else, and what it stands for here.
const FILLED: Readonly<Record<string, string>> = {
  ID: 'manta_001',
  NAME: 'something_new',
  FILE: 'task.xml',
  TEMPLATE: 'task.xml',
  DIR: '.',
  TEXT: 'door',
  WORDS: 'door',
  RUN: 'last',
  WB: 'WB',
  URL: '',
};
// Servers, and what needs a person's terminal from its first word or a machine that is not here.
const NOT_RUN =
  /^bearings (?:runs worker|ui|demo$|mcp --http|install (?:NAME|CLIENT)|runs watch|runs answer|sessions end)/;

interface Printed {
  line: string;
  where: string;
}

function sourceTexts(): Printed[] {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
  return files.flatMap((path) => {
    const found: Printed[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) found.push({ line: node.text, where: path });
      else if (ts.isTemplateExpression(node)) {
        const spans = node.templateSpans.map(({ literal }) => `\${}${literal.text}`);
        found.push({ line: node.head.text + spans.join(''), where: path });
      }
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX));
    return found;
  });
}

function docTexts(): Printed[] {
  const pages = [
    ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`),
    'README.md',
    'skills/bearings/SKILL.md',
  ];
  return pages
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) => {
      const text = readFileSync(join(ROOT, name), 'utf8');
      return [...text.matchAll(/`(bearings [^`\n]+)`/g)].map(([, line = '']) => ({ line, where: name }));
    });
}

/** Every command with its words, each once, and the first place that prints it. Usage lines are forms of one, not commands. */
function printedCommands(): Map<string, string> {
  const commands = new Map<string, string>();
  for (const { line, where } of [...sourceTexts(), ...docTexts()])
    for (const [, rest = ''] of line.matchAll(/\bbearings ([a-z][^\n`']*)/g)) {
      const command = (rest.split(ENDS)[0] ?? '').trim();
      if (!Object.hasOwn(COMMANDS, command.split(/\s/)[0] ?? '') || /[|[\]<>]|\.\.\./.test(command)) continue;
      const printed = `bearings ${command}`;
      if (!commands.has(printed)) commands.set(printed, where.replace(`${ROOT}/`, ''));
    }
  return commands;
}

// The last option of a sentence has its value in the words after it.
async function wordsOf(line: string): Promise<string[]> {
  const filled = line.replaceAll('${}', 'x').replaceAll('…', 'something');
  const words = [...filled.matchAll(/"([^"]*)"|([^\s"]+)/g)]
    .slice(1)
    .map(([, quoted, word = '']) => quoted ?? FILLED[word] ?? word);
  const { command } = (await COMMANDS[words[0] ?? '']?.load()) ?? {};
  const last = command?.options[(words.at(-1) ?? '').replace(/^--/, '')];
  return last?.type === 'string' ? [...words, 'x'] : words;
}

async function sandbox(): Promise<void> {
  put(place.home, {
    'site/AGENTS.md': 'rules\n',
    'site/README.md': 'The colour of the door.\n',
    'site/notes.md': 'A note.\n',
    'site/colour.md': 'blue\n',
    'site/docs/a.md': 'the colour of the door\n',
    'site/site/AGENTS.md': 'rules\n',
    'site/task.xml':
      '<task type="atomic"><description>Say what the door is</description><inputs><input name="topic">x</input></inputs></task>',
    'mem0.json': '[]',
  });
  for (const name of ['digest.xml', 'sum.xml'])
    put(place.home, { [`site/${name}`]: readFileSync(join(place.home, 'site/task.xml'), 'utf8') });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd: place.cwd,
      env: environment(place),
      stdio: 'ignore',
    });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'the colour of the door');
  run('init');
  for (const id of ['manta_001', 'manta', 'a', 'old', 'w']) run('init', id);
  for (const name of ['_default', 'underwater', 'wildlife']) run('edit', 'tastes', name);
  const library = openLibrary(place.home, { cwd: place.cwd as string });
  await accepted(library, 'The white balance runs cool.\n\nThe door is blue.');
  await proposed(library, 'Waits for you.');
  run('load', '--task', 'the door', '--out', 'bundle.json', '--receipt', 'new_session');
  run('load', '--task', 'the colour', '--out', 'before.json');
  run('load', '--task', 'the door', '--out', 'after.json');
  run('run', 'task.xml');
  run('demo', '--examples', 'examples');
}

describe('S every command that a message, the help or a page prints', () => {
  it('S M31 is taken as printed: its name, its options, its words', async () => {
    await sandbox();
    const refused: string[] = [];
    let count = 0;
    for (const [line, where] of printedCommands()) {
      if (NOT_RUN.test(line)) continue;
      count += 1;
      const { code, stderr } = run(...(await wordsOf(line)));
      // Not understood is one thing; that what it names is not here is another.
      const isMisread =
        code === null ||
        /There is no (?:command|option)|takes? no value|needs a value|too many words|takes at most|knows? only/i.test(
          stderr,
        ) ||
        stderr.includes('    at ');
      if (isMisread) refused.push(`${where}: ${line} → ${code} ${stderr.trim()}`);
    }
    console.log(`printed commands: ${count} run`);
    expect(refused).toEqual([]);
    expect(count).toBeGreaterThan(150);
  });

  it('S M31 a template with a program that is not allowed names the file as it was given', () => {
    put(place.home, { 'site/s.xml': readFileSync(join(ROOT, 'examples/tasks/with-program.xml')) });
    const { code, stderr } = run('run', 's.xml');
    expect([code, stderr]).toEqual([3, expect.stringContaining('bearings check --allow s.xml')]);
  });

  it('S the page and the servers that messages name start as printed', async () => {
    const { child, ended } = startBinary(['ui', '--no-open'], { cwd: place.cwd as string, env: environment(place) });
    await new Promise<void>((done) => {
      for (const stream of [child.stdout, child.stderr]) stream.once('data', () => done());
    });
    child.kill('SIGINT');
    expect((await ended).stderr).not.toContain('There is no');
  });
});
