// A process of its own for the tests: ranks once, or ends itself without a word after so many files.
import { openBearings } from '../../dist/index.js';

const [project, cache, text, killAfter] = process.argv.slice(2);
const bearings = openBearings({ home: `${cache}/home`, variables: { BEARINGS_CACHE: cache, HOME: cache } });
const found = await bearings.matching.rank(text, {
  project,
  onProgress: (done) => {
    if (killAfter !== undefined && done >= Number(killAfter)) process.kill(process.pid, 'SIGKILL');
  },
});
process.stdout.write(JSON.stringify(found));
