import { openRooms } from '../bearings.ts';
import { invalidInput } from '../errors.ts';
import type { Session } from '../gate/sessions/sessions.ts';
import { checkOptions, type OptionsOf, text } from '../options.ts';
import { BEARINGS_OPTIONS } from '../settings/bearings-options.ts';
import {
  type Change,
  changesTo,
  type MemoryCommand,
  type MemoryFile,
  type MemoryFiles,
  runCommand,
} from './commands.ts';
import { gatedResources, type ResourceStorage } from './mastra.ts';
import { draftOf, newSource, type Source, sectionsOf, textOfSource } from './sections.ts';
import { runStoreOperations, type StoreOperation } from './store.ts';

export type { MemoryCommand } from './commands.ts';

const { home, workspaces, cwd, variables, workspace } = BEARINGS_OPTIONS;
const OPTIONS = {
  ...{ home, workspaces, cwd, variables, workspace },
  /** How the person sees who proposed. */
  client: text,
};

/** Where memory is, as `openBearings` takes it; the workspace whose notes these are, else the one of the current folder. */
export interface MemoryToolOptions extends OptionsOf<typeof OPTIONS> {}

/**
 * The file-based memory tool over the gate: what is confirmed and what this session wrote, marked as pending. Every
 * write is a proposal: this session sees it, the next one does not until the person said yes.
 */
export function openMemoryTool(options: MemoryToolOptions = {}) {
  const { workspace, client = 'memory tool', ...where } = checkOptions(options, OPTIONS, 'openMemoryTool');
  const rooms = openRooms(where);
  const target = workspace === undefined ? {} : { id: workspace };
  // What this session wrote, over what is confirmed; null: deleted.
  let overlay = new Map<string, string | null>();
  const proposals = new Map<string, { id: string; draft: string; isOwn: boolean; at?: string }>();
  let session: Promise<Session> | null = null;
  const opened = () => (session ??= rooms.sessions().then((sessions) => sessions.openSession(target, client)));

  const confirmedBlocks = async (file: string) =>
    (await (await rooms.gate()).blame(file, target)).blocks.filter(({ origin }) => origin !== null);
  const confirmed = async (): Promise<Map<string, Source>> => {
    const { tastes } = (await (await rooms.memory()).readContext(target)).context;
    const files = sectionsOf(await confirmedBlocks('notes.md'));
    for (const name of [...(tastes.default === '' ? [] : ['_default']), ...Object.keys(tastes.genres)]) {
      const blocks = await confirmedBlocks(`tastes/${name}.md`);
      if (blocks.length > 0) files.set(`tastes/${name}.md`, { ...newSource(`tastes/${name}.md`), blocks });
    }
    return files;
  };

  // What was decided in the meantime is the person's word, no longer this session's.
  const dropDecided = async (): Promise<void> => {
    if (proposals.size === 0) return;
    const listed = await (await rooms.gate()).listProposals(target);
    for (const [path, proposal] of proposals) {
      proposal.at = listed.find(({ proposal_id }) => proposal_id === proposal.id)?.created_at;
      if (proposal.at !== undefined) continue;
      overlay.delete(path);
      proposals.delete(path);
    }
  };

  const filesIn = (sources: ReadonlyMap<string, Source>): Map<string, MemoryFile> => {
    const files = new Map<string, MemoryFile>();
    for (const [path, source] of sources) {
      const at = source.blocks
        .map(({ origin }) => origin?.at ?? '')
        .sort()
        .at(-1);
      files.set(path, { text: textOfSource(source), pending: false, at });
    }
    for (const [path, text] of overlay) {
      if (text === null) files.delete(path);
      else files.set(path, { text, pending: true, at: proposals.get(path)?.at });
    }
    return files;
  };

  // One proposal a file, for the difference between what is confirmed and what the session wrote.
  const proposeChanges = async (sources: ReadonlyMap<string, Source>): Promise<void> => {
    const left = new Set(proposals.keys());
    for (const [path, text] of overlay) {
      const source = sources.get(path) ?? newSource(path);
      const draft = draftOf(source, text);
      if (draft === null) continue;
      left.delete(path);
      const before = proposals.get(path);
      if (JSON.stringify(draft) !== before?.draft) {
        const { kind, file } = source;
        const answer = await (await rooms.gate()).propose(await opened(), {
          ...draft,
          kind,
          ...(file !== undefined && { file, category: 'process' }),
          ...(before?.isOwn && { supersedes: before.id }),
          reason: `for /memories/${path}`,
        });
        if (answer.status === 'declined_before')
          throw invalidInput('The person declined this text before.', 'Leave it out, or ask them.');
        if (answer.status === 'already_present') continue;
        const isOwn = answer.status === 'pending';
        proposals.set(path, { id: answer.proposal_id, draft: JSON.stringify(draft), isOwn });
      }
    }
    for (const path of left) {
      const { id, isOwn } = proposals.get(path) ?? {};
      proposals.delete(path);
      if (id !== undefined && isOwn) await (await rooms.gate()).withdrawProposal(await opened(), id);
    }
  };

  let isEnded = false;
  const current = async () => {
    if (isEnded) throw invalidInput('This memory has ended.', 'Open another one: openMemoryTool()');
    const sources = await confirmed();
    await dropDecided();
    return { sources, files: filesIn(sources) };
  };
  const execute = async (
    answer: (files: MemoryFiles) => { text: string; changes: readonly Change[] },
  ): Promise<string> => {
    const { sources, files } = await current();
    const { text, changes } = answer(files);
    if (changes.length === 0) {
      if (text !== '') await served(text);
      return text;
    }
    const before = new Map(overlay);
    for (const { path, text: changed } of changes) overlay.set(path, changed);
    try {
      await proposeChanges(sources);
    } catch (error) {
      // Refused: the session sees what it saw before, and so does the person.
      overlay = before;
      await proposeChanges(sources);
      throw error;
    }
    return text;
  };

  let last: Promise<unknown> = Promise.resolve();
  // One after the other: a model may send several commands at once.
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
  const run = (command: MemoryCommand) => inTurn(() => execute((files) => runCommand(files, command)));
  const write = (path: string, text: string | null) =>
    inTurn(() => execute((files) => ({ text: '', changes: changesTo(files, path, text) }))).then(() => undefined);
  const files = () => inTurn(async () => (await current()).files);
  const served = async (text: string) => void (await opened()).served(text);
  const read = async (path: string) => {
    const text = (await files()).get(path.slice('/memories/'.length))?.text ?? null;
    if (text !== null) await served(text);
    return text;
  };
  const access = { read, write, files, served };

  return {
    /** One command of the tool. What goes wrong is thrown, as one sentence for the model. */
    execute: run,
    /** For `betaMemoryTool` of Anthropic's SDK. */
    handlers: { view: run, create: run, str_replace: run, insert: run, delete: run, rename: run },
    /** The `batch` of a LangGraph store over the same memory. */
    batch: (operations: readonly StoreOperation[]) => runStoreOperations(access, operations),
    /** For Mastra: the memory domain of its storage, with the working memory of resources over the same memory. */
    mastra: <S extends ResourceStorage>(storage: S): S => gatedResources(storage, access),
    /** Ends the session: what it proposed waits for the person. */
    end: () =>
      inTurn(async () => {
        isEnded = true;
        overlay.clear();
        proposals.clear();
        const open = await session;
        if (!open) return;
        await (await rooms.gate()).endSession(open);
        open.end('ended');
        session = null;
      }),
  };
}
