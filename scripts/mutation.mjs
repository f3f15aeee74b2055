// npm run mutation -- --folder safety [--sample 60] [--seed 1] [--file NAME] [--survivors]: how many small faults the tests notice.
// All sampled faults are compiled in at once and switched on one by one; each meets only the test files that run its place.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createChance } from './fuzz/chance.mjs';
import { mutantsOf } from './mutation/mutants.mjs';

const root = new URL('..', import.meta.url).pathname;
const PURE = ['safety', 'config', 'memory', 'proposals', 'loader', 'tasks', 'matching'];
// They look at files and folders of the project itself, or take minutes, and run no line of the pure folders alone.
const LEFT_OUT = new Set([
  'test/architecture.test.ts',
  'test/package.test.ts',
  'test/docs.test.ts',
  'test/contract-pins.test.ts',
]);
const { values } = parseArgs({
  options: {
    folder: { type: 'string', multiple: true, default: PURE },
    file: { type: 'string' },
    sample: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    'at-least': { type: 'string', default: '80' },
  },
});
const work = mkdtempSync(join(tmpdir(), 'bearings-mutation-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));
process.on('SIGINT', () => process.exit(130));

let below = 0;
for (const folder of values.folder) {
  const { killed, total } = await measure(folder);
  if (total > 0 && (killed / total) * 100 < Number(values['at-least'])) below += 1;
}
process.exit(below === 0 ? 0 : 1);

async function measure(folder) {
  const mutants = sampleOf(folder);
  writeFileSync(join(work, 'mutants.json'), JSON.stringify(mutants));
  let runner = startRunner();
  const dry = await runner.ask({ cover: true, files: testFiles(folder) }, 600_000);
  if (!dry?.ok) throw new Error(`the tests fail without any fault: ${JSON.stringify(dry?.failed ?? 'no answer')}`);
  const survivors = [];
  let killed = 0;
  for (const mutant of mutants) {
    const files = (dry.covering[mutant.id] ?? []).sort((a, b) => dry.times[a] - dry.times[b]);
    let verdict = files.length === 0 ? 'not run by any test' : 'survived';
    for (const file of files) {
      const answer = await runner.ask({ mutant: mutant.id, files: [file] }, 20_000 + 5 * dry.times[file]);
      if (answer?.ok) continue;
      verdict = 'killed';
      if (answer === null) runner = startRunner();
      break;
    }
    if (verdict === 'killed') killed += 1;
    else survivors.push({ ...mutant, verdict });
  }
  runner.end();
  for (const { file, line, before, after, verdict } of survivors)
    console.log(`  ${file}:${line}  ${verdict}: ${short(before)} → ${short(after)}`);
  const score = ((killed / Math.max(1, mutants.length)) * 100).toFixed(1);
  console.log(`${folder.padEnd(10)} ${score} %  (${killed} of ${mutants.length} faults noticed, seed ${values.seed})`);
  return { killed, total: mutants.length };
}

function sampleOf(folder) {
  const base = join(root, 'src', folder);
  const files = readdirSync(base, { recursive: true })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .filter((name) => values.file === undefined || name === `${values.file}.ts`)
    .sort();
  const all = files.flatMap((name) =>
    mutantsOf(readFileSync(join(base, name), 'utf8')).map((mutant) => ({ file: `src/${folder}/${name}`, ...mutant })),
  );
  const chance = createChance(Number(values.seed));
  const chosen = [];
  while (chosen.length < Number(values.sample) && all.length > 0)
    chosen.push(...all.splice(chance.below(all.length), 1));
  return chosen.map((mutant, id) => ({ ...mutant, id }));
}

// Tests of the built binary can't see a fault in the source; all others of the folder and across folders may.
function testFiles(folder) {
  const beside = (name) =>
    readdirSync(join(root, 'src', name), { recursive: true }).map((file) => `src/${name}/${file}`);
  const across = readdirSync(join(root, 'test')).map((file) => `test/${file}`);
  const also = ['use-cases', 'io'].flatMap(beside);
  return [...new Set([...beside(folder), ...PURE.flatMap(beside), ...also, ...across, 'test/fuzz/corpus.test.ts'])]
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const runsBinary = /from '\.\.?\/(?:\.\.\/)?(?:test\/)?(?:binary|tmux|asking-client|build)\.ts'/.test(text);
      return !runsBinary && !LEFT_OUT.has(file);
    });
}

function startRunner() {
  const child = spawn(process.execPath, [join(root, 'scripts/mutation/runner.mjs'), work], {
    ...{ cwd: root, stdio: ['ignore', 'ignore', 'pipe', 'ipc'], detached: true },
  });
  let errors = '';
  child.stderr.on('data', (text) => {
    errors = (errors + text).slice(-2000);
  });
  const end = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It is gone already.
    }
  };
  process.on('exit', end);
  return {
    end,
    // Null: no answer in time, or the process ended. Both mean that the fault was noticed.
    ask: (question, limit) =>
      new Promise((resolve) => {
        const done = (answer) => {
          clearTimeout(timer);
          child.off('message', done);
          child.off('exit', gone);
          if (answer === null) end();
          resolve(answer);
        };
        const gone = () => {
          if (question.cover) console.error(errors);
          done(null);
        };
        const timer = setTimeout(() => done(null), limit);
        child.on('message', done);
        child.on('exit', gone);
        child.send(question);
      }),
  };
}

function short(text) {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 70 ? `${line.slice(0, 69)}…` : line;
}
