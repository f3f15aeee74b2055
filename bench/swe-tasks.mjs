// Tasks of SWE-bench: an issue's text, the commit before its patch, and the files of the patch.
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { git } from './retrieval-data.mjs';

/** `source`: rows of SWE-bench (.json, .jsonl), or a git directory of SWE-bench/swe-bench-tasks. Only of projects in `known`. */
export function tasksIn(source, known) {
  const tasks = statSync(source).isDirectory() ? tasksOfGit(source, known) : rowsIn(readFileSync(source, 'utf8'));
  return tasks.filter(({ repo }) => known.has(repo)).sort((a, b) => (a.instance_id < b.instance_id ? -1 : 1));
}

export function filesOfPatch(patch) {
  return [...new Set([...patch.matchAll(/^diff --git a\/(\S+)/gm)].map((match) => match[1]))];
}

/** JSON or JSONL. */
export function rowsIn(text) {
  return text.trimStart().startsWith('[')
    ? JSON.parse(text)
    : text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => JSON.parse(line));
}

function tasksOfGit(repository, known) {
  const show = (path) =>
    execFileSync('git', ['show', `HEAD:${path}`], { cwd: repository, maxBuffer: 1 << 28 }).toString();
  const ids = git(repository, 'ls-tree', '--name-only', 'HEAD', 'tasks/').split('\n').filter(Boolean);
  return ids.flatMap((path) => {
    const id = path.slice('tasks/'.length);
    const repo = id.replace(/-\d+$/, '').replace('__', '/');
    if (!known.has(repo)) return [];
    const facts = show(`${path}/task.yaml`);
    if (!facts.includes('SWE-bench_Verified')) return [];
    const base = /^base_commit: '?([0-9a-f]+)/m.exec(facts)?.[1];
    const [text, patch] = [show(`${path}/problem_statement.md`), show(`${path}/gold.patch`)];
    return [{ instance_id: id, repo, base_commit: base, problem_statement: text, patch }];
  });
}
