import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gitFolderOf } from '../../files/folders.ts';
import { entriesIn } from '../../files/paths.ts';
import { programVariables, type Variables } from '../../files/run-program.ts';
import { type Commit, type History, MOST_FILES } from '../../matching/signals/history.ts';
import type { IndexStore } from './index/index-store.ts';

// A repository's own settings must run nothing: no monitor, no hooks, no pager, no helper. A bare repository that lies
// among a project's files is not the project's.
const SAFE = [
  ...['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'core.pager=cat', 'core.quotePath=false'],
  ...['log.showSignature=false', 'safe.bareRepository=explicit', 'submodule.recurse=false'],
].flatMap((setting) => ['-c', setting]);
const PLAIN = [...SAFE, '--no-optional-locks', '--no-pager'];
// No protocol has the name `none`: nothing is fetched, by no helper.
const NO_NETWORK = { GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: '' };
const MAX_BYTES = 256 * 1024 * 1024;
const LIMIT_MS = 10_000;
const PAUSE_MS = 60_000;

// Repositories that git waited in (a pipe in place of a file is enough): for a while it is not asked there again.
const waitedIn = new Map<string, number>();

/** To be passed on wherever git was asked about a folder; none where it answered. */
export function gitWarnings(folder: string): string[] {
  const irregular = irregularFile(folder);
  if (irregular !== null) return [`git is left out, its history and its settings: ${irregular} is not a regular file.`];
  return isWaiting(folder) ? ['git did not answer in time: it is left out, its history and its settings.'] : [];
}

// Folders of a repository whose files git opens without a look at them; it would wait for a pipe.
const OPENED = ['.', 'info', 'objects/info', 'objects/pack'];
const MAX_REF_FOLDERS = 1_000;

function irregularFile(folder: string): string | null {
  const inTree = ['.gitignore', '.gitattributes', '.gitmodules'].filter((name) => isIrregular(join(folder, name)));
  const { own, shared } = gitFolderOf(folder) ?? { own: folder, shared: folder };
  const bare = existsSync(join(folder, 'objects')) ? [folder] : [];
  const inGit = [...new Set([own, shared, ...bare])].flatMap((top) => {
    const folders = [...OPENED, 'refs'];
    for (const name of folders) {
      for (const entry of entriesIn(join(top, name))) {
        const path = join(name, entry.name);
        if (entry.isDirectory()) {
          if (path.startsWith('refs') && name !== '.' && folders.length < MAX_REF_FOLDERS) folders.push(path);
        } else if (!entry.isFile() && isIrregular(join(top, path))) return [`.git/${path}`];
      }
    }
    return [];
  });
  return [...inTree, ...inGit][0] ?? null;
}

// A link counts as what it leads to.
function isIrregular(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && !stats.isFile() && !stats.isDirectory();
}

function isWaiting(folder: string): boolean {
  return Date.now() - (waitedIn.get(folder) ?? Number.NEGATIVE_INFINITY) < PAUSE_MS;
}

export interface GitOptions {
  /** Default: those of this process. */
  variables?: Variables;
  /** More settings, as git takes them from its environment. */
  settings?: Readonly<Record<string, string>>;
  timeoutMs?: number;
}

// What git prints, or null where there is no git, no repository, git refuses or takes too long: history only helps, it
// is never needed.
export function git(folder: string, args: readonly string[], options: GitOptions = {}): Promise<Buffer | null> {
  const { variables = process.env, settings = {}, timeoutMs = LIMIT_MS } = options;
  if (isWaiting(folder) || irregularFile(folder) !== null) return Promise.resolve(null);
  return new Promise((resolve) => {
    const child = spawn('git', [...PLAIN, ...args], {
      cwd: folder,
      // GIT_DIR and its kin, set by a hook or an outer git, stay out: the folder alone says which repository is meant.
      env: { ...programVariables([], variables, folder), LC_ALL: 'C', ...NO_NETWORK, ...settings },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const timer = setTimeout(() => {
      waitedIn.set(folder, Date.now());
      child.kill('SIGKILL');
      child.stdout.destroy();
      resolve(null);
    }, timeoutMs);
    const end = (printed: Buffer | null) => {
      clearTimeout(timer);
      resolve(printed);
    };
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_BYTES) child.kill();
      else chunks.push(chunk);
    });
    child.on('error', () => end(null));
    child.on('close', (code) => end(code === 0 ? Buffer.concat(chunks) : null));
  });
}

const MARK = '\u0001';

/** The commits without parents that the folder's state comes from: what all clones of one repository share. */
export async function firstCommits(folder: string): Promise<string[]> {
  const printed = await git(folder, ['rev-list', '--max-parents=0', 'HEAD', '--']);
  return printed?.toString('latin1').split('\n').filter(Boolean) ?? [];
}

// The newest commits with the files they touched, under the names these have today. Renames by content could abort in
// a partial clone: only exact ones are followed.
async function gitHistory(folder: string, head: string, depth: number): Promise<History | null> {
  const printed = await git(folder, [
    ...['log', '-n', String(depth), '--no-merges', '--no-ext-diff', '--no-textconv', '-M100%', '--name-status', '-z'],
    ...['--relative', `--format=${MARK}%s%x00`, head, '--', '.'],
  ]);
  if (!printed) return null;
  const today = new Map<string, string>();
  const commits: Commit[] = [];
  for (const record of printed.toString('utf8').split(MARK).slice(1)) {
    const [subject = '', ...fields] = record.split('\0');
    const files: string[] = [];
    const renames: [string, string][] = [];
    for (let i = 0; i < fields.length; i += 1) {
      const status = (fields[i] as string).trim();
      if (status === '') continue;
      const path = fields[++i] ?? '';
      const renamed = /^[RC]/.test(status) ? (fields[++i] ?? '') : null;
      if (renamed !== null && status.startsWith('R')) renames.push([path, renamed]);
      const name = renamed ?? path;
      files.push(today.get(name) ?? name);
    }
    for (const [from, to] of renames) today.set(from, today.get(to) ?? to);
    // Of a change of very many files only its words count: its files need not be kept.
    commits.push({ subject, files: files.length > MOST_FILES ? files.slice(0, MOST_FILES + 1) : files });
  }
  return { head, commits };
}

const FILE = 'history';

/** The newest commits of a project; read once for each head and depth. */
export class ProjectHistory {
  private readonly root: string;
  private readonly store: IndexStore;
  private last: { depth: number; history: History } | null = null;

  constructor(root: string, store: IndexStore) {
    this.root = root;
    this.store = store;
  }

  async newest(depth: number): Promise<History | null> {
    if (depth <= 0) return null;
    const printed = await git(this.root, ['rev-parse', '--is-shallow-repository', '--verify', 'HEAD']);
    const [shallow, head] = printed?.toString('latin1').trim().split('\n') ?? [];
    if (head === undefined) return null;
    // A shallow clone may grow without a new head: its history is read every time.
    if (shallow !== 'false') return gitHistory(this.root, head, depth);
    // Always the same object for the same history: who reads it keeps what was made of it.
    if (this.last?.depth === depth && this.last.history.head === head) return this.last.history;
    const stored = this.stored(head, depth);
    const history = stored ?? (await gitHistory(this.root, head, depth));
    if (history && !stored) this.write(history, depth);
    this.last = history && { depth, history };
    return history;
  }

  private stored(head: string, depth: number): History | null {
    const stored = this.store.read(FILE) as (History & { depth: number }) | null;
    return stored?.head === head && stored.depth === depth ? { head, commits: stored.commits } : null;
  }

  private write(history: History, depth: number): void {
    try {
      this.store.write(FILE, { ...history, depth });
    } catch {
      // No place to write: the next process asks git again.
    }
  }
}
