import { compareCodePoints } from '../code-points.ts';
import { BearingsError, invalidInput, notFound } from '../errors.ts';
import { sha256 } from '../files/file-fingerprint.ts';
import { dirname, join, neededPersonFolder, realPath } from '../files/paths.ts';
import type { AppContext } from '../settings/app-context.ts';
import { gitRoot } from '../settings/io/workspace-folders.ts';
import { workspaceHere } from '../settings/io/workspace-links.ts';
import { denyRules, entryState, startsFor, toolsOf, valueIn, workspaceIn } from './client-entry.ts';
import { hookFor, kindOf } from './client-hooks.ts';
import {
  CLIENT_MEMORIES,
  CLIENTS,
  type ClientSpec,
  ENTRY_NAME,
  entryFor,
  launchIn,
  type Scope,
} from './client-table.ts';
import type { FileLocation } from './file-location.ts';
import { clientNamed, type InstallRequest, option, placeOptions, scopeFor, workspaceFor } from './install-request.ts';
import {
  type Installed,
  type InstalledKind,
  installRecords,
  readClientFile,
  refused,
  removeClientFile,
  writeClientFile,
} from './io/client-file.ts';
import { locationPath, ownLaunch, projectOnPath, shellLine } from './io/client-locations.ts';
import { guardFile, putBack } from './io/guarded-files.ts';
import { pluginText } from './io/opencode-plugin.ts';
import type { EntryTools } from './json-entry.ts';
import { blockTools, confirmedNotes } from './notes-block.ts';

/** One file and what it would hold then. Null: no file. */
export interface FileChange {
  what: InstalledKind;
  /** For a person's eyes. */
  file: string;
  path: string;
  before: string | null;
  after: string | null;
  /** `restored`: byte for byte. `removed`: the file has changed since, so only our entry goes. */
  how: 'add' | 'change' | 'same' | 'restored' | 'removed' | 'gone';
}

export interface InstallPlan {
  client: string;
  title: string;
  scope: Scope;
  workspace: string | null;
  changes: FileChange[];
  next: string;
}

export function installUseCases(app: AppContext) {
  const records = installRecords(app.home);
  const project = () => gitRoot(app.cwd) ?? app.cwd;
  const pathOf = (client: ClientSpec, scope: Scope, what: InstalledKind): string | null => {
    if (what === 'guard') return guardFile(app.home);
    if (what === 'notes block') return client.instructions && join(project(), client.instructions);
    const isInMain = what === 'server' || (what === 'memory switch' && client.format === 'toml');
    const spot = (isInMain ? client.files : client.hooks)?.[scope];
    return spot ? locationPath(spot, project(), app.variables) : null;
  };

  // By its own file, or by a folder that holds nothing else.
  const isFound = (client: ClientSpec): boolean => {
    const home = neededPersonFolder(app.variables);
    const paths = [pathOf(client, 'user', 'server'), pathOf(client, 'user', 'rules')].filter((path) => path !== null);
    const folders = paths.map(dirname).filter((folder) => folder !== home);
    return [...paths, ...folders].some((path) => realPath(path) !== null);
  };

  const folderOf = (scope: Scope) => (scope === 'project' ? project() : null);

  const writeEntry = async (
    client: ClientSpec,
    { what, path, file, before, after }: FileChange,
    { scope, folder, step }: { scope: Scope; folder: string | null; step: number },
  ): Promise<void> => {
    if (after === null) return;
    const tools = await toolsOf(client, what, app.home);
    const known = records.find(path, what);
    const isOurs = known !== null && before !== null && sha256(before) === known.after_sha256;
    // The lines before a block stay its own while others write around it.
    const gap = what === 'notes block' ? (known?.broughtKeys ?? 0) : 0;
    // Without our entry: what the person had, also where an older install of ours is being replaced.
    const origin = isOurs
      ? known.hadFile
        ? records.before(known)
        : null
      : // A switch that was there is the person's own value.
        what === 'memory switch'
        ? before
        : before && (tools.take(before, gap) ?? before);
    const made = writeClientFile(path, { before, after, label: file, scope: folder });
    const look = tools.look(after);
    records.keep(
      {
        ...{ client: client.id, scope, what, name: ENTRY_NAME, path },
        broughtKeys: isOurs ? known.broughtKeys : gap || tools.brings(before ?? ''),
        made: isOurs ? known.made : made,
        hadFile: isOurs ? known.hadFile : before !== null,
        after_sha256: sha256(after),
        ...(what === 'notes block' && look.status === 'present' && { entry_sha256: sha256(String(look.value)) }),
        at: app.now().toISOString(),
        step,
      },
      origin,
    );
  };

  /** Each block that is kept, beside what is confirmed: `changed` means by somebody else. */
  const notesBlocks = async () => {
    const blocks = records.list().filter(({ what }) => what === 'notes block');
    const settings = blocks.length === 0 ? null : await app.settings();
    return blocks.map((record) => {
      const root = gitRoot(dirname(record.path)) ?? dirname(record.path);
      const block = { record, root, file: app.forPerson(record.path) };
      try {
        const before = readClientFile(record.path, block.file, root);
        const look = blockTools.look(before ?? '');
        const value = settings ? confirmedNotes(app, settings, root) : '';
        const isChanged = look.status === 'present' && sha256(String(look.value)) !== record.entry_sha256;
        const state =
          look.status !== 'present' ? 'gone' : isChanged ? 'changed' : look.value === value ? 'current' : 'behind';
        return { ...block, state, before, value, problem: BLOCK_PROBLEMS[state] ?? null };
      } catch (error) {
        if (!(error instanceof BearingsError)) throw error;
        return { ...block, state: 'unreadable' as const, before: null, value: '', problem: error.message };
      }
    });
  };

  return {
    notesBlocks,

    /** After a decision. A block that somebody else changed, or took out, stays as it is. */
    async refreshNotesBlocks(): Promise<void> {
      for (const { record, root, file, state, before, value, problem } of await notesBlocks()) {
        const { what, path, scope, client } = record;
        if (problem !== null) app.warn(`${file} ${problem} See: bearings export --keep ${client}`);
        if (state !== 'behind') continue;
        const change = { what, path, file, before, after: blockTools.put(before ?? '', value), how: 'change' as const };
        await writeEntry(clientNamed(client), change, { scope, folder: root, step: 0 }).catch((error: unknown) => {
          if (!(error instanceof BearingsError)) throw error;
          app.warn(error.message);
        });
      }
    },

    async planInstall(request: InstallRequest): Promise<InstallPlan> {
      const client = clientNamed(request.client);
      const settings = await app.settings();
      // The person's own files, where its memory is guarded: a clone must not have a say in it.
      const scope = request.guard
        ? 'user'
        : request.keep
          ? 'project'
          : scopeFor(client, settings, app.cwd, request.scope);
      const { id, title } = client;
      const next = isFound(client) ? client.next : `${title} was not found on this machine. ${client.next}`;
      const plan = { client: id, title, scope, workspace: null, next };
      const changes: FileChange[] = [];
      const add = async (what: InstalledKind, value: unknown): Promise<void> => {
        const place = { app, path: pathOf(client, scope, what), scope: folderOf(scope) };
        const tools = await toolsOf(client, what, app.home);
        changes.push(await planned(place, what, { tools, value }, changes));
      };
      if (request.keep) {
        if (client.instructions === null)
          throw invalidInput(
            `${client.title} reads no instructions of a project.`,
            'For example: claude-code or codex',
          );
        const notes = confirmedNotes(app, settings, project());
        await add('notes block', notes);
        if (notes === '' && changes.every(({ how }) => how === 'add'))
          throw notFound('This project has no confirmed notes to keep yet.', 'Decide on what waits: bearings review');
        // A block that another home wrote becomes one that this home keeps.
        for (const change of changes)
          if (change.how === 'same' && !records.find(change.path, 'notes block')) change.how = 'change';
        return { ...plan, title: readersOf(client), changes, next: UP_TO_DATE };
      }
      if (request.guard) {
        const memory = CLIENT_MEMORIES[client.id];
        if (!memory)
          throw invalidInput(
            `${client.title} has no memory of its own that we know of.`,
            `It can be guarded for: ${Object.keys(CLIENT_MEMORIES).join(', ')}.`,
          );
        if (memory.switch) await add('memory switch', false);
        await add('guard', true);
        return { ...plan, changes, next: GUARDED };
      }
      const workspace = workspaceFor(client, settings, app, { ...request, scope });
      if (request.rules) {
        if (client.id !== 'claude-code')
          throw invalidInput(`${client.title} has no rules of its own that we know of.`, 'See docs/security.md');
        await add('rules', denyRules(app.home));
        return { ...plan, workspace, changes };
      }
      // Paths of this machine, of the program or of its folders, stay out of what others share.
      const launchFor = (spot: FileLocation | null, words: readonly string[]) => {
        const isShared = spot?.base === 'project' && !spot.isPrivate;
        const { command, args } = ownLaunch(app.variables, project(), isShared);
        const named = workspace === null ? [] : option('--workspace', workspace);
        return { command, args: [...args, ...words, ...named, ...(isShared ? [] : placeOptions(app))] };
      };
      await add('server', entryFor(client, launchFor(client.files[scope], ['mcp'])));
      if (client.hooks && (request.hook ?? true))
        for (const event of client.hooks.events) {
          const { command, args } = launchFor(client.hooks[scope], ['hook', event, '--client', client.id]);
          const words = [command, ...args];
          const started = client.hooks.entry === 'plugin' ? pluginText(words, event) : shellLine(words);
          await add(kindOf(event), hookFor(event, client.hooks, started));
        }
      return { ...plan, workspace, changes };
    },

    async applyInstall(plan: InstallPlan): Promise<void> {
      const onPath = projectOnPath(app.variables, project());
      if (onPath !== null) app.warn(onPath);
      const client = clientNamed(plan.client);
      for (const [step, change] of plan.changes.entries())
        if (change.how !== 'same')
          await writeEntry(client, change, { scope: plan.scope, folder: folderOf(plan.scope), step });
    },

    async planUndo(
      request: Pick<InstallRequest, 'client' | 'scope' | 'guard' | 'rules' | 'keep'>,
    ): Promise<InstallPlan> {
      const client = clientNamed(request.client);
      const { scope, guard, rules, keep = false } = request;
      const isMeant = (record: Installed): boolean => {
        const { what } = record;
        // Several clients read one file of instructions.
        if (keep ? what !== 'notes block' : what === 'notes block' || record.client !== client.id) return false;
        const isOfGuard = what === 'guard' || what === 'memory switch';
        if ((guard || rules) && !(guard && isOfGuard) && !(rules && what === 'rules')) return false;
        if (scope !== undefined && record.scope !== scope) return false;
        return pathOf(client, record.scope, what) === record.path;
      };
      const known = records.list().filter(isMeant);
      const [first] = known;
      if (!first && keep)
        throw notFound(
          `No notes are kept in ${client.instructions ?? `a file that ${client.title} reads`}.`,
          `Keep them there: bearings export --keep ${client.instructions ? client.id : 'claude-code'}`,
        );
      if (!first)
        throw notFound(`${client.title} was not set up from here.`, `Set it up with: bearings install ${client.id}`);
      const changes: FileChange[] = [];
      // The last first, each from what the one before it leaves: two of them may be in one file.
      for (const record of known.sort(byOrder).reverse()) {
        const tools = await toolsOf(client, record.what, app.home);
        const label = app.forPerson(record.path);
        const later = changes.find(({ path }) => path === record.path);
        const now = later ? later.after : readClientFile(record.path, label, folderOf(record.scope));
        changes.unshift(undone(record, { label, now, before: records.before(record), tools }));
      }
      const { id, next } = client;
      const title = keep ? readersOf(client) : client.title;
      return { client: id, title, scope: first.scope, workspace: null, changes, next };
    },

    async applyUndo(plan: InstallPlan): Promise<void> {
      // The last first: the one that made a folder finds it empty again.
      for (const { what, path, file, before, after, how } of [...plan.changes].reverse()) {
        const record = records.find(path, what);
        if (!record) continue;
        if (how !== 'gone') {
          const scope = folderOf(record.scope);
          if (readClientFile(path, file, scope) !== before) throw refused(file, 'it was changed at the same moment');
          if (after === null) removeClientFile(path, record.made);
          else writeClientFile(path, { before, after, label: file, scope });
        }
        // Forgotten last: an undo that was killed is done again.
        if (what === 'guard') putBack(app.home, plan.client, app.now());
        records.forget(record);
      }
    },

    /** The project's own file that names a workspace which is not the project's, unless the person wrote it with install. */
    async foreignPin(workspace: string): Promise<string | null> {
      const settings = await app.settings();
      if (workspaceHere(settings.folders, app.cwd)?.id === workspace) return null;
      for (const client of CLIENTS) {
        const path = pathOf(client, 'project', 'server');
        if (path === null || records.list().some((record) => record.path === path)) continue;
        const text = readClientFile(path, app.forPerson(path), null);
        if (text !== null && startsFor(await valueIn(client, text), workspace)) return app.forPerson(path);
      }
      return null;
    },

    /** `found`: it keeps files of its own on this machine. */
    async clientStates() {
      const all = records.list();
      return Promise.all(
        CLIENTS.map(async (client) => {
          const { id, title } = client;
          const own = all.filter((record) => record.client === id && record.what === 'server');
          const installed = await Promise.all(
            own.map(async ({ scope, path }) => {
              const tools = await toolsOf(client, 'server', app.home);
              const look = entryState(path, app.forPerson(path), tools);
              const args = look.status === 'present' ? launchIn(look.value).args : [];
              return { scope, file: app.forPerson(path), workspace: workspaceIn(args) };
            }),
          );
          return { client: id, title, found: isFound(client), installed };
        }),
      );
    },
  };
}

async function planned(
  { app, path, scope }: { app: AppContext; path: string | null; scope: string | null },
  what: InstalledKind,
  entry: { tools: EntryTools; value: unknown },
  earlier: readonly FileChange[],
): Promise<FileChange> {
  if (path === null) throw invalidInput('This client has no file of that scope.', 'Leave --scope out.');
  const file = app.forPerson(path);
  // From what the change before it leaves: two of them may be in one file.
  const last = earlier.findLast((change) => change.path === path);
  const before = last ? last.after : readClientFile(path, file, scope);
  const look = entry.tools.look(before ?? '');
  if (look.status === 'broken') throw refused(file, look.reason);
  const same = look.status === 'present' && JSON.stringify(look.value) === JSON.stringify(entry.value);
  const after = same ? before : entry.tools.put(before ?? '', entry.value);
  if (after === null) throw refused(file, 'its servers are written in a form that can’t be added to');
  return { what, file, path, before, after, how: same ? 'same' : look.status === 'present' ? 'change' : 'add' };
}

function undone(
  record: Installed,
  { label, now, before, tools }: { label: string; now: string | null; before: string | null; tools: EntryTools },
): FileChange {
  const { what, path } = record;
  const change = { what, file: label, path, before: now };
  const origin = record.hadFile ? before : null;
  if (now === null) return { ...change, after: null, how: 'gone' };
  if (sha256(now) === record.after_sha256 && (origin !== null || !record.hadFile))
    return { ...change, after: origin, how: 'restored' };
  const look = tools.look(now);
  if (look.status === 'broken') throw refused(label, look.reason);
  if (look.status === 'absent') return { ...change, after: now, how: 'gone' };
  const own = what === 'memory switch' && origin !== null ? tools.look(origin) : null;
  const after = own?.status === 'present' ? tools.put(now, own.value) : tools.take(now, record.broughtKeys);
  if (after === null) throw refused(label, 'our entry can’t be told apart from the rest');
  return { ...change, after, how: 'removed' };
}

function readersOf({ instructions }: ClientSpec): string {
  return CLIENTS.flatMap((client) => (client.instructions === instructions ? [client.title] : [])).join(', ');
}

const UP_TO_DATE = 'Every decision brings it up to date.';
const BLOCK_PROBLEMS: Readonly<Record<string, string>> = {
  changed:
    'has a block that Bearings keeps and that somebody else changed: it is left as it is. See the change and take it back: bearings export --keep.',
  gone: 'holds no block of ours any more.',
};

const GUARDED = 'What it writes into its own memory from now on waits in bearings review.';

// The changes of one install may be made within a millisecond.
const byOrder = (a: Installed, b: Installed): number => compareCodePoints(a.at, b.at) || (a.step ?? 0) - (b.step ?? 0);
