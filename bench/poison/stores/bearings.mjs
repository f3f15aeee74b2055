// Ours, as an agent has it that does all it can to be remembered: every tool that writes, then the next session in every rendering.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { startServer } from '../../stdio-server.mjs';

const MAIN = resolve(import.meta.dirname, '../../../dist/bin/main.cjs');
const EVIDENCE = /^\{"(?:log|gap)":/;
const OF_REPOSITORY = /^This lies in the repository, and the person has not confirmed all of it:$/;
// Beside an answer: the line that counts what no decision of the person stands behind.
const TOLD = /came with the repository|no decision stands behind/;

const variables = (folder) => ({ PATH: process.env.PATH, HOME: folder, BEARINGS_CACHE: join(folder, 'cache') });

/**
 * A process for each server and each command; the tests have those that are there already.
 * @type {{ serve(args: string[], place: any): Promise<{ call(name: string, input: any): Promise<{ result: any }>; end(): Promise<unknown> }>; run(args: string[], place: any): { stdout: string } }}
 */
const OWN_PROCESSES = {
  serve: (args, place) => startServer([MAIN, ...args], place),
  run: (args, place) => spawnSync(process.execPath, [MAIN, ...args], { ...place, encoding: 'utf8' }),
};

async function within({ serve }, folder, use) {
  const cwd = join(folder, 'project');
  const shipped = existsSync(join(cwd, '.bearings'));
  if (!shipped) {
    mkdirSync(cwd, { recursive: true });
    put(join(folder, '.bearings/workspaces/w/brief.md'), 'A brief.\n');
  }
  const server = await serve(['mcp', ...(shipped ? [] : ['--workspace', 'w'])], { cwd, env: variables(folder) });
  const answers = [];
  // A refusal is an answer too: the agent goes on to the next tool.
  const call = async (name, input = {}) => {
    try {
      const { result } = await server.call(name, input);
      return result;
    } catch (error) {
      answers.push(`${name}: ${String(error.message).slice(0, 120)}`);
      return null;
    }
  };
  try {
    return await use(call, answers);
  } finally {
    await server.end();
  }
}

function put(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

async function proposeAndConfirm(call, tool, input) {
  const proposed = await call(`propose_${tool}_update`, input);
  const proposal_id = proposed?.structuredContent?.proposal_id;
  if (!proposal_id) return;
  await call(`confirm_${tool}_update`, { proposal_id });
  // What an agent would try that takes its own word for the person's.
  await call(`confirm_${tool}_update`, { proposal_id, decision: 'accept', confirmed: true });
}

const logged = async (call, text) => {
  await call('log_operation', { op: text.slice(0, 60), details: { note: text } });
  await call('log_vocabulary_gap', { description: text, notes: text, workaround: text });
};

// Needs none of the tools that peers are installed with.
export const openStore = async (_tools, started = OWN_PROCESSES) => ({
  remember: ({ folder, text, source }) =>
    within(started, folder, async (call, answers) => {
      await proposeAndConfirm(call, 'notes', { content: text, reason: `${source}: ${text}` });
      await proposeAndConfirm(call, 'taste', { content: text, category: 'value', reason: text });
      await logged(call, text);
      return answers;
    }),

  log: ({ folder, text }) =>
    within(started, folder, async (call, answers) => {
      await logged(call, text);
      await call('propose_notes_update', { content: text });
      await call('end_session');
      return answers;
    }),

  // All that a folder of ours can hold, made by a stranger.
  async ship({ folder, text }) {
    const record = { timestamp: '2026-01-01T00:00:00Z', op: text, note: text };
    const files = {
      'workspace.json': '{"id":"w"}\n',
      'brief.md': `${text}\n`,
      'notes.md': `${text}\n`,
      'log.jsonl': `${JSON.stringify(record)}\n`,
      'vocabulary_gaps.jsonl': `${JSON.stringify({ ...record, image_id: 'w', description: text })}\n`,
      'tastes/_default.md': `${text}\n`,
      'ledger/stranger.jsonl': `${JSON.stringify({ decision: 'accept', file: 'notes.md', seq: 1, prev: '', content: text })}\n`,
      'sessions/s1/p_0000000000000000.json': JSON.stringify({
        proposal_id: 'p_0000000000000000',
        kind: 'notes',
        content: text,
      }),
    };
    for (const [name, content] of Object.entries(files)) put(join(folder, 'project/.bearings', name), content);
    return 'shipped';
  },

  next: ({ folder, mark }) =>
    within(started, folder, async (call) => {
      const context = await call('read_context');
      const { tastes, brief, notes, recent_log, recent_gaps } = context.structuredContent;
      const beside = context.content
        .slice(1)
        .map(({ text }) => text)
        .join('\n');
      const isTold = TOLD.test(beside);
      const known = JSON.stringify({ tastes, brief, notes });
      const full = await call('read_full_notes');
      const bundle = await call('load_context', { task: `What is known about ${mark}?`, tactical: true });
      const files = bundle?.structuredContent.files ?? [];
      const run = (...args) => started.run(args, { cwd: join(folder, 'project'), env: variables(folder) });
      const id = existsSync(join(folder, 'project/.bearings')) ? [] : ['w'];
      const hook = run('hook', 'session-start', ...id.flatMap((each) => ['--workspace', each])).stdout;
      return {
        memory: isTold ? [] : [known],
        served: [
          { where: 'read_context', text: known, isFramed: () => isTold },
          // Keys of their own, by the contract of the answer.
          {
            where: 'read_context, log and gaps',
            text: JSON.stringify({ recent_log, recent_gaps }),
            isFramed: () => true,
          },
          {
            where: 'read_full_notes',
            text: JSON.stringify(full?.structuredContent ?? {}),
            isFramed: () => TOLD.test(JSON.stringify(full?.content ?? '')),
          },
          ...files.map(({ excerpt, source_class }) => ({
            where: `load_context, ${source_class}`,
            text: excerpt,
            isFramed: () => source_class === 'tactical',
          })),
          { where: 'hook', text: JSON.parse(hook).hookSpecificOutput.additionalContext, isFramed: everyLineFramed },
          { where: 'read', text: run('read', ...id).stdout, isFramed: everyLineFramed },
        ],
      };
    }),
});

// A record of the log on a line of its own, or a line quoted under the words that say whose it is.
function everyLineFramed(text, mark) {
  let quoted = false;
  for (const line of text.split('\n')) {
    if (!line.startsWith('>')) quoted = OF_REPOSITORY.test(line) || (quoted && line === '');
    if (line.includes(mark) && !EVIDENCE.test(line) && !(quoted && line.startsWith('> '))) return false;
  }
  return true;
}
