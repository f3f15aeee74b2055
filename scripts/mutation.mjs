// npm run mutation -- --folder safety [--sample 60|all] [--seed 1] [--file NAME]: how many small faults the tests notice.
// --near: only the tests beside the code, for a quick look.
// All sampled faults are compiled in at once and switched on one by one; each meets only the tests that run its place.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createChance } from './fuzz/chance.mjs';
import { judgeAll } from './mutation/judge.mjs';
import { mutantsOf } from './mutation/mutants.mjs';
import { optionsOf } from './options.mjs';

const root = new URL('..', import.meta.url).pathname;
// Beside the tests of the folder itself: those across folders that run its source. Tests of the built binary can't see a
// fault in the source; those of crashes and races would take hours.
const ACROSS = {
  safety: ['sanitise-corpus', 'fuzz/corpus'],
  config: ['any-bytes', 'fuzz/corpus'],
  memory: ['any-bytes', 'fuzz/corpus'],
  proposals: ['fuzz/corpus'],
  clients: ['fuzz/corpus'],
  loader: [
    ...['loader-budget', 'loader-cortex', 'loader-matching', 'loader-sanitise', 'loader-safety', 'loader-cli'],
    ...['adapter-faults', 'receipts', 'src/io/policy-file', 'src/io/pattern-walk', 'fuzz/corpus'],
  ],
  tasks: ['tasks-run', 'tasks-settings', 'task-schema', 'fuzz/corpus'],
  matching: ['matching', 'loader-matching', 'fuzz/corpus'],
};
// Faults that change nothing anybody could notice, each with its reason.
const EQUIVALENT = JSON.parse(readFileSync(join(root, 'scripts/mutation/equivalent.json'), 'utf8'));
const { values } = optionsOf(import.meta.url, {
  options: {
    folder: { type: 'string', multiple: true, default: Object.keys(ACROSS) },
    file: { type: 'string' },
    sample: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    near: { type: 'boolean', default: false },
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
  const { mutants, equivalent } = sampleOf(folder);
  writeFileSync(join(work, 'mutants.json'), JSON.stringify(mutants));
  const { survivors } = await judgeAll({ mutants, files: testFiles(folder), work, root, say: console.log });
  const noticed = mutants.length - survivors.length;
  const score = (noticed / Math.max(1, mutants.length)) * 100;
  for (const { file, line, before, after, verdict } of survivors)
    console.log(`  ${file}:${line}  ${verdict}: ${short(before)} → ${short(after)}`);
  const sample = `${noticed} of ${mutants.length} faults noticed, ${equivalent} equivalent, seed ${values.seed}`;
  console.log(`${folder.padEnd(10)} ${score.toFixed(1)} %  (${sample})`);
  return { score, faults: mutants.length };
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
  const isEquivalent = ({ file, text, before, after }) =>
    EQUIVALENT.some((one) => one.file === file && one.text === text && one.before === before && one.after === after);
  const wanted = values.sample === 'all' ? all.length : Number(values.sample);
  const chance = createChance(Number(values.seed));
  const chosen = [];
  while (chosen.length < wanted && all.length > 0) chosen.push(...all.splice(chance.below(all.length), 1));
  const mutants = chosen.filter((mutant) => !isEquivalent(mutant)).map((mutant, id) => ({ ...mutant, id }));
  return { mutants, equivalent: chosen.length - mutants.length };
}

function testFiles(folder) {
  const beside = readdirSync(join(root, 'src', folder), { recursive: true }).filter((name) =>
    name.endsWith('.test.ts'),
  );
  const near = beside.map((name) => `src/${folder}/${name}`);
  const across = ACROSS[folder].map((name) => (name.startsWith('src/') ? name : `test/${name}`));
  return values.near ? near : [...near, ...across.map((name) => `${name}.test.ts`)];
}

function short(text) {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 70 ? `${line.slice(0, 69)}…` : line;
}
