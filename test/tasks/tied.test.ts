import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openRooms } from '../../src/bearings.ts';
import { modelServer } from '../support/tasks/model-server.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

const EXAMPLE = readFileSync(join(import.meta.dirname, '../../examples/tasks/mend-and-note.xml'), 'utf8');
// The tests of the repository: they read the patch and complain of what it forgets.
const CHECK = `let text = ''; process.stdin.on('data', (part) => { text += part; });
process.stdin.on('end', () => { if (!/[\\u2019']s/.test(text)) { console.error('the apostrophe is still lost'); process.exit(1); } console.log('all tests pass'); });`;

async function place(config: string) {
  const folder = tempFolder();
  const [home, project] = [join(folder, 'home'), join(folder, 'project')];
  put(home, { 'config.yaml': config });
  put(project, {
    'mend.xml': EXAMPLE,
    'check.mjs': CHECK,
    'README.md': '# Words\n\nSplits a text into words, the apostrophe too.\n',
    'src/words.ts': 'export const words = (text: string) => text.split(/[^a-z]+/);\n',
  });
  const variables = { PATH: process.env.PATH ?? '', BEARINGS_HOME: home, BEARINGS_CACHE: join(folder, 'cache') };
  const bearings = openRooms({ cwd: project, variables });
  await (await bearings.workspaces()).createWorkspace({ id: 'words', here: true });
  put(project, { '.bearings/notes.md': 'Words keep their apostrophe: the reader decided so.\n' });
  const { task } = await (await bearings.runs()).checkTask('mend.xml');
  if (task === null) throw new Error('the example does not load');
  for (const question of await (await bearings.runs()).scriptQuestions(task))
    await (await bearings.adapters()).allowAdapter(question);
  return { bearings, task };
}

const START = {
  file: 'mend.xml',
  root: { memory: 'here', load: 'the apostrophe in words' },
  propose: { kind: 'notes', workspace: null, category: null, file: null },
} as const;

it('T24 T25 T26 the tied example with a model on loopback: memory and bundle, two rounds with the tests, a yes, a proposal', async () => {
  const server = await modelServer(({ prompt }) => {
    const asked = prompt.slice(prompt.lastIndexOf('# Task'));
    if (asked.includes('Do the tests pass?')) {
      const success = asked.includes('Exit code 0');
      return {
        kind: 'answer',
        text: JSON.stringify({ answer: { success, why: 'the tests say so' }, notes: 'judged' }),
      };
    }
    if (asked.includes('Write a patch')) {
      const text = asked.includes('apostrophe is still lost')
        ? "split on [^a-z']+, so that it's kept"
        : 'split on blanks';
      return { kind: 'answer', text };
    }
    return { kind: 'answer', text: 'The apostrophe belongs to a word.' };
  });
  const { bearings, task } = await place(
    `models:\n  big: { provider: openai-compatible, model: m, base_url: "${server.url}" }\n`,
  );
  const first = await (await bearings.runs()).startRun(task, { ...START, model: 'big' });
  expect(first.result.status).toBe('FAILED');
  const [waiting] = await (await bearings.runs()).waitingRuns();
  expect(waiting).toMatchObject({ question: 'Is this patch right?', shown: expect.stringContaining("it's kept") });
  // Every step starts from the memory and the bundle.
  expect(server.calls[0]?.prompt).toContain('the reader decided so');
  expect(server.calls[0]?.prompt).toContain('Splits a text into words');
  expect(server.calls).toHaveLength(4);
  await (await bearings.runs()).answerRun(first.run, { answer: 'accept', shownSha256: waiting?.sha256 ?? '' });
  const { result, proposal } = await (await bearings.runs()).resumeRun(first.run);
  expect(result).toMatchObject({ status: 'COMPLETE', content: 'The apostrophe belongs to a word.' });
  expect(proposal).toMatchObject({ status: 'pending' });
  expect(server.calls).toHaveLength(5);
});

it('T21 T25 the tied example runs offline with extract to its question and, after an answer, to its end', async () => {
  const { bearings, task } = await place('');
  const first = await (await bearings.runs()).startRun(task, START);
  expect((await (await bearings.runs()).showRun(first.run)).state).toBe('awaiting_person');
  await (await bearings.runs()).answerRun(first.run, { answer: 'edit', text: "Words keep 's." });
  const { result } = await (await bearings.runs()).resumeRun(first.run);
  expect(result.status).toBe('COMPLETE');
  const paths = (await (await bearings.runs()).showRun(first.run)).seen.map(({ path }) => path);
  expect(paths).toContain('1.1.round:0.script');
});
