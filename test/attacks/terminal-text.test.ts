import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { isLong } from '../support/effort.ts';
import { decided, openLibrary, proposed } from '../support/open-library.ts';
import { person } from '../support/person.ts';
import { bearings, linked, onScreen, onTerminal, type Place, stdioServer } from '../support/process/binary.ts';
import { put } from '../support/temp-folder.ts';

// Clears the screen in both forms, turns the line around, rings, writes over it, and is a link to elsewhere.
const EVIL = '\u001b[2J\u009b2J\u202e\u2066\u0007\u001b]8;;http:x\u001b\\';
const RAW =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]|\r(?!\n)/;
const NAME = `clone${EVIL}`.replaceAll('/', '');
const { place, at } = person({ '.bearings/tastes/_default.md': '- calm\n' });

/** A clone that has escapes in every name and field it brings, and an agent that has them in all it says. */
async function hostileClone(): Promise<Place> {
  const clone = at(NAME);
  const record = JSON.stringify;
  put(clone, {
    [`docs/${NAME}.md`]: `# ${EVIL}\n\nabout the tide ${EVIL}\n`,
    'AGENTS.md': `Rules ${EVIL}\n`,
    [`${NAME}.xml`]: `<task type="atomic" model="${EVIL.slice(4, 8)}"><description>hello</description></task>`,
    'task.json': record({ type: 'atomic', name: EVIL, description: EVIL, model: EVIL, [EVIL]: 1 }),
    '.bearings/brief.md': `Tastes: ${NAME}\n\nBrief ${EVIL}\n`,
    '.bearings/notes.md': `Note ${EVIL}\n`,
    '.bearings/config.yaml': 'max_chars: 5000\n',
    '.bearings/policy.yaml': record({
      extends: 'repo',
      adapters: [{ name: 'board', kind: 'file', path: 'board.json' }],
      intents: [{ key: 'tides', words: [`tide${EVIL}`], include: [`docs/${NAME}*`] }],
    }),
    'board.json': record([{ id: EVIL, title: EVIL, summary: EVIL, state: 'ready', tags: [EVIL] }]),
    '.bearings/log.jsonl': `${record({ op: EVIL, [EVIL]: EVIL, timestamp: EVIL })}\n`,
    '.bearings/vocabulary_gaps.jsonl': `${record({ description: EVIL, operations_involved: [EVIL], snapshot_hash: EVIL, timestamp: '2026-01-01T00:00:00Z' })}\n`,
    [`.bearings/sessions/${NAME}.jsonl`]: `${record({ type: 'header', session_id: EVIL, client: EVIL, image_id: EVIL, started_at: EVIL })}\n`,
    [`.bearings/ledger/${NAME}.jsonl`]: `${record({ seq: 1, file: EVIL, decision: EVIL, machine: EVIL })}\n`,
    '.bearings/ledger/other.jsonl': `${record({ seq: 1, file: EVIL, decision: EVIL, machine: EVIL, client: EVIL, reason: EVIL })}\n`,
    '.mcp.json': record({ mcpServers: { bearings: { command: EVIL, args: [EVIL] }, [EVIL]: {} } }),
    '.cursor/mcp.json': record({ mcpServers: { [EVIL]: { command: EVIL } } }),
  });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', `user.name=${EVIL.replace(/[\u0007]/g, '')}`, '-c', 'user.email=x@x', ...args], {
      cwd: clone,
      env: { PATH: process.env.PATH, HOME: place.home, GIT_CONFIG_NOSYSTEM: '1' },
    });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', `tide ${EVIL}`);
  const inside = linked({ ...place, cwd: clone, variables: { BEARINGS_CACHE: at('cache') } });
  bearings(inside, 'init', `reef`, '--here');
  const client = new Client({ name: `agent${EVIL}`, version: EVIL, title: EVIL });
  await client.connect(stdioServer(inside));
  const call = (name: string, input: Record<string, unknown> = {}) =>
    client.callTool({ name, arguments: input }).catch(() => null);
  await call('read_context');
  await call('load_context', { task: `tide ${EVIL}` });
  await call('log_operation', { op: `op${EVIL}`, details: { [`k${EVIL}`]: EVIL } });
  await call('log_vocabulary_gap', { description: `gap${EVIL}`, operations_involved: [EVIL] });
  await call('propose_notes_update', { content: 'A plain note.', reason: `why ${EVIL}` });
  await call('propose_notes_update', { content: 'Another note.', reason: 'plain' });
  await call('propose_taste_update', { content: '- wide', category: 'value', file: NAME });
  await call('end_session', { summary: EVIL, outcome: EVIL });
  await client.close();
  const library = openLibrary(place.home, { cwd: clone });
  await decided(library, await proposed(library, 'Decided.', { id: 'reef' }));
  for (const folder of ['sessions', 'ledger']) forgeFields(join(clone, '.bearings', folder));
  return inside;
}

// For each key of each record a copy of the file in which that key, wherever it is, holds escapes.
function forgeFields(folder: string): void {
  const files = readdirSync(folder).filter(
    (name) => name.endsWith('.jsonl') && !name.includes('clone') && name !== 'other.jsonl',
  );
  let count = 0;
  for (const file of files) {
    const lines = readFileSync(join(folder, file), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const keys = new Set<string>();
    const walk = (value: unknown, change: (key: string, text: string) => string): unknown => {
      if (Array.isArray(value)) return value.map((each) => walk(each, change));
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value).map(([key, inner]) => [
          key,
          typeof inner === 'string' ? change(key, inner) : walk(inner, change),
        ]),
      );
    };
    walk(lines, (key, text) => {
      keys.add(key);
      return text;
    });
    // Before and after: what is cut to a few characters shows one of the two.
    const form = (text: string) => `${'\u001b'.repeat(30)}${text}${EVIL}`;
    for (const key of keys) {
      const forged = walk(lines, (name, text) => (name === key ? form(text) : text)) as unknown[];
      const name = file.replace(/[0-9a-f]{12}/, () => (++count).toString(16).padStart(12, '0'));
      const path = name === file ? `forged${++count}.jsonl` : name;
      writeFileSync(join(folder, path), `${forged.map((each) => JSON.stringify(each)).join('\n')}\n`, { mode: 0o600 });
    }
  }
}

// Every command that lists or says something about what others wrote; documents go into a pipe as they are.
const LISTS = (sessions: readonly string[], proposal: string): string[][] => [
  [],
  ['workspaces'],
  ['workspaces', 'rename', 'nobody', NAME],
  ['workspaces', 'link', NAME],
  ['init'],
  ['review', '--list'],
  ['review', '--show', proposal],
  ['sessions', 'gaps'],
  ['sessions', 'gaps', 'list'],
  ['sessions', 'gaps', 'rank'],
  ['sessions'],
  ['sessions', 'list'],
  ...sessions.flatMap((session) => [
    ['sessions', 'show', session],
    ['sessions', 'replay', session],
  ]),
  ['sessions', 'replay', NAME],
  ['history', 'notes.md'],
  ['why', 'notes.md'],
  ['why', `Note ${EVIL}`],
  ['search', 'note'],
  ['verify'],
  ['verify', 'key'],
  ['doctor'],
  ['config', 'list'],
  ['config', 'show'],
  ['config', 'check'],
  ['config', 'set', NAME, NAME],
  ['policy', 'show'],
  ['policy', 'check'],
  ['policy', 'allow', 'board'],
  ['show', 'tastes'],
  ['show', 'tastes', NAME],
  ['edit', 'tastes', NAME],
  ['match', 'tide'],
  ['doctor', 'index'],
  ['doctor', 'index', 'status'],
  ['explain', `docs/${NAME}.md`, '--task', 'tide'],
  ['load', '--task', `tide ${EVIL}`, '--table', '--adapter', 'board', '--tactical'],
  ['load', '--task', 'tide', '--out', `${NAME}.json`],
  ['load', '--task', 'tide', '--out', 'AGENTS.md'],
  ['drift', `${NAME}.json`, `${NAME}.json`],
  ['drift', `${NAME}.json`],
  ['drift', '--receipt'],
  ['eval', '--commits', '2'],
  ['check', `${NAME}.xml`],
  ['check', 'task.json'],
  ['run', `${NAME}.xml`],
  ['run', 'task.json'],
  ['runs'],
  ['runs', 'list'],
  ['runs', 'show', 'last'],
  ['learn', '--from', `docs/${NAME}.md`],
  ['learn', '--from', 'AGENTS.md'],
  ['export', 'cursor', '--out', NAME],
  ['install'],
  ['install', 'claude-code', '--print'],
  ['install', 'claude-code', '--scope', 'project', '--yes'],
  ['install', 'cursor', '--scope', 'project', '--print'],
  ['install', 'cursor', '--scope', 'project', '--yes'],
  ['install', 'cursor', '--undo', '--yes'],
  ['install', NAME],
  ['install'],
  ['undo'],
  ['undo', 'notes.md'],
  ['erase', EVIL],
  ['review'],
  ['edit', 'brief', NAME],
  ['doctor', 'completion', NAME],
  ['demo', '--examples'],
  ['read', '--table'],
  [NAME],
];

const DOCUMENTS: string[][] = [
  ['export', 'cursor'],
  ['read'],
  ['show', 'brief'],
  ['show', 'notes'],
  ['load', '--task', 'tide', '--markdown'],
  ['load', '--task', 'tide', '--xml'],
  ['load', '--task', 'tide'],
  ['export', 'agents'],
];

describe('text of others on a terminal', () => {
  const ids = (inside: Place) => {
    const names = readdirSync(join(inside.cwd ?? '', '.bearings/sessions'));
    const sessions = names.flatMap((name) => /[0-9a-f]{12}(?=\.jsonl$)/.exec(name)?.[0] ?? []);
    const proposal = /p_[0-9a-f]{16}/.exec(bearings(inside, 'review', '--list', '--json').stdout)?.[0] ?? 'none';
    return [sessions, proposal] as const;
  };

  it('M28 escapes in every field that a clone or an agent controls reach no list, in a pipe or a file', async () => {
    const inside = await hostileClone();
    const [sessions, proposal] = ids(inside);
    expect(sessions.length).toBeGreaterThan(5);
    const raw = LISTS(sessions, proposal).flatMap((line) => {
      const { stdout, stderr } = bearings(inside, ...line);
      const shown = (stdout + stderr).split('\n').filter((text) => RAW.test(text));
      return shown.map((text) => `${line.join(' ').slice(0, 30)}: ${JSON.stringify(text).slice(0, 200)}`);
    });
    expect(raw).toEqual([]);
  });

  it('M28 nor a terminal, documents included, with nothing but our own colours', async () => {
    const inside = await hostileClone();
    const [sessions, proposal] = ids(inside);
    const asking = ['review', 'edit', 'erase', 'undo'];
    const all = LISTS(sessions.slice(0, 2), proposal).filter(([name = '']) => !asking.includes(name));
    const usual = all.filter(([name = '']) => ['workspaces', 'match', 'load', 'install'].includes(name));
    const raw: string[] = [];
    for (const line of [...DOCUMENTS, ...(isLong ? all : usual)]) {
      const answers = [{ after: '[y/n]', type: 'n\n' }];
      const { stdout } = await onTerminal(inside, line, answers);
      const own = /\u001b\[(?:1|2|22|31|32|33|39)m|\r?\u001b\[2K|\u001b\[\?25[hl]|\u001b\[[0-9]*[KGJ]/g;
      const shown = onScreen(stdout)
        .replaceAll(EVIL, 'RAW\u0007')
        .replaceAll(own, '')
        .split('\n')
        .filter((text) => RAW.test(text.replace(/\r$/, '')));
      raw.push(...shown.map((text) => `${line.join(' ').slice(0, 30)}: ${JSON.stringify(text).slice(0, 200)}`));
    }
    expect(raw).toEqual([]);
  });

  it('M28 no command is left out of the sweep', () => {
    const swept = new Set([...LISTS(['s'], 'p'), ...DOCUMENTS].map(([name]) => name));
    expect(Object.keys(COMMANDS).filter((name) => !swept.has(name))).toEqual(['propose', 'ui', 'mcp', 'hook']);
  });
});
