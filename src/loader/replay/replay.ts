import { sha256 } from '../../files/file-fingerprint.ts';
import { join } from '../../files/paths.ts';
import { transcriptUseCases } from '../../gate/sessions/sessions.ts';
import { isRecord, type JsonRecord } from '../../json.ts';
import { clipContext } from '../../memory/clip-context.ts';
import { contextText, HOOK_CHARS } from '../../memory/context-text.ts';
import { clipLimits, readElidedHeadings, readMemory } from '../../memory/read-memory.ts';
import type { AppContext, Settings } from '../../settings/app-context.ts';
import { gitRoot, type Workspace } from '../../settings/io/workspace-folders.ts';
import { VERSION } from '../../version.ts';
import { fitForProfile, folderOf } from '../choose-policy.ts';
import { inTemporaryFolder } from '../io/temporary-folder.ts';
import {
  type BundlesThen,
  bundlesThen,
  contextCauses,
  differs,
  lost,
  type MemoryThen,
  memoryThen,
  type OtherText,
  type Outcome,
  parsed,
  SAME,
  TEXT_GONE,
} from './bundle-then.ts';

export interface ReplayedText extends Outcome {
  at: string;
  /** The call it answered; null: a bundle that was read again as a resource. */
  tool: string | null;
  sha256: string;
  chars: number;
  /** The commit that was checked out then, where one is known. */
  head: string | null;
}

export interface Replay {
  session_id: string;
  image_id: string | null;
  client: string;
  texts: ReplayedText[];
}

export interface ReplayRequest {
  workspace?: string | undefined;
  /** The project of its bundles. Default: the workspace's repository, else the working directory. */
  dir?: string | undefined;
}

// What a session was served, made again of what git, the ledgers and the receipts hold. Nothing is written but into a
// temporary folder.
export function replayUseCases(app: AppContext) {
  return {
    async replay(sessionId: string, { workspace: id, dir }: ReplayRequest = {}): Promise<Replay> {
      const settings = await app.settings();
      const session = await transcriptUseCases(app).readSession(sessionId, id);
      const { session_id, image_id, client, records, served } = session;
      const workspace = image_id === null ? null : settings.workspace({ id: image_id });
      const project = projectOf(app, workspace, dir);
      const version = String(records.find(({ type }) => type === 'session_start')?.version ?? VERSION);
      return inTemporaryFolder(async (folder) => {
        const bundles = bundlesThen(app, { project, folder: join(folder, 'project') });
        const texts: ReplayedText[] = [];
        const loads = new Map<string, Outcome>();
        for (const [number, { record, call }] of servedIn(records).entries()) {
          const text = served[String(record.sha256)] ?? null;
          const head = typeof record.head === 'string' ? record.head : null;
          const about = { text, hash: String(record.sha256), time: String(record.at), head };
          const means = { app, settings, workspace, bundles, loads, folder: join(folder, `memory-${number}`) };
          const outcome = await judged(call, about, means);
          if (call?.tool === 'load_context') loads.set(bundleName(text), outcome);
          texts.push({
            ...{ at: about.time, tool: call === null ? null : String(call.tool), sha256: about.hash, head },
            chars: Number(record.chars),
            verdict: outcome.verdict,
            causes: withVersion(outcome, version),
          });
        }
        return { session_id, image_id, client, texts };
      });
    },
  };
}

interface Served {
  text: string | null;
  hash: string;
  time: string;
  head: string | null;
}

interface Means {
  app: AppContext;
  settings: Settings;
  workspace: Workspace | null;
  bundles: BundlesThen;
  /** What became of the bundles of this session, by the hash that each says of itself. */
  loads: ReadonlyMap<string, Outcome>;
  folder: string;
}

async function judged(call: JsonRecord | null, about: Served, means: Means): Promise<Outcome> {
  const { workspace, bundles, folder } = means;
  const then = async (other: OtherText = () => undefined, place = folder) =>
    workspace && memoryThen(means.settings, workspace, { time: about.time, folder: place, other });
  if (call === null) return bundles.again(about.hash) ? SAME : asLoaded(about, means.loads);
  if (call.tool === 'load_context') return bundles.rebuilt(call.arguments, about, await then());
  const memory = await then();
  if (!memory || !workspace) return lost('the workspace of this session is not known');
  const isServed = serving(String(call.tool), about, workspace.id);
  const contextOf = (each: MemoryThen) => contextFor(each, means.app, call.arguments);
  const first = await contextOf(memory);
  if (isServed(first)) return SAME;
  // What a person edits by hand and commits is in git, not in the ledger.
  const committed = await bundles.memoryAt(about.head, workspace.folder);
  if (committed) {
    for (const [at, files] of [['brief.md'], ['brief.md', 'notes.md']].entries()) {
      const again = await then((file) => (files.includes(file) ? committed(file) : undefined), `${folder}-${at}`);
      if (again && isServed(await contextOf(again))) return SAME;
    }
  }
  if (about.text === null) return differs(TEXT_GONE);
  return call.tool === 'read_context'
    ? differs(...contextCauses(parsed(about.text), first.context))
    : differs('the memory or a warning beside it changed since without a decision');
}

// The whole of a bundle differs where its load does, and for the same causes.
function asLoaded({ text }: Served, loads: ReadonlyMap<string, Outcome>): Outcome {
  if (text === null) return lost(TEXT_GONE);
  return loads.get(bundleName(text)) ?? lost('it is not a bundle that this session was served');
}

function bundleName(text: string | null): string {
  const bundle = text === null ? null : parsed(text);
  return isRecord(bundle) ? String(bundle.bundle_sha256) : '';
}

// As an agent gets it; where it named a profile, by the policy of today.
type ContextThen = Awaited<ReturnType<typeof contextFor>>;
async function contextFor({ settings, workspace }: MemoryThen, app: AppContext, given: unknown) {
  const { context } = await readMemory(settings, workspace);
  const clipped = clipContext(context, clipLimits(settings)).context;
  const name = isRecord(given) && typeof given.for === 'string' ? given.for : null;
  const headings = await readElidedHeadings(workspace);
  if (name === null) return { context: clipped, headings };
  return { context: (await fitForProfile(app, { id: workspace.id }, { name, context: clipped })).context, headings };
}

const FRAMED = [[], ['brief.md'], ['notes.md'], ['brief.md', 'notes.md']];

// A hook's text ends with the warnings of that moment, which only the text itself still tells; what was not confirmed by
// then was in a frame.
function serving(tool: string, { text, hash }: Served, id: string): (then: ContextThen) => boolean {
  if (tool !== 'hook session-start') return ({ context }) => sha256(JSON.stringify(context)) === hash;
  const told = /\n(?:Warning: .*\n)+$/.exec(text ?? '')?.[0] ?? '';
  const room = HOOK_CHARS - told.length;
  return ({ context, headings }) =>
    FRAMED.some((files) => sha256(`${contextText(context, id, room, files, headings)}${told}`) === hash);
}

// What was served, each with the call it answered.
function servedIn(records: readonly JsonRecord[]): { record: JsonRecord; call: JsonRecord | null }[] {
  const found: { record: JsonRecord; call: JsonRecord | null }[] = [];
  for (const [at, record] of records.entries()) {
    if (record.type !== 'context_served') continue;
    const [call, result] = [records[at - 2], records[at - 1]];
    found.push({ record, call: result?.type === 'tool_result' && call?.type === 'tool_call' ? call : null });
  }
  return found;
}

function projectOf(app: AppContext, workspace: Workspace | null, dir: string | undefined): string {
  const own = workspace?.kind === 'repository' ? gitRoot(workspace.folder) : null;
  return dir === undefined && own !== null ? own : folderOf(app, dir);
}

function withVersion({ verdict, causes }: Outcome, version: string): string[] {
  if (verdict === 'same' || version === VERSION) return causes;
  return [...causes, `it was served by version ${version}, and this is ${VERSION}`];
}
