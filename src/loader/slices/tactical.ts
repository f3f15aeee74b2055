import { codePointLength } from '../../code-points.ts';
import { clipEvidence, EVIDENCE_LINE, evidenceLines } from '../../memory/evidence.ts';
import type { Gap } from '../../memory/gaps.ts';
import type { LogItem } from '../../memory/log.ts';
import { excerptOf } from '../bundle/excerpt.ts';
import type { Candidate, Shortened } from '../bundle/fill.ts';
import type { Policy } from '../policy/policy.ts';
import { outsideCandidate, type Sha256 } from './outside-entry.ts';
import type { OutsideEntry, Sanitise } from './sanitise.ts';

/** The workspace's memory, as far as the loader shows it. */
export interface TacticalMemory {
  notes: string;
  log: LogItem[];
  gaps: Gap[];
}

type Source = Policy['tactical'][number];

interface Part {
  source: Source;
  text: string;
}

// One entry of all sources that hold something; the notes first, then in the policy's order what agents wrote without a yes.
export function selectTactical(
  memory: TacticalMemory,
  sources: readonly Source[],
  tools: { sanitise: Sanitise; sha256: Sha256 },
): { candidates: Candidate[]; warnings: string[] } {
  const ordered = [...sources.filter(isNotes), ...sources.filter((source) => !isNotes(source))];
  const parts: Part[] = [];
  const warnings: string[] = [];
  for (const source of ordered) {
    const value = textOf(source, memory);
    if (value.trim() === '') continue;
    const fields = [{ name: source, value, kind: 'text' as const }];
    const safe = sanitised({ source_class: 'tactical', id: source, fields }, tools.sanitise);
    warnings.push(...safe.warnings);
    const text = safe.entry?.fields.map((field) => field.value).join('\n') ?? '';
    if (text !== '') parts.push({ source, text });
  }
  if (parts.length === 0) return { candidates: [], warnings };
  const whole = outsideCandidate(
    {
      source_class: 'tactical',
      id: 'memory',
      fields: [{ name: 'memory', value: joined(parts), kind: 'text' }],
    },
    {
      path: 'tactical/memory',
      selected_by: 'tactical:memory',
      provenance: { origin: 'memory', authoritative: false, source: parts.map(({ source }) => source).join(', ') },
      sha256: tools.sha256,
    },
  );
  const shorten = (max: number): Shortened => ({ text: fitted(parts, max), provenance: whole.provenance });
  return { candidates: [{ ...whole, shorten }], warnings };
}

// A sanitiser that fails drops the entry: nothing unseen gets in.
export function sanitised(entry: OutsideEntry, sanitise: Sanitise): ReturnType<Sanitise> {
  try {
    return sanitise(entry);
  } catch {
    return { entry: null, warnings: [`${entry.source_class} entry: it could not be checked and is dropped.`] };
  }
}

// Every part gets its share of the room, and what it leaves goes to the next: long notes push out no record.
function fitted(parts: readonly Part[], max: number): string {
  const given: Part[] = [];
  let room = max;
  for (const [at, part] of parts.entries()) {
    const share = Math.floor(room / (parts.length - at));
    const text = isNotes(part.source) ? excerptOf(part.text, share).text.trimEnd() : clipEvidence(part.text, share);
    room -= codePointLength(text) + 2;
    given.push({ ...part, text });
  }
  return joined(given);
}

// Log and gaps are under one heading: what is below it needs no second one.
function joined(parts: readonly Part[]): string {
  let whole = '';
  let isUnderHeading = false;
  for (const { source, text } of parts) {
    const hasHeading = !isNotes(source) && text.startsWith(`${EVIDENCE_LINE}\n`);
    if (isUnderHeading && hasHeading) whole += text.slice(EVIDENCE_LINE.length);
    else whole += whole === '' ? text : `\n\n${text}`;
    isUnderHeading ||= hasHeading;
  }
  return whole;
}

function isNotes(source: Source): boolean {
  return source === 'notes';
}

function textOf(source: Source, { notes, log, gaps }: TacticalMemory): string {
  if (source === 'notes') return notes;
  const lines = evidenceLines(source === 'log' ? { log } : { gaps });
  return lines.length === 0 ? '' : [EVIDENCE_LINE, ...lines].join('\n');
}
