import { ADAPTERS_FILE, readHomeAdapters } from '../loader/policy-files.ts';
import type { AppContext } from '../settings/app-context.ts';
import { type ConfigProblem, problemsOf } from '../settings/resolve.ts';

// All that is wrong in the files of settings, the person's own adapters among them.
export async function checkSettings(app: AppContext): Promise<ConfigProblem[]> {
  const adapters = (await readHomeAdapters(app.home)).problems;
  return [
    ...(await app.configFiles()).flatMap(problemsOf),
    ...adapters.map((problem) => ({ file: ADAPTERS_FILE, ...problem })),
  ];
}
