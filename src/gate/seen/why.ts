import { invalidInput } from '../../errors.ts';
import { servedStore } from '../../memory/io/served-store.ts';
import { readMemory } from '../../memory/read-memory.ts';
import type { AppContext, TargetLike } from '../../settings/app-context.ts';
import type { transcriptUseCases } from '../sessions/read-transcripts.ts';
import { type Accounting, lineSources, type ServedPart, type Source, servedParts, sourceOf } from './line-sources.ts';

export interface Why {
  text: string;
  sources: Source[];
  /** The newest first. */
  served: { session_id: string; image_id: string | null; client: string; at: string; sha256: string }[];
  /** Contexts whose text is no longer stored. */
  not_kept: number;
}

/** What an agent was given, with the source of each line. */
export interface ServedLines {
  text: string;
  parts: (Omit<ServedPart, 'lines'> & { lines: { text: string; sources: Source[] }[] })[];
}

type Sessions = Pick<ReturnType<typeof transcriptUseCases>, 'listSessions' | 'sessionRecords'>;

const MAX_SERVED = 50;

// For any line an agent was given: the decision, file or record it comes from, and in which sessions it was served.
export function whyUseCases(app: AppContext, { listSessions, sessionRecords, ...accounting }: Accounting & Sessions) {
  const sourcesOf = async (target: TargetLike | null) => {
    const settings = await app.settings();
    const workspace = target === null ? null : settings.workspace(target);
    const { context } = await readMemory(settings, workspace);
    return lineSources(settings, workspace, { tastes: context.brief.tastes, accounting });
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
      const { read } = await store();
      const served: Why['served'] = [];
      const lost = new Set<string>();
      const known = new Map<string, boolean>();
      const holding = new Map<string, ServedPart>();
      const holds = (hash: string): boolean => {
        const whole = read(hash) ?? '';
        if (whole === '') lost.add(hash);
        // As a reader sees it: in JSON quotes and line ends are escaped.
        const parts = servedParts(whole).filter(({ lines }) => lines.join('\n').includes(wanted));
        for (const part of parts) if (!holding.has(part.file)) holding.set(part.file, part);
        return parts.length > 0 || whole.includes(wanted);
      };
      for (const { session_id, image_id, client } of await listSessions(id))
        for (const { type, at, sha256 } of (await sessionRecords(session_id, image_id)).records)
          if (type === 'context_served' && typeof sha256 === 'string') {
            if (!known.has(sha256)) known.set(sha256, holds(sha256));
            if (known.get(sha256)) served.push({ session_id, image_id, client, at: String(at), sha256 });
          }
      served.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
      // What was served says itself which file it is of, also where that has changed past the gate.
      for (const { kind, file } of holding.values())
        if (kind !== 'memory' && kind !== 'text' && !sources.some((each) => each.kind === kind && each.file === file))
          sources.push(sourceOf(kind, file, { gone: kind !== 'file' }));
      return { text: wanted, sources, served: served.slice(0, MAX_SERVED), not_kept: lost.size };
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
        parts.push({ ...part, lines });
      }
      return { text, parts };
    },
  };
}
