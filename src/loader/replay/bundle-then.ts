import { sha256 } from '../../files/file-fingerprint.ts';
import { join, realPath, relative, sep } from '../../files/paths.ts';
import { readLastRecords, readText } from '../../files/read-file.ts';
import { textAt } from '../../gate/accounting/go-back.ts';
import { accountedBrief, accountedNotes, accountedTaste } from '../../gate/domains/accounted-files.ts';
import { isRecord, RECENT_RECORDS } from '../../json.ts';
import { parseBrief } from '../../memory/brief-and-notes.ts';
import { type CommitStates, commitStates } from '../../project/io/commit-states.ts';
import { whyNotPlainName } from '../../safety/hidden-characters.ts';
import type { AppContext, Settings } from '../../settings/app-context.ts';
import { gitRoot, type Workspace } from '../../settings/io/workspace-folders.ts';
import type { Bundle } from '../bundle/bundle.ts';
import { bundleForAgent, loadForAgent } from '../bundle/for-agent.ts';
import { OWN_POLICY } from '../choose-policy.ts';
import { copyInto, writeInto } from '../io/temporary-folder.ts';
import { bundleLoader, type LoadRequest } from '../load.ts';

export type BundlesThen = ReturnType<typeof bundlesThen>;
interface ServedBundle {
  hash: string;
  text: string | null;
  head: string | null;
}

// Bundles of a project at the commits of then: read from git into a folder of their own, no work tree is touched.
export function bundlesThen(app: AppContext, { project, folder }: { project: string; folder: string }) {
  const top = gitRoot(project);
  const wholes = new Set<string>();
  let states: Promise<CommitStates | null> | null = null;
  const standing = async (head: string): Promise<CommitStates | null> => {
    states ??= top === null ? Promise.resolve(null) : commitStates(top, join(folder, 'tree')).catch(() => null);
    const found = await states;
    return found && (await found.stand(head)) ? found : null;
  };
  const inTree = ({ folder: tree }: CommitStates, place: string) =>
    join(tree, relative(top ?? '', realPath(place) ?? place));

  return {
    /** Is it the whole of a bundle that was rebuilt before? */
    again: (hash: string) => wholes.has(hash),

    /** Files of a folder of the repository as they are in a commit; null where that can't be told. */
    async memoryAt(head: string | null, place: string) {
      const isInside = top !== null && `${realPath(place) ?? place}${sep}`.startsWith(`${top}${sep}`);
      const found = isInside && head !== null ? await standing(head) : null;
      return found && ((file: string) => textOf(join(inTree(found, place), file), found.folder));
    },

    async rebuilt(given: unknown, { hash, text, head }: ServedBundle, memory: MemoryThen | null): Promise<Outcome> {
      if (!isRecord(given) || typeof given.task !== 'string')
        return lost('the request was not stored: it held a secret');
      const { image_id, ...asked } = given;
      if (Array.isArray(asked.adapters) && asked.adapters.length > 0)
        return lost(`what ${asked.adapters.join(', ')} gave then is not stored: it came from outside`);
      if (head === null) return lost('no commit is known: the project was not in git');
      // Enough of a commit's name to know it by.
      const commit = head.slice(0, 9);
      const at = await standing(head);
      if (at === null) return lost(`commit ${commit} is not in this repository: fetch it, or name the project`);
      const dir = inTree(at, project);
      if (realPath(dir) !== dir) return lost(`commit ${commit} has no such folder`);
      const { receipt: _, ...request } = { ...asked, dir, workspace: image_id } as LoadRequest;
      const settings = memory && { ...memory.settings, workspace: () => memory.workspace };
      const place = { ...app, cwd: dir, home: join(folder, 'home'), cacheFolder: join(folder, 'cache') };
      const load = bundleLoader({ ...place, settings: settings ? async () => settings : app.settings });
      const build = async (): Promise<Bundle> => {
        const bundle = await loadForAgent(async (each) => (await load(each)).bundle, request);
        wholes.add(sha256(JSON.stringify(bundle)));
        return bundle;
      };
      const first = bundleForAgent(await build());
      if (sha256(JSON.stringify(first)) === hash) return SAME;
      // A policy that is not committed is taken as it is today.
      if (![null, textOf(join(dir, OWN_POLICY), dir)].includes(textOf(join(project, OWN_POLICY), project))) {
        copyInto(dir, OWN_POLICY, { project, path: OWN_POLICY });
        if (sha256(JSON.stringify(bundleForAgent(await build()))) === hash) return SAME;
        await at.stand(head);
      }
      if (text === null) return differs(TEXT_GONE);
      return differs(...bundleCauses(parsed(text), first, { commit, textAt: (path) => textOf(join(dir, path), dir) }));
    },
  };
}

function textOf(path: string, scope: string): string | null {
  const read = readText(path, scope);
  return read.status === 'ok' ? read.value.text : null;
}

/** `same`: rebuilt to the very bytes. `lost`: what it was made of is no longer held. */
export interface Outcome {
  verdict: 'same' | 'differs' | 'lost';
  causes: string[];
}

export const SAME: Outcome = { verdict: 'same', causes: [] };
export const TEXT_GONE = 'the text that was served is no longer stored: only its hash is known';

export function differs(...causes: string[]): Outcome {
  return { verdict: 'differs', causes };
}

export function lost(cause: string): Outcome {
  return { verdict: 'lost', causes: [cause] };
}

/** What was served, as it was before it was a text. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const NAMES: Record<string, string> = { notes: 'notes.md', brief: 'brief.md', recent_log: 'log', recent_gaps: 'gaps' };

/** Which parts of a context are others than they were, and why that can be. */
export function contextCauses(served: unknown, rebuilt: unknown): string[] {
  const [then, now] = [partsOf(served), partsOf(rebuilt)];
  const names = [...new Set([...then.keys(), ...now.keys()])].filter((name) => then.get(name) !== now.get(name));
  return names.map((name) => {
    if (name === 'log' || name === 'gaps') return `${name}: its records changed since`;
    return `${name}: it changed since, and no stored decision says how`;
  });
}

function partsOf(context: unknown): Map<string, string> {
  const parts = new Map<string, string>();
  if (!isRecord(context)) return parts;
  for (const [key, value] of Object.entries(context)) {
    if (key !== 'tastes' || !isRecord(value)) parts.set(NAMES[key] ?? key, JSON.stringify(value));
    else {
      parts.set('tastes/_default.md', JSON.stringify(value.default));
      for (const [name, text] of Object.entries(isRecord(value.genres) ? value.genres : {}))
        parts.set(`tastes/${name}.md`, JSON.stringify(text));
    }
  }
  return parts;
}

/** Which files of a bundle are others than they were, and why. `textAt`: a file at that commit, null where it is not there. */
function bundleCauses(
  served: unknown,
  rebuilt: unknown,
  { commit, textAt }: { commit: string; textAt(path: string): string | null },
): string[] {
  const [then, now] = [excerptsOf(served), excerptsOf(rebuilt)];
  const causes: string[] = [];
  for (const [path, excerpt] of then) {
    if (now.get(path) === excerpt) continue;
    if (path.startsWith('tactical/')) {
      causes.push(`${path}: the workspace's memory changed since, and no stored decision says how`);
      continue;
    }
    const text = textAt(path);
    if (text === null) causes.push(`${path}: it is not in commit ${commit}; it was not committed`);
    else if (!holds(text, excerpt)) causes.push(`${path}: not as in commit ${commit}; it had uncommitted changes`);
  }
  if (causes.length > 0) return causes;
  const moved = [...new Set([...then.keys(), ...now.keys()])].filter((path) => then.get(path) !== now.get(path));
  return moved.map((path) => `${path}: chosen in another way; a file that was not committed took part`);
}

// Lines that say what is left out are ours; what was replaced as a secret is not in the file.
function holds(text: string, excerpt: string): boolean {
  const lines = new Set(text.split(/\r\n|\n|\r/));
  const all = excerpt.split(/\r\n|\n|\r/).filter((line) => !/^\[lines? \d|\[redacted:/.test(line));
  // The last one may be cut.
  return all.slice(0, -1).every((line) => lines.has(line)) && text.includes(all.at(-1) ?? '');
}

function excerptsOf(bundle: unknown): Map<string, string> {
  const files = isRecord(bundle) && Array.isArray(bundle.files) ? bundle.files : [];
  return new Map(
    files.flatMap((file): [string, string][] => (isRecord(file) ? [[String(file.path), String(file.excerpt)]] : [])),
  );
}

const MOST_RECORDS = 20_000;

/** Memory as it was at a time, in a folder of its own. */
export interface MemoryThen {
  settings: Settings;
  workspace: Workspace;
}

/** A text that takes the place of what the ledger gives; null: the file was not there. */
export type OtherText = (file: string) => string | null | undefined;

// Every later decision is taken back; records are those that were there by then.
export function memoryThen(
  settings: Settings,
  workspace: Workspace,
  { time, folder, other }: { time: string; folder: string; other: OtherText },
): MemoryThen {
  const then: Workspace = {
    ...workspace,
    folder: join(folder, 'workspace'),
    scope: workspace.scope === null ? null : folder,
  };
  const write = (path: string, text: string | null): void => {
    if (text !== null) writeInto(join(folder, path), text);
  };
  const known = other('brief.md');
  const brief = known === undefined ? textAt(accountedBrief(settings, workspace), time) : known;
  write('workspace/brief.md', brief);
  const notes = other('notes.md');
  write('workspace/notes.md', notes === undefined ? textAt(accountedNotes(settings, workspace), time) : notes);
  const declared = parseBrief(brief ?? '').brief.tastes.filter((name) => whyNotPlainName(name, '.md') === null);
  for (const name of new Set(['_default', ...declared]))
    write(`tastes/${name}.md`, textAt(accountedTaste(settings, name), time));
  for (const file of ['log.jsonl', 'vocabulary_gaps.jsonl'])
    write(`workspace/${file}`, recordsThen(join(workspace.folder, file), workspace.scope, time));
  return { settings: { ...settings, home: folder, tastesFolder: join(folder, 'tastes') }, workspace: then };
}

function recordsThen(path: string, scope: string | null, time: string): string | null {
  const read = readLastRecords(path, scope, MOST_RECORDS);
  if (read.status !== 'ok') return null;
  const isThere = (record: unknown) => String((record as { timestamp?: unknown }).timestamp ?? '') <= time;
  // The newest come first; the file has them last.
  const records = read.value.records.filter(isThere).slice(0, RECENT_RECORDS).reverse();
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}
