import { invalidInput } from '../../errors.ts';
import { servedStore } from '../../memory/io/served-store.ts';
import { readMemory } from '../../memory/read-memory.ts';
import type { AppContext, TargetLike } from '../../settings/app-context.ts';
import type { SessionEntry, SessionRecords } from '../sessions/read-transcripts.ts';
import {
  type Accounting,
  type LineSources,
  lineSources,
  type ServedPart,
  type Source,
  servedParts,
} from './line-sources.ts';

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
  /** Contexts whose text is no longer stored. */
  not_kept: number;
}

/** What an agent was given, with the source of each line. */
export interface ServedLines {
  text: string;
  parts: (Omit<ServedPart, 'lines'> & { lines: { text: string; sources: Source[] }[] })[];
}

interface Asked extends Accounting {
  listSessions(id?: string): Promise<SessionEntry[]>;
  sessionRecords(sessionId: string, id: string | null): Promise<SessionRecords>;
}

const MOST_SERVED = 50;

// For any line an agent was given: the decision, file or record it comes from, and in which sessions it was served.
export function whyUseCases(app: AppContext, { blame, history, listSessions, sessionRecords }: Asked) {
  const sourcesOf = async (target: TargetLike | null): Promise<LineSources> => {
    const settings = await app.settings();
    const workspace = target === null ? null : settings.workspace(target);
    const { context } = await readMemory(settings, workspace);
    return lineSources(settings, workspace, { tastes: context.brief.tastes, accounting: { blame, history } });
  };
  const store = async () => {
    const settings = await app.settings();
    return servedStore(settings.home, settings.number('keep_served'), app.now);
  };

  return {
    async why(text: string, target: TargetLike = {}): Promise<Why> {
      const wanted = text.trim();
      if (wanted === '') throw invalidInput('Which text?', 'For example: bearings why "The white balance runs cool"');
      const { id } = (await app.settings()).workspace(target);
      const sources = await (await sourcesOf(target)).holding(wanted);
      const { hits, parts, missing } = await servedWith(wanted, id);
      // What was served says itself which file it is of, also where that has changed past the gate.
      for (const { kind, file } of parts)
        if (!sources.some((each) => each.kind === kind && each.file === file))
          sources.push({ kind, file, line: null, origin: null, record: null, gone: kind !== 'file' });
      return { text: wanted, sources, served: hits, not_kept: missing };
    },

    /** A served text with the source of each line; null: it is no longer stored. */
    async servedLines(hash: string, target: TargetLike | null): Promise<ServedLines | null> {
      const text = (await store()).read(hash);
      if (text === null) return null;
      const sources = await sourcesOf(target).catch(() => null);
      const parts: ServedLines['parts'] = [];
      for (const part of servedParts(text)) {
        const lines: { text: string; sources: Source[] }[] = [];
        for (const line of part.lines)
          lines.push({ text: line, sources: (await sources?.ofLine(part, line).catch(() => [])) ?? [] });
        parts.push({ kind: part.kind, file: part.file, lines });
      }
      return { text, parts };
    },
  };

  async function servedWith(wanted: string, id: string) {
    const servedTexts = await store();
    const hits: ServedHit[] = [];
    const parts: { kind: Source['kind']; file: string }[] = [];
    const lost = new Set<string>();
    const texts = new Map<string, boolean>();
    const holds = (hash: string): boolean => {
      const known = texts.get(hash);
      if (known !== undefined) return known;
      const text = servedTexts.read(hash);
      if (text === null) lost.add(hash);
      // As a reader sees it: in JSON quotes and line ends are escaped.
      const own = text === null ? [] : servedParts(text).filter(({ lines }) => lines.join('\n').includes(wanted));
      for (const { kind, file } of own)
        if (kind !== 'memory' && kind !== 'text' && !parts.some((each) => each.file === file))
          parts.push({ kind, file });
      const found = own.length > 0 || text?.includes(wanted) === true;
      texts.set(hash, found);
      return found;
    };
    for (const { session_id, image_id, client } of await listSessions(id)) {
      const { records } = await sessionRecords(session_id, image_id);
      for (const { type, at, sha256 } of records)
        if (type === 'context_served' && typeof sha256 === 'string' && holds(sha256))
          hits.push({ session_id, image_id, client, at: String(at), sha256 });
    }
    hits.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
    return { hits: hits.slice(0, MOST_SERVED), parts, missing: lost.size };
  }
}
