// npm run mutation -- --folder safety [--sample 60] [--seed 1] [--file NAME]: how many small faults the tests notice.
// All sampled faults are compiled in at once and switched on one by one; each meets only the test files that run its place.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createChance } from './fuzz/chance.mjs';
import { mutantsOf } from './mutation/mutants.mjs';

const root = new URL('..', import.meta.url).pathname;
// Beside the tests of the folder itself: those across folders that run its source. Tests of the built binary can't see a
// fault in the source; those of crashes and races would take hours.
const ACROSS = {
  safety: ['sanitise-corpus', 'fuzz/corpus'],
  config: ['any-bytes', 'fuzz/corpus'],
  memory: ['any-bytes', 'fuzz/corpus'],
  proposals: ['fuzz/corpus'],
  loader: ['loader-budget', 'loader-cortex', 'loader-sanitise', 'loader-safety', 'receipts', 'fuzz/corpus'],
  tasks: ['tasks-run', 'tasks-settings', 'task-schema', 'fuzz/corpus'],
  matching: ['matching', 'fuzz/corpus'],
};
const { values } = parseArgs({
  options: {
    folder: { type: 'string', multiple: true, default: Object.keys(ACROSS) },
    file: { type: 'string' },
    sample: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    'at-least': { type: 'string', default: '80' },
  },
});
const work = mkdtempSync(join(tmpdir(), 'bearings-mutation-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));

let below = 0;
for (const folder of values.folder) {
  const { score, faults } = await measure(folder);
  if (faults > 0 && score < Number(values['at-least'])) below += 1;
}
process.exit(below === 0 ? 0 : 1);

async function measure(folder) {
  const mutants = sampleOf(folder);
  writeFileSync(join(work, 'mutants.json'), JSON.stringify(mutants));
  const judge = await startJudge(folder);
  const survivors = [];
  for (const mutant of mutants) {
    const verdict = await judge.of(mutant);
    if (verdict !== 'noticed') survivors.push({ ...mutant, verdict });
  }
  judge.end();
  const noticed = mutants.length - survivors.length;
  const score = (noticed / Math.max(1, mutants.length)) * 100;
  for (const { file, line, before, after, verdict } of survivors)
    console.log(`  ${file}:${line}  ${verdict}: ${short(before)} → ${short(after)}`);
  const sample = `${noticed} of ${mutants.length} faults noticed, seed ${values.seed}`;
  console.log(`${folder.padEnd(10)} ${score.toFixed(1)} %  (${sample})`);
  return { score, faults: mutants.length };
}

// First all tests without a fault, to learn which file runs which place; then for each fault the quickest file first.
// No answer in time, or an end of the process, is a fault noticed too.
async function startJudge(folder) {
  let runner = startRunner();
  const dry = await runner.ask({ cover: true, files: testFiles(folder) }, 3_600_000);
  if (!dry?.ok) throw new Error('no test passes without any fault');
  for (const file of dry.failed) console.log(`left out, because it fails without any fault: ${file}`);
  return {
    end: () => runner.end(),
    async of(mutant) {
      const files = (dry.covering[mutant.id] ?? []).sort((a, b) => dry.times[a] - dry.times[b]);
      for (const file of files) {
        const answer = await runner.ask({ mutant: mutant.id, files: [file] }, 60_000 + 5 * dry.times[file]);
        if (answer?.ok) continue;
        if (answer === null) runner = startRunner();
        return 'noticed';
      }
      return files.length === 0 ? 'not run by any test' : 'survived';
    },
  };
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

function testFiles(folder) {
  const beside = readdirSync(join(root, 'src', folder), { recursive: true }).filter((name) =>
    name.endsWith('.test.ts'),
  );
  return [...beside.map((name) => `src/${folder}/${name}`), ...ACROSS[folder].map((name) => `test/${name}.test.ts`)];
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
