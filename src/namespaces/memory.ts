import { type ContextAnswer, contextUseCases, type Overview } from '../gate/serve-context.ts';
import type { NewWorkspace, WorkspaceEntry } from '../gate/workspaces.ts';
import { type ArgumentsOf, checkedMethods, type KeysOf } from '../known-keys.ts';
import { type BriefAnswer, memoryUseCases, type NotesAnswer } from '../memory/read-memory.ts';
import type { TasteEntry } from '../memory/taste-files.ts';
import type { AppContext, TargetLike } from '../settings/app-context.ts';
import { loadOnce } from './load-once.ts';
import { idOf, memoryFacts, textFacts, traced } from './trace-facts.ts';

export interface ReadOptions {
  /** Keeps every text within what the settings allow an agent. Default: whole texts. */
  forAgent?: boolean;
  /** A profile of the policy: only its parts of memory, within its tokens. */
  for?: string | undefined;
}

export interface NotesOptions {
  /** Keeps every text within what the settings allow an agent. Default: whole texts. */
  forAgent?: boolean;
  /** The first line, counted from 0. */
  offset?: number | undefined;
  /** How many lines, at most 2000. */
  limit?: number | undefined;
}

/** What lasts: tastes, brief, notes, log and gaps, and the workspaces they lie in. */
export interface Memory {
  /** Tastes, brief, notes, recent log and gaps of a workspace in their fixed order, with the warnings beside them. */
  read(target?: TargetLike, options?: ReadOptions): Promise<ContextAnswer>;

  /** What `read` gives, what an agent would get of it, and how many blocks no decision accounts for. */
  overview(target?: TargetLike, options?: Pick<ReadOptions, 'for'>): Promise<Overview>;

  /** A window of the notes, line by line; `next_offset` says where to go on. */
  readNotes(target?: TargetLike, options?: NotesOptions): Promise<NotesAnswer>;

  /** The brief: its text, its intent and the tastes that it declares. */
  readBrief(target?: TargetLike): Promise<BriefAnswer>;

  /** What a text costs an agent: characters, and tokens by a named tokenizer. */
  measure(text: string): Promise<{ characters: number; tokens: number; tokenizer: string }>;

  /** The names of all tastes, with how many lines each has. */
  listTastes(): Promise<TasteEntry[]>;

  /** One taste, by its name with or without `.md`. */
  readTaste(name: string): Promise<{ name: string; text: string }>;

  /** Makes an empty taste; what is in it is the person's. */
  createTaste(name: string): Promise<{ name: string; file: string }>;

  /** The workspaces of the home, and the one of the repository that `cwd` is in. */
  listWorkspaces(): Promise<WorkspaceEntry[]>;

  /** Makes a workspace: in the home by its id, or in the repository that `cwd` is in. */
  createWorkspace(wanted?: NewWorkspace): Promise<WorkspaceEntry>;

  /** Gives a workspace another id; its ledger goes with it. */
  renameWorkspace(from: string, to: string): Promise<WorkspaceEntry>;

  /** Moves a workspace aside; nothing is deleted. `kept` says where it lies now. */
  removeWorkspace(id: string): Promise<{ id: string; kept: string }>;
}

const READ: KeysOf<ReadOptions> = { 'forAgent?': 'flag', 'for?': 'text' };
const OVERVIEW: KeysOf<Pick<ReadOptions, 'for'>> = { 'for?': 'text' };
const NOTES: KeysOf<NotesOptions> = { 'forAgent?': 'flag', 'offset?': 'number', 'limit?': 'number' };
const NEW: KeysOf<NewWorkspace> = { 'id?': 'text', 'here?': 'flag' };
const ARGUMENTS: ArgumentsOf<Memory> = {
  read: { 'target?': 'target', 'options?': READ },
  overview: { 'target?': 'target', 'options?': OVERVIEW },
  readNotes: { 'target?': 'target', 'options?': NOTES },
  readBrief: { 'target?': 'target' },
  measure: { text: 'text' },
  listTastes: {},
  readTaste: { name: 'text' },
  createTaste: { name: 'text' },
  listWorkspaces: {},
  createWorkspace: { 'wanted?': NEW },
  renameWorkspace: { from: 'text', to: 'text' },
  removeWorkspace: { id: 'text' },
};

// Reading is what every first turn needs, so its code is there from the start.
export function memoryNamespace(app: AppContext, settled: () => Promise<void>): Memory {
  const reading = memoryUseCases(app);
  const contexts = contextUseCases(app);
  const fitted = async (target: TargetLike, name: string, context: ContextAnswer['context']) =>
    (await import('../loader/read-for.ts')).fitForProfile(app, target, { name, context });
  const tastes = loadOnce(async () => (await import('../memory/taste-files.ts')).tasteUseCases(app));
  const workspaces = loadOnce(async () => (await import('../gate/workspaces.ts')).workspaceUseCases(app));
  return checkedMethods('memory', ARGUMENTS, {
    read(target = {}, options = {}) {
      const facts = () => memoryFacts('search_memory', idOf(target));
      return traced({ name: 'search_memory', facts }, async (span) => {
        await settled();
        const { for: profile, ...rest } = options;
        const answer = await contexts.readContext(target, rest);
        const short = profile === undefined ? null : await fitted(target, profile, answer.context);
        const { context } = short ?? answer;
        if (span.isOn) span.set(textFacts('bearings.context', JSON.stringify(context)));
        return { context, warnings: [...answer.warnings, ...(short?.warnings ?? [])] };
      });
    },
    async overview(target = {}, options = {}) {
      await settled();
      const { for: profile } = options;
      const overview = await contexts.overview(target);
      if (profile === undefined) return overview;
      const { context, warnings } = await fitted(target, profile, overview.served);
      return { ...overview, context, served: context, warnings: [...overview.warnings, ...warnings] };
    },
    async readNotes(target = {}, options = {}) {
      await settled();
      return contexts.readNotes(target, options);
    },
    async readBrief(target = {}) {
      await settled();
      return contexts.readBrief(target);
    },
    measure: async (text) => reading.measure(text),
    listTastes: async () => (await tastes()).listTastes(),
    async readTaste(name) {
      await settled();
      return (await tastes()).readTaste(name);
    },
    createTaste: async (name) => (await tastes()).createTaste(name),
    listWorkspaces: async () => (await workspaces()).listWorkspaces(),
    createWorkspace: async (wanted = {}) => (await workspaces()).createWorkspace(wanted),
    renameWorkspace: async (from, to) => (await workspaces()).renameWorkspace(from, to),
    removeWorkspace: async (id) => (await workspaces()).removeWorkspace(id),
  });
}
