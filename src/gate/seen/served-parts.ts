import { isRecord, type JsonRecord } from '../../json-record.ts';
import { splitLines } from '../../lines.ts';

/** `memory`: of several files of a workspace. `text`: of any, with words of our own between them. */
type PartKind = 'taste' | 'brief' | 'notes' | 'log' | 'gap' | 'file' | 'memory' | 'text';

/** Lines of one file in what an agent was given. */
export interface ServedPart {
  kind: PartKind;
  file: string;
  lines: string[];
}

const DEFAULT_TASTE = 'tastes/_default.md';

/** A file of a bundle that holds notes, log and gaps of the workspace. */
const TACTICAL = 'tactical/memory';

// A context and a bundle say themselves which file each of their lines is of.
export function servedParts(text: string): ServedPart[] {
  const value = parsed(text);
  if (!isRecord(value)) return [{ kind: 'text', file: '', lines: splitLines(text) }];
  const parts = Array.isArray(value.files) ? bundleParts(value.files) : contextParts(value);
  return parts.filter(({ lines }) => lines.length > 0);
}

function contextParts({ tastes, brief, notes, recent_log, recent_gaps }: JsonRecord): ServedPart[] {
  const of = (kind: PartKind, file: string, text: unknown): ServedPart => ({
    kind,
    file,
    lines: typeof text === 'string' ? splitLines(text) : [],
  });
  const genres = isRecord(tastes) && isRecord(tastes.genres) ? Object.entries(tastes.genres) : [];
  return [
    of('taste', DEFAULT_TASTE, isRecord(tastes) ? tastes.default : null),
    ...genres.map(([name, text]) => of('taste', `tastes/${name}.md`, text)),
    of('brief', 'brief.md', isRecord(brief) ? brief.raw : null),
    of('notes', 'notes.md', isRecord(notes) ? notes.summary : null),
    { kind: 'log', file: 'log.jsonl', lines: recordLines(recent_log) },
    { kind: 'gap', file: 'vocabulary_gaps.jsonl', lines: recordLines(recent_gaps) },
  ];
}

function bundleParts(files: readonly unknown[]): ServedPart[] {
  return files.flatMap((file) => {
    if (!isRecord(file) || typeof file.path !== 'string' || typeof file.excerpt !== 'string') return [];
    const kind = file.path === TACTICAL ? 'memory' : 'file';
    return [{ kind, file: file.path, lines: splitLines(file.excerpt) }];
  });
}

function recordLines(records: unknown): string[] {
  return Array.isArray(records) ? records.map((record) => JSON.stringify(record)) : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
