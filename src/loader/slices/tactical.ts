import { codePointLength } from '../../code-points.ts';
import { clipEvidence, EVIDENCE_LINE, evidenceLines } from '../../memory/evidence.ts';
import type { Gap, LogItem } from '../../memory/read-context.ts';
import type { Candidate, Shortened } from '../bundle/fill.ts';
import { excerptOf } from '../bundle/line-ranges.ts';
import type { Policy } from '../policy/policy.ts';
import { type Sha256, textCandidate } from './adapter-slice.ts';

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
export function selectTactical(memory: TacticalMemory, sources: Policy['tactical'], sha256: Sha256): Candidate[] {
  const ordered = [...sources.filter(isNotes), ...sources.filter((source) => !isNotes(source))];
  const parts = ordered
    .map((source) => ({ source, text: textOf(source, memory) }))
    .filter(({ text }) => text.trim() !== '');
  if (parts.length === 0) return [];
  const provenance = {
    ...{ origin: 'memory' as const, authoritative: false as const },
    source: parts.map(({ source }) => source).join(', '),
  };
  const path = 'tactical/memory';
  const described = { path, source_class: 'tactical' as const, selected_by: 'tactical:memory', provenance };
  const shorten = (max: number): Shortened => ({ text: fitted(parts, max), provenance });
  return [{ ...textCandidate(joined(parts), described, sha256), shorten }];
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
