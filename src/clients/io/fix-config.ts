import { atomicWrite } from '../../files/atomic-write.ts';
import { dirname } from '../../files/paths.ts';
import type { AppContext } from '../../settings/app-context.ts';
import { problemsOf } from '../../settings/resolve.ts';
import { readClientFile } from './client-file.ts';

const MAX_ROUNDS = 200;

// Lines that are wrong become comments, one after the other, until the rest is right. The old file is saved next to it.
export async function fixConfig(app: AppContext): Promise<string> {
  const saved = new Set<string>();
  const lines: string[] = [];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const [problem] = (await app.configFiles()).flatMap(problemsOf);
    if (!problem) break;
    const path = app.configPath(problem.file);
    const scope = dirname(path) === app.home ? null : dirname(dirname(path));
    const text = readClientFile(path, problem.file, scope) ?? '';
    if (!saved.has(path)) atomicWrite(`${path}.before`, text, 0o600, scope);
    saved.add(path);
    const all = text.split('\n');
    const at = Math.min(problem.line, all.length) - 1;
    // A line that is a comment already can't be what is wrong: then the whole file goes aside.
    const isDone = (all[at] ?? '').startsWith('#');
    const next = isDone ? all.map((line) => (line.startsWith('#') ? line : `# ${line}`)) : all.with(at, `# ${all[at]}`);
    atomicWrite(path, next.join('\n'), scope === null ? 0o600 : 0o644, scope);
    lines.push(`${problem.file}:${at + 1}: ${isDone ? 'and all others' : next[at]}`);
  }
  const count = `${lines.length} ${lines.length === 1 ? 'line is' : 'lines are'} a comment now`;
  return [...lines, `${count}; the file as it was is next to it (.before)`].join('\n');
}
