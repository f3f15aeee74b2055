import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseBrief } from '../src/memory/brief-and-notes.ts';
import { FORMS } from './reference/pages.ts';
import {
  agent,
  BINARY,
  bearings,
  environment,
  linked,
  onTerminal,
  type Place,
  STARTED,
} from './support/process/binary.ts';
import { put, tempFolder } from './support/temp-folder.ts';

const root = tempFolder();
const place: Place = { home: join(root, 'person'), cwd: join(root, 'repository') };
const page = readFileSync(new URL('../docs/reference/files.md', import.meta.url), 'utf8');

// What the product writes when it is used, whatever the page says: every file must have its place on the page, and
// every field in it a row.
it('M2 every file that a busy day leaves behind is told in the reference, field by field', async () => {
  await busyDay();
  const strangers: string[] = [];
  const unknownFields = new Set<string>();
  for (const path of filesIn(root)) {
    const form = formOf(path);
    if (!form) strangers.push(path);
    else if (/\.jsonl?$/.test(path) && form.type) {
      const section = sectionOf(form.title);
      for (const record of recordsIn(join(root, path)))
        for (const field of Object.keys(record))
          if (!section.includes(`\`${field}\``) && !isFree(form.title)) unknownFields.add(`${form.title}: ${field}`);
    }
  }
  expect(strangers).toEqual([]);
  expect([...unknownFields]).toEqual([]);
  // The day was busy enough to mean something.
  for (const title of [
    'Ledger',
    'Person key',
    'Links',
    'Run journal',
    'Receipt',
    'Installs',
    'MCP token',
    'Transcript',
  ])
    expect(
      filesIn(root).filter((path) => formOf(path)?.title === title),
      title,
    ).not.toEqual([]);
});

it('M8 L6 the examples of the page are what their readers take', () => {
  const exampleOf = (title: string) => (FORMS.find((form) => form.title === title)?.example?.lines ?? []).join('\n');
  expect(parseBrief(exampleOf('Brief')).brief.tastes).toEqual(['underwater', 'wildlife']);
  expect(parse(exampleOf('Adapters of the home')).adapters[0].name).toBe('work');
  const folder = join(root, 'examples');
  put(folder, {
    'AGENTS.md': 'rules\n',
    'work.json': exampleOf('Adapter answer'),
    'list.jsonl': exampleOf('List of inputs'),
    '.bearings/policy.yaml': 'extends: repo\nadapters: [{name: work, kind: file, path: work.json}]\n',
    'each.xml':
      '<task type="reduce"><description>Each</description><inputs><input name="list"/></inputs><inner_task><description>{{item}}</description></inner_task><reduction_task><description>All</description></reduction_task></task>',
  });
  const there = { home: join(root, 'person'), cwd: folder };
  const { adapters } = JSON.parse(bearings(there, 'load', '--task', 'contrast', '--adapter', 'work', '--json').stdout);
  expect(adapters[0]).toMatchObject({ status: 'loaded', items: 1, selected: 1, fetched_at: '2026-11-15T10:00:00Z' });
  expect(bearings(there, 'run', 'each.xml', '--inputs', 'list=list.jsonl', '--json').code).toBe(0);
});

async function busyDay(): Promise<void> {
  put(place.cwd as string, {
    'AGENTS.md': 'rules\n',
    'docs/a.md': 'the colour of the door\n',
    'task.xml': '<task type="atomic"><description>Say what the door is</description></task>',
  });
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd,
      env: environment(place),
      stdio: 'ignore',
    });
  git(place.cwd as string, 'init', '-q');
  git(place.cwd as string, 'add', '-A');
  git(place.cwd as string, 'commit', '-qm', 'start');
  const run = (...args: string[]) => bearings(place, ...args);
  run('init');
  run('init', 'manta_001');
  run('edit', 'tastes', '_default');
  run('propose', 'notes', 'manta_001', '--content', 'The door is blue.');
  run('propose', 'taste', '--category', 'value', '--content', 'Say it short.');
  run('propose', 'notes', '--content', 'Only here.');
  await onTerminal(
    place,
    ['review'],
    [
      { after: '[a]ccept', type: 'a\n' },
      { after: '[a]ccept', type: 'a\n' },
      { after: '[a]ccept', type: 'q\n' },
    ],
  );
  const { call } = await agent(place, { args: ['--workspace', 'manta_001'] });
  await call('read_context');
  await call('log_operation', { op: 'look', details: { at_what: 'door' } });
  await call('log_vocabulary_gap', { description: 'no word for teal' });
  await call('propose_notes_update', { content: 'Set aside at the end.' });
  await call('end_session');
  run('match', 'the colour of the door');
  run('load', '--task', 'the door', '--receipt', 'pre_mutation', '--tactical');
  run('doctor', 'index');
  run('run', 'task.xml');
  git(place.cwd as string, 'worktree', 'add', '-q', join(root, 'worktree'));
  bearings({ ...place, cwd: join(root, 'worktree') }, 'workspaces', 'link', place.cwd as string);
  await onTerminal(linked(place), ['install', 'cursor'], [{ after: '?', type: 'y\n' }]);
  run('verify');
  await untilSaid(['mcp', '--http', '--port', '0'], 'Serving');
  await untilSaid(['ui', '--no-open'], 'code');
}

// Starts a server, waits for its first word, ends it.
function untilSaid(args: string[], word: string): Promise<void> {
  const child = spawn(process.execPath, [...STARTED, BINARY, ...args], { cwd: place.cwd, env: environment(place) });
  return new Promise((resolve) => {
    const see = (data: Buffer) => {
      if (String(data).includes(word)) child.kill('SIGINT');
    };
    child.stdout.on('data', see);
    child.stderr.on('data', see);
    child.on('close', () => resolve());
  });
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !isOurs(path));
}

// What the test put there, what git keeps, and a client's own file.
function isOurs(path: string): boolean {
  return (
    (/(^|\/)\.git(\/|$)/.test(path) && !path.endsWith('bearings-link')) ||
    /^(repository|worktree)\/(?!\.bearings\/)/.test(path) ||
    path.startsWith('examples/') ||
    /^person\/(?!\.bearings\/|\.cache\/)/.test(path)
  );
}

const PLACES = { home: 'person/.bearings', cache: 'person/.cache/bearings', repository: '(?:repository|worktree)' };

function formOf(path: string) {
  return FORMS.find(({ places }) => places.some((place) => patternOf(place).test(path)));
}

function patternOf(place: string): RegExp {
  const source = place
    .replace('<workspace>', `(?:${PLACES.home}/workspaces/[^/]+|${PLACES.repository}/\\.bearings)`)
    .replace('<home>', PLACES.home)
    .replace('<cache>', PLACES.cache)
    .replace('<repository>/.bearings', `${PLACES.repository}/\\.bearings`)
    .replace('<repository>/.git', `${PLACES.repository}/\\.git(?:/worktrees/[^/]+)?`)
    .replaceAll('**', '.+')
    .replace(/(?<![\]+])\*/g, '[^/]+');
  return new RegExp(`^${source}$`);
}

function sectionOf(title: string): string {
  const [, rest = ''] = page.split(`\n### ${title}\n`);
  return rest.split(/\n##+ /)[0] ?? '';
}

function recordsIn(path: string): Record<string, unknown>[] {
  const text = readFileSync(path, 'utf8');
  const values: unknown[] = path.endsWith('.jsonl')
    ? text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [JSON.parse(text)].flat();
  return values.filter((value) => typeof value === 'object' && value !== null) as Record<string, unknown>[];
}

// A log line holds whatever was told; what is derived is nobody's to read.
const isFree = (title: string): boolean => ['Log', 'Index in the cache'].includes(title);
