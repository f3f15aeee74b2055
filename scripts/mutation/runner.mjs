// A vitest that stays up: told a fault and test files, it answers whether they pass. Its parent ends it when it hangs.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createVitest } from 'vitest/node';
import { withSwitches } from './mutants.mjs';

const work = process.argv[2];
const root = process.cwd();
const mutants = JSON.parse(readFileSync(join(work, 'mutants.json'), 'utf8'));

const vitest = await createVitest(
  'test',
  {
    ...{ watch: false, root, config: false, maxWorkers: 1, bail: 1, reporters: [{}], silent: true, pool: 'forks' },
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    setupFiles: [join(root, 'scripts/mutation/setup.mjs')],
    env: { BEARINGS_MUTATION: work },
    // The parent decides when it takes too long: a busy machine is no fault.
    ...{ testTimeout: 3_600_000, hookTimeout: 3_600_000 },
  },
  {
    plugins: [
      {
        name: 'faults',
        enforce: 'pre',
        transform(code, id) {
          const file = relative(root, id.split('?')[0]);
          const own = mutants.filter((mutant) => mutant.file === file);
          return own.length > 0 ? { code: withSwitches(code, own), map: null } : null;
        },
      },
    ],
  },
);

process.on('message', async ({ mutant = null, cover = false, files }) => {
  writeFileSync(join(work, 'active'), cover ? 'cover' : String(mutant));
  try {
    process.send(cover ? await coverAll(files) : await runFiles(files));
  } catch (error) {
    process.send({ ok: false, failed: [String(error)] });
  }
});

async function runFiles(files) {
  const specifications = (await vitest.globTestSpecifications(files)).filter(({ moduleId }) =>
    files.includes(relative(root, moduleId)),
  );
  const { testModules } = await vitest.runTestSpecifications(specifications);
  // It also tells of modules of earlier runs. Errors outside of tests don't count: a busy machine makes some of its own.
  const own = testModules.filter((module) => files.includes(relative(root, module.moduleId)));
  const failed = own.filter((module) => !module.ok()).map((module) => relative(root, module.moduleId));
  return { ok: failed.length === 0 && own.length === files.length, failed };
}

// One file after the other, so that every hit belongs to one file. Files that reach none of the faults never come again.
async function coverAll(files) {
  const covering = {};
  const times = {};
  const failed = [];
  const hits = join(work, 'hits.json');
  for (const file of files) {
    writeFileSync(hits, '[]');
    const begun = Date.now();
    const answer = await runFiles([file]);
    times[file] = Date.now() - begun;
    // A test that fails without any fault can't judge one.
    if (!answer.ok) {
      failed.push(file);
      continue;
    }
    for (const id of JSON.parse(readFileSync(hits, 'utf8'))) {
      covering[id] ??= [];
      covering[id].push(file);
    }
  }
  return { ok: failed.length < files.length, covering, times, failed };
}
