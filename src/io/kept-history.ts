import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { History } from '../matching/history.ts';
import { atomicWrite } from './atomic-write.ts';
import { git } from './git.ts';
import { gitHistory } from './git-history.ts';

// The newest commits; asked once per head. A shallow clone may grow without a new head: its past is never kept.
export async function keptHistory(root: string, depth: number, path: string): Promise<History | null> {
  const printed = await git(root, ['rev-parse', '--is-shallow-repository', '--verify', 'HEAD']);
  const [shallow, head] = printed?.toString('latin1').trim().split('\n') ?? [];
  if (head === undefined) return null;
  const kept = shallow === 'false' ? readKept(path) : null;
  if (kept?.head === head && kept.depth === depth) return kept;
  const history = await gitHistory(root, head, depth);
  if (history && shallow === 'false') keep(path, { ...history, depth });
  return history;
}

function readKept(path: string): (History & { depth: number }) | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

function keep(path: string, history: History & { depth: number }): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    atomicWrite(path, JSON.stringify(history), 0o600);
  } catch {
    // The next call asks git again.
  }
}
