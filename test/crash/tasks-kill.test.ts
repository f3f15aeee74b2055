import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openRooms } from '../../src/bearings.ts';
import { effort, LONGEST_MS } from '../support/effort.ts';
import { startBinary } from '../support/process/binary.ts';
import { modelServer } from '../support/tasks/model-server.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

const QUIET =
  '<context_management><inherit_context>full</inherit_context><fresh_context>disabled</fresh_context></context_management>';
const TEMPLATE = `<task type="sequential"><description>all</description><steps>
<task type="atomic" name="one"><description>one</description>${QUIET}</task>
<task type="script" name="two"><description>two</description><command><arg>node</arg><arg>once.mjs</arg></command></task>
<task type="atomic" name="three"><description>three</description>${QUIET}</task>
<approve name="four"><description>Go on?</description></approve>
<task type="atomic" name="five"><description>five</description>${QUIET}</task>
</steps></task>`;

// Killed at so many moments, spread over a run.
const KILLS = effort(200, 3);

/** A project of its own whose programs the person has allowed. */
async function allowedRun(url: string, files: Record<string, string>) {
  const folder = tempFolder();
  const [home, project] = [join(folder, 'home'), join(folder, 'project')];
  put(home, { 'config.yaml': `models:\n  big: { provider: openai-compatible, model: m, base_url: "${url}" }\n` });
  put(project, files);
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    BEARINGS_HOME: home,
    BEARINGS_CACHE: join(folder, 'cache'),
  };
  const bearings = openRooms({ cwd: project, variables: env });
  const { task } = await (await bearings.runs()).checkTask('all.xml');
  if (task === null) throw new Error('the template does not load');
  for (const question of await (await bearings.runs()).scriptQuestions(task))
    await (await bearings.adapters()).allowAdapter(question);
  return { home, project, env, bearings };
}

it(
  'T22 T25 T26 kill -9 after each finished step: no answer, no program and no question comes twice',
  async () => {
    const server = await modelServer(() => ({ kind: 'answer', text: 'said', delayMs: 150 }));
    const { home, project, env, bearings } = await allowedRun(server.url, {
      'all.xml': TEMPLATE,
      'once.mjs': "import { appendFileSync } from 'node:fs'; appendFileSync('ran.txt', 'x');",
    });
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
    // Each time until one more step is in the journal, then at once dead.
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
    await (await bearings.runs()).answerRun(run, { answer: 'accept' });
    code = null;
    while (code === null) code = await killAfterNext(['runs', 'resume', run, '--json']);
    expect(code).toBe(0);
    expect(finished()).toEqual(['1#fresh', '1.1#1', '1.2#script', '1.3#1', '1.4#approve', '1.5#1']);
    expect(readFileSync(join(project, 'ran.txt'), 'utf8')).toBe('x');
    const asked = server.calls.map(({ headers }) => String(headers['idempotency-key']));
    expect(new Set(asked).size).toBe(3);
    expect(asked).toHaveLength(3);
  },
  LONGEST_MS,
);

const JUDGED = '<output_format type="json" schema="object"/>';
const ALL = `<task type="sequential"><description>all</description><steps>
<task type="atomic" name="one"><description>one</description>${QUIET}</task>
<call template="part.xml"><inputs><input name="topic">two</input></inputs></call>
<task type="script" name="three"><description>three</description><prompt>1.3#script</prompt><command><arg>node</arg><arg>once.mjs</arg></command></task>
<task type="director_evaluator_loop" name="four" max_iterations="3"><description>four</description>
<director><description>propose {{round}}</description>${QUIET}</director>
<script><description>try</description><prompt>1.4 {{round}}</prompt><command><arg>node</arg><arg>once.mjs</arg></command></script>
<evaluator><description>judge</description>${JUDGED}${QUIET}</evaluator></task>
<approve name="five"><description>Go on?</description></approve>
<task type="atomic" name="six"><description>six</description>${QUIET}</task>
</steps></task>`;

it(
  `T22 T25 T26 kill -9 at ${KILLS} moments of calls, programs, loops and answers: what is finished is not done again`,
  async () => {
    let judged = 0;
    const server = await modelServer(({ prompt }) => {
      if (!prompt.slice(prompt.lastIndexOf('# Task')).includes('judge'))
        return { kind: 'answer', text: 'said', delayMs: 60 };
      judged += 1;
      const answer = { success: judged % 2 === 0 };
      return { kind: 'answer', text: JSON.stringify({ answer, notes: 'judged' }), delayMs: 60 };
    });
    const { home, project, env, bearings } = await allowedRun(server.url, {
      'all.xml': ALL,
      'part.xml': `<task type="atomic"><description>part {{topic}}</description><inputs><input name="topic"/></inputs>${QUIET}</task>`,
      'once.mjs':
        "import { appendFileSync, readFileSync } from 'node:fs'; appendFileSync('ran.txt', readFileSync(0, 'utf8') + '\\n');",
    });
    // One that was killed before its first line was written never began.
    const hasBegun = (name: string): boolean => {
      const journal = join(home, 'runs', name, 'journal.jsonl');
      return existsSync(journal) && readFileSync(journal, 'utf8').includes('\n');
    };
    const runs = (): string[] =>
      existsSync(join(home, 'runs')) ? readdirSync(join(home, 'runs')).filter(hasBegun) : [];
    const ran = (): string[] =>
      existsSync(join(project, 'ran.txt'))
        ? readFileSync(join(project, 'ran.txt'), 'utf8').split('\n').slice(0, -1)
        : [];
    // What each program wrote, as the key of its step.
    const keyOf = (line: string): string =>
      line.replace(/^1\.4 (\d+)$/, (_, round) => `1.4.round:${Number(round) - 1}.script#script`);
    let kills = 0;
    let moment = 0;
    let [again, scriptsAgain] = [0, 0];
    while (kills < KILLS) {
      let run = '';
      let isAnswered = false;
      for (let code: number | null = null; code !== 0; ) {
        const finished = run === '' ? new Set<string>() : stepsIn(join(home, 'runs', run, 'journal.jsonl'));
        const [callsBefore, ranBefore, known] = [server.calls.length, ran().length, new Set(runs())];
        const args = run === '' ? ['run', 'all.xml', '--model', 'big', '--json'] : ['runs', 'resume', run, '--json'];
        const { child, ended } = startBinary(args, { cwd: project, env });
        // A moment of its own each time, spread over the whole run.
        moment += 1;
        const kill = (): void => {
          kills += child.kill('SIGKILL') ? 1 : 0;
        };
        const timer = kills < KILLS ? setTimeout(kill, 250 + ((moment * 137) % 1_400)) : undefined;
        const { code: ending, stderr } = await ended;
        clearTimeout(timer);
        code = ending;
        if (run === '') run = runs().find((name) => !known.has(name)) ?? '';
        const asked = server.calls.slice(callsBefore).map(({ headers }) => String(headers['idempotency-key']));
        again += asked.filter((name) => [...finished].some((key) => name === `${run}/${key}`)).length;
        const started = ran().slice(ranBefore).map(keyOf);
        scriptsAgain += started.filter((key) => finished.has(key)).length;
        if (code === 3) {
          expect(isAnswered).toBe(false);
          await (await bearings.runs()).answerRun(run, { answer: 'accept' });
          isAnswered = true;
        } else if (code !== 0 && code !== null) throw new Error(`ended with ${code}: ${stderr}`);
      }
    }
    console.log(`${kills} kills: ${again} answers asked for again, ${scriptsAgain} programs run again`);
    expect({ again, scriptsAgain }).toEqual({ again: 0, scriptsAgain: 0 });
  },
  LONGEST_MS,
);

function stepsIn(journal: string): Set<string> {
  if (!existsSync(journal)) return new Set();
  const lines = readFileSync(journal, 'utf8').split('\n').slice(0, -1);
  const read = lines.map((line) => JSON.parse(line) as { type: string; key: string });
  return new Set(read.flatMap((line) => (line.type === 'step' ? [line.key] : [])));
}
