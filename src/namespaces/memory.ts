import { type ContextAnswer, contextUseCases, type Overview } from '../gate/serve-context.ts';
import type { NewWorkspace, WorkspaceEntry } from '../gate/workspaces.ts';
import { type KeysOf, knownKeys } from '../known-keys.ts';
import { type BriefAnswer, memoryUseCases, type NotesAnswer } from '../memory/read-memory.ts';
import type { TasteEntry } from '../memory/taste-files.ts';
import type { AppContext, TargetLike } from '../settings/app-context.ts';
import { loadOnce } from './load-once.ts';

export interface ReadOptions {
  /** Keeps every text within what the settings allow an agent. Default: whole texts. */
  forAgent?: boolean;
}

export interface NotesOptions extends ReadOptions {
  /** The first line, counted from 0. */
  offset?: number | undefined;
  /** How many lines, at most 2000. */
  limit?: number | undefined;
}

const READ: KeysOf<ReadOptions> = { forAgent: true };
const NOTES: KeysOf<NotesOptions> = { forAgent: true, offset: true, limit: true };
const NEW: KeysOf<NewWorkspace> = { id: true, here: true };

// Reading is what every first turn needs, so its code is there from the start.
export function memoryNamespace(app: AppContext) {
  const reading = memoryUseCases(app);
  const contexts = contextUseCases(app);
  const tastes = loadOnce(async () => (await import('../memory/taste-files.ts')).tasteUseCases(app));
  const workspaces = loadOnce(async () => (await import('../gate/workspaces.ts')).workspaceUseCases(app));
  return {
    /** Tastes, brief, notes, recent log and gaps of a workspace in their fixed order, with the warnings beside them. */
    async read(target: TargetLike = {}, options: ReadOptions = {}): Promise<ContextAnswer> {
      return contexts.readContext(target, knownKeys(options, READ, 'memory.read'));
    },

    /** What `read` gives, what an agent would get of it, and how many blocks no decision accounts for. */
    async overview(target: TargetLike = {}): Promise<Overview> {
      return contexts.overview(target);
    },

    /** A window of the notes, line by line; `next_offset` says where to go on. */
    async readNotes(target: TargetLike = {}, options: NotesOptions = {}): Promise<NotesAnswer> {
      return reading.readFullNotes(target, knownKeys(options, NOTES, 'memory.readNotes'));
    },

    /** The brief: its text, its intent and the tastes that it declares. */
    async readBrief(target: TargetLike = {}): Promise<BriefAnswer> {
      return reading.readBrief(target);
    },

    /** What a text costs an agent: characters, and tokens by a named tokenizer. */
    async measure(text: string): Promise<{ characters: number; tokens: number; tokenizer: string }> {
      return reading.measure(text);
    },

    /** The names of all tastes, with how many lines each has. */
    async listTastes(): Promise<TasteEntry[]> {
      return (await tastes()).listTastes();
    },

    /** One taste, by its name with or without `.md`. */
    async readTaste(name: string): Promise<{ name: string; text: string }> {
      return (await tastes()).readTaste(name);
    },

    /** Makes an empty taste; what stands in it is the person's. */
    async createTaste(name: string): Promise<{ name: string; file: string }> {
      return (await tastes()).createTaste(name);
    },

    /** The workspaces of the home, and the one of the repository that `cwd` is in. */
    async listWorkspaces(): Promise<WorkspaceEntry[]> {
      return (await workspaces()).listWorkspaces();
    },

    /** Makes a workspace: in the home by its id, or in the repository that `cwd` is in. */
    async createWorkspace(wanted: NewWorkspace = {}): Promise<WorkspaceEntry> {
      return (await workspaces()).createWorkspace(knownKeys(wanted, NEW, 'memory.createWorkspace'));
    },

    /** Gives a workspace another id; its ledger goes with it. */
    async renameWorkspace(from: string, to: string): Promise<WorkspaceEntry> {
      return (await workspaces()).renameWorkspace(from, to);
    },

    /** Moves a workspace aside; nothing is deleted. `kept` says where it lies now. */
    async removeWorkspace(id: string): Promise<{ id: string; kept: string }> {
      return (await workspaces()).removeWorkspace(id);
    },
  };
}
