import { execFileSync } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/client';
import { openRooms, type Rooms } from '../../src/bearings.ts';
import { openQuestions } from '../../src/mcp/open-questions.ts';
import { createMcpServer } from '../../src/mcp/server.ts';
import { ownLine } from './mcp/own-line.ts';
import { sha256 } from './open-library.ts';
import { put } from './temp-folder.ts';

/** One text that a client or a hook received. */
interface Given {
  by: 'client' | 'hook';
  what: string;
  text: string;
  sha256: string;
}

interface Written {
  kind: string;
  file: string;
  /** An agent proposed it and the person said yes. */
  decided: boolean;
}

export interface SeenWorld {
  bearings: Rooms;
  repo: string;
  given: Given[];
  /** Where the line with this word was written. */
  written: Map<string, Written>;
  sessionOf(by: Given['by']): Promise<string>;
}

const MODULES = ['router', 'parser', 'cookie'];
const STEPS = 14;
const BASE = {
  'repo/README.md': '# Server\n\nA server with a router.\n',
  'repo/AGENTS.md': 'Be careful with the router.\n',
  'repo/.bearings/workspace.json': '{"id":"manta"}',
  'repo/.bearings/.gitignore': 'sessions/\nledger/\nlog.jsonl\nvocabulary_gaps.jsonl\nreceipts.jsonl\nnotes.md\n',
};

/** What one agent does and what happens around it, by a seed: the same number is the same story. */
export async function randomSession(folder: string, seed: number): Promise<SeenWorld> {
  const random = generator(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const repo = `${folder}/repo`;
  const written = new Map<string, Written>();
  const given: Given[] = [];
  let count = 0;
  const word = (kind: string, file: string, decided = false): string => {
    count += 1;
    const token = `w${count}w`;
    written.set(token, { kind, file, decided });
    return token;
  };

  const moduleText = (name: string) => `export const ${name} = "${name} limit ${word('file', `src/${name}.ts`)}";\n`;
  put(folder, {
    ...BASE,
    ...Object.fromEntries(MODULES.map((name) => [`repo/src/${name}.ts`, moduleText(name)])),
    'repo/.bearings/brief.md': `A calm server ${word('brief', 'brief.md')}.\n`,
    'repo/.bearings/notes.md': `# Notes\n\nThe first note ${word('notes', 'notes.md')}.\n`,
    '.bearings/tastes/_default.md': `Short captions ${word('taste', 'tastes/_default.md')}.\n`,
  });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd: repo,
      env: { PATH: process.env.PATH ?? '', HOME: folder },
      encoding: 'utf8',
    });
  const commit = (): void => {
    git('add', '-A');
    git('commit', '-qm', 'a step', '--allow-empty');
  };
  git('init', '-q');
  commit();

  const variables = { HOME: folder, PATH: process.env.PATH ?? '', BEARINGS_CACHE: `${folder}/cache` };
  const bearings = openRooms({ cwd: repo, variables });
  await (await bearings.gate()).adoptAll('all', { via: 'init' });
  const { call, resource, answerWith } = await studio(bearings);

  const keep = (by: Given['by'], what: string, text: string): void => {
    given.push({ by, what, text, sha256: sha256(text) });
  };
  const standing: string[] = [];
  const propose = async (answer: 'accept' | 'decline'): Promise<void> => {
    const isTaste = random() < 0.3;
    const replaces = !isTaste && answer === 'accept' && standing.length > 0 && random() < 0.4 ? pick(standing) : null;
    const [kind, file] = isTaste ? ['taste', 'tastes/_default.md'] : ['notes', 'notes.md'];
    const content = `Proposed ${word(kind ?? '', file ?? '', true)} for the server.`;
    const tool = isTaste ? 'taste' : 'notes';
    const { proposal_id } = await call(`propose_${tool}_update`, {
      content,
      ...(isTaste ? { category: 'value' } : {}),
      ...(replaces === null ? {} : { replaces }),
    });
    answerWith(answer);
    await call(`confirm_${tool}_update`, { proposal_id });
    if (answer === 'decline' || isTaste) return;
    if (replaces !== null) standing.splice(standing.indexOf(replaces), 1);
    standing.push(content);
  };
  const edit = (name: string, text: string): void => {
    writeFileSync(`${repo}/${name}`, text);
  };

  const acts: Record<string, () => Promise<void>> = {
    read: async () => keep('client', 'read_context', await textOf('read_context', {})),
    hook: async () => keep('hook', 'hook session-start', await (await bearings.hooks()).hookContext('manta', '{}')),
    async load() {
      const tactical = random() < 0.5;
      keep(
        'client',
        'load_context',
        await textOf('load_context', { task: `raise the ${pick(MODULES)} limit`, tactical }),
      );
    },
    accept: () => propose('accept'),
    decline: () => propose('decline'),
    async log() {
      await call('log_operation', { op: 'crop', details: { why: `crooked ${word('log', 'log.jsonl')}` } });
    },
    async gap() {
      await call('log_vocabulary_gap', { description: `no word ${word('gap', 'vocabulary_gaps.jsonl')}` });
    },
    async pastTheGate() {
      const name = pick(['notes.md', 'brief.md']);
      const text = `\nBy hand ${word(name === 'notes.md' ? 'notes' : 'brief', name)}.\n`;
      appendFileSync(`${repo}/.bearings/${name}`, text);
    },
    async saved() {
      const { text, sha256: before_sha256 } = await (await bearings.gate()).editableText('notes.md', { id: 'manta' });
      const own = `${text.trimEnd()}\n\nSaved by hand ${word('notes', 'notes.md')}.\n`;
      await (await bearings.gate()).saveText('notes.md', { id: 'manta' }, { via: 'page', text: own, before_sha256 });
    },
    async file() {
      const name = pick(MODULES);
      edit(`src/${name}.ts`, moduleText(name));
    },
    commit: async () => commit(),
  };
  const textOf = async (tool: string, input: Record<string, unknown>): Promise<string> =>
    (await call(tool, input)).text;

  const names = Object.keys(acts);
  const plan = ['read', 'load', ...Array.from({ length: STEPS }, () => pick(names)), 'read', 'hook'];
  for (const name of [...plan, pick(names), pick(names)]) {
    await clockMoves();
    await acts[name]?.();
    await clockMoves();
    if (name === 'load' && random() < 0.3) {
      const text = await resource();
      if (text !== null) keep('client', 'bundle', text);
    }
  }
  return {
    ...{ bearings, repo, given, written },
    async sessionOf(by) {
      if (by === 'hook') return 'standing';
      const all = await (await bearings.gate()).listSessions('manta');
      return all.find(({ client }) => client === 'studio')?.session_id ?? '';
    },
  };
}

/** A client with a person behind it, on a line of this process. */
async function studio(bearings: Rooms) {
  const [theirs, ours] = ownLine();
  const server = createMcpServer({
    bearings,
    hasStandingWorkspace: false,
    questions: openQuestions(),
  });
  await server.connect(ours as never);
  const client = new Client({ name: 'studio', version: '1' }, { capabilities: { elicitation: { form: {} } } });
  let answer: 'accept' | 'decline' = 'accept';
  let link: string | null = null;
  client.setRequestHandler('elicitation/create', async () => ({ action: answer }));
  await client.connect(theirs as never);
  return {
    answerWith(next: 'accept' | 'decline') {
      answer = next;
    },
    async call(name: string, input: Record<string, unknown>): Promise<Record<string, unknown> & { text: string }> {
      const result = await client.callTool({ name, arguments: input });
      const [first] = result.content;
      // Of a bundle the structure is kept: its text for a prompt is made of it.
      const isRendered = name === 'load_context' && !result.isError;
      const text = isRendered ? JSON.stringify(result.structuredContent) : first?.type === 'text' ? first.text : '';
      if (result.isError) throw new Error(`${name}: ${text}`);
      const found = result.content.find((each) => each.type === 'resource_link');
      if (found?.type === 'resource_link') link = found.uri;
      return { ...(result.structuredContent as object), text };
    },
    /** The whole of the last bundle, as a client reads it again. */
    async resource(): Promise<string | null> {
      if (link === null) return null;
      const { contents } = await client.readResource({ uri: link });
      const [first] = contents;
      return first && 'text' in first ? String(first.text) : null;
    },
  };
}

// What happened in the same millisecond has no order that a record could tell.
async function clockMoves(): Promise<void> {
  const now = Date.now();
  while (Date.now() === now) await new Promise((resolve) => setImmediate(resolve));
}

// A small generator with a seed (mulberry32): a failure can be looked at again.
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
