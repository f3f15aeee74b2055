import type { Gap } from '../memory/gaps.ts';
import type { LogItem } from '../memory/log.ts';
import { excerptOf } from './excerpt.ts';
import type { Candidate } from './fill.ts';
import { outsideCandidate, type Sha256 } from './outside-entry.ts';
import type { TacticalSource } from './policy.ts';
import type { OutsideEntry, OutsideField, Sanitise } from './sanitise.ts';

/** The workspace's memory, as far as the loader shows it. */
export interface TacticalMemory {
  notes: string;
  log: LogItem[];
  gaps: Gap[];
}

// One record may not push out the others.
const RECORD_CHARS = 400;

// One entry per source that holds something, in the policy's order.
export function selectTactical(
  memory: TacticalMemory,
  sources: readonly TacticalSource[],
  tools: { sanitise: Sanitise; sha256: Sha256 },
): { candidates: Candidate[]; warnings: string[] } {
  const candidates: Candidate[] = [];
  const warnings: string[] = [];
  for (const source of sources) {
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

function fieldsOf(source: TacticalSource, memory: TacticalMemory): OutsideField[] {
  switch (source) {
    case 'notes':
      return [{ name: 'notes', value: memory.notes, kind: 'text' }];
    case 'log':
      return memory.log.map(({ timestamp, op, details }) =>
        line('log', [timestamp, op, Object.keys(details).length > 0 ? JSON.stringify(details) : '']),
      );
    case 'gaps':
      return memory.gaps.map(({ timestamp, description, intent, missing_capability, workaround }) =>
        line('gap', [
          timestamp,
          description,
          intent && `(intent: ${intent})`,
          missing_capability && `(missing: ${missing_capability})`,
          workaround && `(workaround: ${workaround})`,
        ]),
      );
  }
}

function line(name: string, parts: (string | null | undefined)[]): OutsideField {
  const value = parts.filter(Boolean).join(' ');
  const { text, truncated } = excerptOf(value, RECORD_CHARS);
  return { name, value: truncated ? `${text}…` : value, kind: 'line' };
}
