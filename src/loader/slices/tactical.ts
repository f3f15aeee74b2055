import { EVIDENCE_LINE, evidenceLines } from '../../memory/evidence.ts';
import type { Gap } from '../../memory/gaps.ts';
import type { LogItem } from '../../memory/log.ts';
import type { Candidate } from '../bundle/fill.ts';
import type { TacticalSource } from '../policy/policy.ts';
import { outsideCandidate, type Sha256 } from './outside-entry.ts';
import type { OutsideEntry, OutsideField, Sanitise } from './sanitise.ts';

/** The workspace's memory, as far as the loader shows it. */
export interface TacticalMemory {
  notes: string;
  log: LogItem[];
  gaps: Gap[];
}

// One entry per source that holds something, in the policy's order; what agents wrote without a yes stands last.
export function selectTactical(
  memory: TacticalMemory,
  sources: readonly TacticalSource[],
  tools: { sanitise: Sanitise; sha256: Sha256 },
): { candidates: Candidate[]; warnings: string[] } {
  const candidates: Candidate[] = [];
  const warnings: string[] = [];
  for (const source of [...sources.filter(isMemory), ...sources.filter((each) => !isMemory(each))]) {
    const fields = fieldsOf(source, memory);
    if (fields.every(({ value }) => value.trim() === '')) continue;
    const safe = sanitised({ source_class: 'tactical', id: source, fields }, tools.sanitise);
    warnings.push(...safe.warnings);
    if (safe.entry === null) continue;
    candidates.push(
      outsideCandidate(safe.entry, {
        path: `tactical/${source}`,
        selected_by: `tactical:${source}`,
        provenance: { origin: 'memory', authoritative: false, source },
        sha256: tools.sha256,
      }),
    );
  }
  return { candidates, warnings };
}

// A sanitiser that fails drops the entry: nothing unseen gets in.
export function sanitised(entry: OutsideEntry, sanitise: Sanitise): ReturnType<Sanitise> {
  try {
    return sanitise(entry);
  } catch {
    return { entry: null, warnings: [`${entry.source_class} entry: it could not be checked and is dropped.`] };
  }
}

function isMemory(source: TacticalSource): boolean {
  return source === 'notes';
}

function fieldsOf(source: TacticalSource, { notes, log, gaps }: TacticalMemory): OutsideField[] {
  switch (source) {
    case 'notes':
      return [{ name: 'notes', value: notes, kind: 'text' }];
    case 'log':
      return [{ name: 'log', value: framed(evidenceLines({ log })), kind: 'text' }];
    case 'gaps':
      return [{ name: 'gaps', value: framed(evidenceLines({ gaps })), kind: 'text' }];
  }
}

function framed(lines: readonly string[]): string {
  return lines.length === 0 ? '' : [EVIDENCE_LINE, ...lines].join('\n');
}
