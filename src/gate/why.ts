import { invalidInput } from '../errors.ts';
import { readLastRecords } from '../files/last-records.ts';
import { join } from '../files/paths.ts';
import { readText } from '../files/read-text.ts';
import type { JsonRecord } from '../json-record.ts';
import { servedStore } from '../memory/io/served-store.ts';
import { readMemory } from '../memory/read-memory.ts';
import type { AppContext, TargetLike } from '../settings/app-context.ts';
import type { Origin } from './accounting/accounts.ts';
import type { Blame, BlamedBlock } from './accounting/blame.ts';
import type { SessionEntry, SessionTranscript } from './sessions/read-transcripts.ts';

/** Where a line that an agent was given stands now. */
interface Source {
  kind: 'taste' | 'brief' | 'notes' | 'log' | 'gap' | 'file';
  /** Of memory: its name. Of a bundle: the path in the project. */
  file: string;
  /** Null where a record or a bundle has none. */
  line: number | null;
  /** The decision behind it; null: none, or none is asked for. */
  origin: Origin | null;
  /** Of a log or gap record, as it stands. */
  record: JsonRecord | null;
}

interface ServedHit {
  session_id: string;
  image_id: string | null;
  client: string;
  at: string;
  sha256: string;
}

export interface Why {
  text: string;
  sources: Source[];
  /** The newest first. */
  served: ServedHit[];
  /** Contexts whose text is no longer kept. */
  not_kept: number;
}

interface Asked {
  blame(file: string, target?: TargetLike): Promise<Blame>;
  listSessions(id?: string): Promise<SessionEntry[]>;
  readSession(sessionId: string, id?: string): Promise<SessionTranscript>;
}

const MOST_RECORDS = 5_000;
const MOST_SERVED = 50;

// For any line an agent was given: the decision, file or record it comes from, and in which sessions it was served.
export function whyUseCases(app: AppContext, { blame, listSessions, readSession }: Asked) {
  return {
    async why(text: string, target: TargetLike = {}): Promise<Why> {
      const wanted = text.trim();
      if (wanted === '') throw invalidInput('Which text?', 'For example: bearings why "The white balance runs cool"');
      const settings = await app.settings();
      const workspace = settings.workspace(target);
      const sources: Source[] = [];
      const inBlocks = (kind: 'taste' | 'notes', { file, blocks }: Blame) => {
        for (const block of blocks) {
          const line = lineIn(block, wanted);
          if (line !== null) sources.push({ kind, file, line, origin: block.origin, record: null });
        }
      };
      const { context } = await readMemory(settings, workspace);
      for (const name of ['_default', ...context.brief.tastes.filter((each) => each !== '_default')]) {
        const found = await blame(`tastes/${name}.md`, target).catch(() => null);
        if (found) inBlocks('taste', found);
      }
      const brief = readText(join(workspace.folder, 'brief.md'), workspace.scope);
      if (brief.status === 'ok') {
        const line = brief.value.text.split('\n').findIndex((each) => each.includes(firstLine(wanted)));
        if (line !== -1) sources.push({ kind: 'brief', file: 'brief.md', line: line + 1, origin: null, record: null });
      }
      const notes = await blame('notes.md', target).catch(() => null);
      if (notes) inBlocks('notes', notes);
      for (const [kind, file] of [
        ['log', 'log.jsonl'],
        ['gap', 'vocabulary_gaps.jsonl'],
      ] as const) {
        const tail = readLastRecords(join(workspace.folder, file), workspace.scope, MOST_RECORDS);
        if (tail.status !== 'ok') continue;
        for (const record of tail.value.records)
          if (textsOf(record).some((each) => each.includes(wanted)))
            sources.push({ kind, file, line: null, origin: null, record });
      }
      const { hits, files, notKept } = await servedWith(wanted, workspace.id);
      for (const file of files) sources.push({ kind: 'file', file, line: null, origin: null, record: null });
      return { text: wanted, sources, served: hits, not_kept: notKept };
    },
  };

  async function servedWith(wanted: string, id: string) {
    const settings = await app.settings();
    const store = servedStore(settings.home, settings.number('keep_served'), app.now);
    const hits: ServedHit[] = [];
    const files = new Set<string>();
    const lost = new Set<string>();
    const texts = new Map<string, boolean>();
    const holds = (hash: string): boolean => {
      const known = texts.get(hash);
      if (known !== undefined) return known;
      const text = store.read(hash);
      if (text === null) lost.add(hash);
      const value = text === null ? null : parsed(text);
      const found = text !== null && (text.includes(wanted) || textsOf(value).some((each) => each.includes(wanted)));
      if (found) for (const path of pathsWith(value, wanted)) files.add(path);
      texts.set(hash, found);
      return found;
    };
    for (const { session_id, image_id, client } of await listSessions(id)) {
      const { records } = await readSession(session_id, id);
      for (const { type, at, sha256 } of records)
        if (type === 'context_served' && typeof sha256 === 'string' && holds(sha256))
          hits.push({ session_id, image_id, client, at: String(at), sha256 });
    }
    hits.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
    return { hits: hits.slice(0, MOST_SERVED), files, notKept: lost.size };
  }
}

const firstLine = (text: string): string => text.split('\n')[0] ?? '';

function lineIn({ text, first_line }: BlamedBlock, wanted: string): number | null {
  const at = text.indexOf(wanted);
  return at === -1 ? null : first_line + (text.slice(0, at).match(/\n/g)?.length ?? 0);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

/** Of a bundle: every item that names its path and holds the text. */
function pathsWith(value: unknown, wanted: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { path } = value as { path?: unknown };
  const inner = Object.values(value).flatMap((each) => pathsWith(each, wanted));
  const isItem = typeof path === 'string' && textsOf(value).some((each) => each !== path && each.includes(wanted));
  return isItem && inner.length === 0 ? [path] : inner;
}
