import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openBearings } from '../src/bearings.ts';
import { startBinary } from './binary.ts';
import { modelServer } from './model-server.ts';
import { put, tempFolder } from './temp-folder.ts';

const QUIET =
  '<context_management><inherit_context>full</inherit_context><fresh_context>disabled</fresh_context></context_management>';
const TEMPLATE = `<task type="sequential"><description>all</description><steps>
<task type="atomic" name="one"><description>one</description>${QUIET}</task>
<task type="script" name="two"><description>two</description><command><arg>node</arg><arg>once.mjs</arg></command></task>
<task type="atomic" name="three"><description>three</description>${QUIET}</task>
<approve name="four"><description>Go on?</description></approve>
<task type="atomic" name="five"><description>five</description>${QUIET}</task>
</steps></task>`;

it('T22 T25 T26 kill -9 after each finished step: no answer, no program and no question comes twice', async () => {
  const server = await modelServer(() => ({ kind: 'answer', text: 'said', delayMs: 150 }));
  const folder = tempFolder();
  const [home, project] = [join(folder, 'home'), join(folder, 'project')];
  put(home, {
    'config.yaml': `models:\n  big: { provider: openai-compatible, model: m, base_url: "${server.url}" }\n`,
  });
  put(project, {
    'all.xml': TEMPLATE,
    'once.mjs': "import { appendFileSync } from 'node:fs'; appendFileSync('ran.txt', 'x');",
  });
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    BEARINGS_HOME: home,
    BEARINGS_CACHE: join(folder, 'cache'),
  };
  const bearings = openBearings({ cwd: project, variables: env });
  const { task } = await bearings.tasks.check('all.xml');
  if (task === null) throw new Error('the template does not load');
  for (const question of await bearings.internal.scriptQuestions(task)) await bearings.internal.allowAdapter(question);
  const runs = join(home, 'runs');
  const finished = (): string[] => {
    const [run] = existsSync(runs) ? readdirSync(runs) : [];
    const journal = run === undefined ? '' : join(runs, run, 'journal.jsonl');
    if (!existsSync(journal)) return [];
    const lines = readFileSync(journal, 'utf8').split('\n').slice(0, -1);
    return lines
      .map((line) => JSON.parse(line) as { type: string; key: string })
      .flatMap((line) => (line.type === 'step' ? [line.key] : []));
  };
  // Each time until one more step stands in the journal, then at once dead.
  const killAfterNext = async (args: string[]): Promise<number | null> => {
    const before = finished().length;
    const { child, ended } = startBinary(args, { cwd: project, env });
    while (finished().length === before && child.exitCode === null) await new Promise((done) => setTimeout(done, 5));
    child.kill('SIGKILL');
    await ended;
    return child.exitCode;
  };
  await killAfterNext(['run', 'all.xml', '--model', 'big', '--json']);
  const [run = ''] = readdirSync(runs);
  let code: number | null = null;
  while (code === null) code = await killAfterNext(['runs', 'resume', run, '--json']);
  expect(code).toBe(3);
  await bearings.internal.answerRun(run, { answer: 'accept' });
  code = null;
  while (code === null) code = await killAfterNext(['runs', 'resume', run, '--json']);
  expect(code).toBe(0);
  expect(finished()).toEqual(['1#fresh', '1.1#1', '1.2#script', '1.3#1', '1.4#approve', '1.5#1']);
  expect(readFileSync(join(project, 'ran.txt'), 'utf8')).toBe('x');
  const asked = server.calls.map(({ headers }) => String(headers['idempotency-key']));
  expect(new Set(asked).size).toBe(3);
  expect(asked).toHaveLength(3);
}, 240_000);
