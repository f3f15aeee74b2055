import { join } from 'node:path';
import { sortedByCodePoint } from '../code-point-order.ts';
import type { Progress } from '../io/index-builder.ts';
import type { Project } from '../io/project.ts';
import { sha256 } from '../io/sha256.ts';
import type { Matched } from '../loader/matched.ts';
import type { MatchRule, Policy } from '../loader/policy.ts';
import type { History } from '../matching/history.ts';
import type { Doors } from './house.ts';

interface MatchTask {
  task: string;
  policy: Policy;
  project: Project;
  doors: Doors;
  onProgress?: Progress | undefined;
}

// More than any budget takes; the rest of what fits is named by the policy's patterns or not at all.
const MOST_MATCHES = 50;
// Up to `flat` files one flat file is faster than a database; beyond it the index of `bearings match` answers. Bounds are
// counts, never times: the same project gives the same bundle.
const BOUNDS = { flat: 20_000, all: 200_000 };

// Which files fit the words of the task, by matching alone: all above its threshold, with the parts of their scores.
export async function matchTask(
  work: MatchTask,
  bounds = BOUNDS,
): Promise<{ matched: Matched | null; warnings: string[] }> {
  const { policy, project, task } = work;
  if (policy.match === null || task === '') return { matched: null, warnings: [] };
  const { include } = policy.match;
  const patterns = include.length > 0 ? include : [...new Set(policy.intents.flatMap((intent) => intent.include))];
  const names = sortedByCodePoint(new Set(patterns.flatMap((pattern) => project.listUnignored(pattern))));
  if (names.length > bounds.all) {
    const warning = `matching is left out: its patterns name more than ${bounds.all} files. Narrow match.include in the policy.`;
    return { matched: null, warnings: [warning] };
  }
  const found = names.length > bounds.flat ? largeProject(work, names) : smallProject(work, { names, patterns });
  return { matched: await found(policy.match), warnings: [] };
}

function smallProject(
  { task, project, doors, onProgress }: MatchTask,
  { names, patterns }: { names: readonly string[]; patterns: readonly string[] },
): (rule: MatchRule) => Promise<Matched> {
  const key = sha256([project.root, ...patterns].join('\0')).slice(0, 32);
  const place = join(doors.cacheFolder, 'match', key);
  return async (rule) => {
    const history = rule.history === null ? null : await pastOf(project, rule.history, `${place}.json`);
    const used = history && { head: history.head, depth: history.commits.length };
    const look = project.lookAt(names);
    const { rankedFiles } = await import('./loader-ranking.ts');
    const { root } = project;
    const files = await rankedFiles(task, { root, look, history, path: `${place}.bin`, top: MOST_MATCHES, onProgress });
    return { files, history: used };
  };
}

// Git is loaded only where the past is asked for.
async function pastOf(project: Project, depth: number, path: string): Promise<History | null> {
  const { keptHistory } = await import('../io/kept-history.ts');
  return keptHistory(project.root, depth, path);
}

function largeProject(
  { task, project, doors, onProgress }: MatchTask,
  only: readonly string[],
): (rule: MatchRule) => Promise<Matched> {
  return async (rule) => {
    const { matchingUseCases } = await import('./matching.ts');
    const matching = matchingUseCases(doors);
    const { matches } = await matching.relevantContext({ taskText: task }, { project: project.root, only, onProgress });
    const related = new Map(matches);
    const depth: number | false = rule.history ?? false;
    const ranked = await matching.rankedMatches(task, {
      project: project.root,
      only: [...related.keys()],
      top: MOST_MATCHES,
      history: depth,
      passages: 0,
      rescan: false,
    });
    const files = ranked.map(({ path, score, parts }) => ({
      path,
      score,
      parts,
      words: related.get(path)?.words ?? [],
    }));
    return { files, history: depth === false ? null : await matching.usedHistory(project.root, depth) };
  };
}
