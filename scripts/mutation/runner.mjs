// A vitest that stays up: told what to ask and a test file, it answers whether the file passes. Its parent ends it when it hangs.
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
    globalSetup: [join(root, 'test/build.ts')],
    runner: join(root, 'scripts/mutation/test-runner.mjs'),
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

process.on('message', async ({ file, ...question }) => {
  writeFileSync(join(work, 'question.json'), JSON.stringify(question));
  try {
    process.send({ ok: await passes(file) });
  } catch (error) {
    process.send({ ok: false, reason: String(error) });
  }
});

async function passes(file) {
  const specifications = (await vitest.globTestSpecifications([file])).filter(
    ({ moduleId }) => relative(root, moduleId) === file,
  );
  const { testModules } = await vitest.runTestSpecifications(specifications);
  // It also tells of modules of earlier runs. Errors outside of tests don't count: a busy machine makes some of its own.
  const own = testModules.filter((module) => relative(root, module.moduleId) === file);
  return own.length === 1 && own[0].ok();
}
