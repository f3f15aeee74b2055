import type { ContextAnswer, contextUseCases, Overview } from '../gate/serve-context.ts';
import type { NewWorkspace, WorkspaceEntry, workspaceUseCases } from '../gate/workspaces.ts';
import { type ArgumentsOf, checkedMethods, type KeysOf } from '../known-keys.ts';
import type { BriefAnswer, memoryUseCases, NotesAnswer } from '../memory/read-memory.ts';
import type { TasteEntry, tasteUseCases } from '../memory/taste-files.ts';
import type { TargetLike } from '../settings/app-context.ts';

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

interface Loads {
  memory(): Promise<ReturnType<typeof memoryUseCases> & ReturnType<typeof contextUseCases>>;
  tastes(): Promise<ReturnType<typeof tasteUseCases>>;
  workspaces(): Promise<ReturnType<typeof workspaceUseCases>>;
}

export function memoryNamespace({ memory, tastes, workspaces }: Loads): Memory {
  return checkedMethods('memory', ARGUMENTS, {
    read: async (target = {}, options = {}) => (await memory()).readContext(target, options),
    overview: async (target = {}, options = {}) => (await memory()).overview(target, options),
    readNotes: async (target = {}, options = {}) => (await memory()).readNotes(target, options),
    readBrief: async (target = {}) => (await memory()).readBrief(target),
    measure: async (text) => (await memory()).measure(text),
    listTastes: async () => (await tastes()).listTastes(),
    readTaste: async (name) => (await tastes()).readTaste(name),
    createTaste: async (name) => (await tastes()).createTaste(name),
    listWorkspaces: async () => (await workspaces()).listWorkspaces(),
    createWorkspace: async (wanted = {}) => (await workspaces()).createWorkspace(wanted),
    renameWorkspace: async (from, to) => (await workspaces()).renameWorkspace(from, to),
    removeWorkspace: async (id) => (await workspaces()).removeWorkspace(id),
  });
}
