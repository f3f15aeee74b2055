import { sortedByCodePoint } from '../code-points.ts';
import { isPlainFile } from '../files/file-fingerprint.ts';
import { join } from '../files/paths.ts';
import type { IndexView } from '../matching/index/index-view.ts';
import { match } from '../matching/match.ts';
import { parseQuery } from '../matching/query.ts';
import { rank } from '../matching/rank.ts';
import { givenPassages } from '../matching/score-passages.ts';
import { whyPrivate } from '../matching/text/paths.ts';
import { createTokenizer, type Tokenizer } from '../matching/text/terms.ts';
import { gitWarnings } from '../project/io/git.ts';
import { readSource } from '../project/io/index/read-parts.ts';
import { type Project, projectFolder } from '../project/io/open-project.ts';
import { type Progress, type ProjectFiles, projectIndexes } from '../project/project-indexes.ts';
import type { AppContext } from '../settings/app-context.ts';
import type { Policy } from './policy/policy.ts';
import type { Matched, UnindexedFile } from './slices/matched.ts';

// More than any budget takes; the rest of what fits is named by the policy's patterns or not at all.
const MOST_MATCHES = 50;
// A count and not a time: the same project gives the same bundle.
const MOST_FILES = 200_000;

// Which files fit the words of the task, by matching alone: all above its threshold, with the parts of their scores.
export async function matchTask(
  {
    task,
    policy,
    project,
    app,
    onProgress,
  }: { task: string; policy: Policy; project: Project; app: AppContext; onProgress?: Progress | undefined },
  mostFiles = MOST_FILES,
): Promise<{ matched: Matched | null; warnings: string[] }> {
  if (policy.match === null || task === '') return { matched: null, warnings: [] };
  const { include, history: depth } = policy.match;
  const patterns = include.length > 0 ? include : [...new Set(policy.intents.flatMap((intent) => intent.include))];
  const listed = new Set(patterns.flatMap((pattern) => project.listUnignored(pattern)));
  const names = sortedByCodePoint(listed);
  if (names.length > mostFiles) {
    const warning = `matching is left out: its patterns name more than ${mostFiles} files. Narrow match.include in the policy.`;
    return { matched: null, warnings: [warning] };
  }
  const tokenizer = createTokenizer();
  const projects = projectIndexes({ cacheFolder: app.cacheFolder, tokenizer });
  const files = { names, prints: project.fingerprints(names) };
  const matched = await projects.ask(project.root, { files, onProgress }, async ({ view, history: newest }) => {
    const history = depth === null ? null : await newest(depth);
    const words = new Map(
      match(view, task, tokenizer, 0).flatMap(([path, found]) => (found ? [[path, found.words] as const] : [])),
    );
    const read = (path: string) => readSource(project.root, path);
    const options = { tokenizer, history, top: MOST_MATCHES, read };
    return {
      files:
        words.size === 0
          ? []
          : rank(view, task, options).map((found) => ({ ...found, words: words.get(found.path) ?? [] })),
      standing: (path: string) => ({
        listed: listed.has(path),
        indexed: view.idOf(path) !== undefined,
        words: words.get(path) ?? [],
      }),
      unindexed: unindexedIn(view, files, { list: tokenizer.list, root: project.root, task }),
      passages: givenPassages(view, parseQuery(task, tokenizer), tokenizer),
      history: history && { head: history.head, depth: history.commits.length },
    };
  });
  return { matched, warnings: gitWarnings(project.root) };
}

// What no index holds: links, pipes, what can't be read or is not text. Files made to hold secrets are not even named.
function unindexedIn(
  view: IndexView,
  files: ProjectFiles,
  { list, root, task }: { list: Tokenizer['list']; root: string; task: string },
): UnindexedFile[] {
  const terms = new Set(list(task));
  const isCalled = (name: string, place: number) =>
    !isPlainFile(files.prints, place) &&
    list(name).some((term) => terms.has(term)) &&
    projectFolder(join(root, name)) === null;
  return files.names.flatMap((path, place) =>
    view.idOf(path) === undefined && whyPrivate(path) === null ? [{ path, called: isCalled(path, place) }] : [],
  );
}
