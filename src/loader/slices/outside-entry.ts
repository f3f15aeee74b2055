import { codePointLength } from '../../code-points.ts';
import { utf8Length } from '../../safety/names.ts';
import type { Candidate } from '../bundle/fill.ts';
import type { Provenance } from '../bundle/provenance.ts';
import type { OutsideEntry, OutsideField } from './sanitise.ts';

export type Sha256 = (text: string) => string;

export interface OutsideText {
  path: string;
  selected_by: string;
  provenance: Provenance;
  sha256: Sha256;
}

// A text that is already in memory, as a candidate beside the files.
export function outsideCandidate(entry: OutsideEntry, how: OutsideText): Candidate {
  const text = entryText(entry);
  return {
    path: how.path,
    source_class: entry.source_class,
    selected_by: how.selected_by,
    provenance: how.provenance,
    read: () => ({
      status: 'ok',
      value: {
        text,
        whole: true,
        total_chars: codePointLength(text),
        total_bytes: utf8Length(text),
        sha256: how.sha256(text),
        identity: how.path,
        valid: true,
      },
    }),
  };
}

export function entryText({ fields }: OutsideEntry): string {
  return fields
    .filter(({ value }) => value !== '')
    .map(lineOf)
    .join('\n');
}

// A text stands by itself; a line says what it is.
function lineOf({ name, value, kind }: OutsideField): string {
  return kind === 'text' ? value : `${name}: ${value}`;
}
