import { codePointLength } from '../../code-points.ts';
import { utf8Length } from '../../safety/names.ts';
import type { Candidate } from '../bundle/fill.ts';

export type Sha256 = (text: string) => string;

type Described = Pick<Candidate, 'path' | 'source_class' | 'selected_by' | 'provenance'>;

// A text that is already in memory, as a candidate beside the files.
export function textCandidate(text: string, described: Described, sha256: Sha256): Candidate {
  const value = {
    text,
    whole: true,
    total_chars: codePointLength(text),
    total_bytes: utf8Length(text),
    sha256: sha256(text),
    identity: described.path,
    valid: true,
  };
  return { ...described, read: () => ({ status: 'ok', value }) };
}

// All control characters, written out: a Unicode class would take longer to load than the rest of this file.
const BREAKS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

// Keeps forged structure out: a line break in a title could pose as another item.
export function oneLine(text: string): string {
  return text.replace(BREAKS, ' ');
}
