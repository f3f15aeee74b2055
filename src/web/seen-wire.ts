// What goes over the wire about what agents saw, and what they missed. Types only: both sides import it.

import type { PartKind } from '../gate/seen/served-parts.ts';
import type { Source } from '../gate/seen/source.ts';
import type { Shown } from './wire.ts';

/** The day at one glance; each part leads to its place, and is null where it could not be read. */
export interface TodayPage {
  /** What is wrong with the record of decisions, in sentences. */
  faults: string[];
  /** For `verify --expect`. */
  code: string | null;
  served: ServedToday | null;
  waits: { total: number; minutes: number } | null;
  stale: StaleToday | null;
  /** Gaps that were recorded more than once; the worst of them. */
  gaps: { repeated: number; worst: Pick<GapRow, 'image_id' | 'key' | 'words' | 'count'> | null } | null;
}

/** Contexts by who got them, the one with most first. */
export interface ServedToday {
  total: number;
  clients: { client: string; count: number; image_id: string | null; session_id: string }[];
  /** How many sessions of today could not be read. */
  unread: number;
}

/** Notes and tastes to review again, and proposals whose block is gone; with the key of the first in the inbox. */
export interface StaleToday {
  blocks: number;
  proposals: number;
  first: string | null;
}

/** A served text, line by line with where each comes from. */
export interface ServedView {
  exact: Shown;
  /** How many secrets were replaced by their class: this page shows none. */
  masked: number;
  parts: { kind: PartKind; file: string; lines: { text: string; sources: Source[] }[] }[];
  /** Lines that are not shown: there are too many. */
  left_out: number;
}

export interface GapRow {
  image_id: string;
  key: string;
  words: string;
  count: number;
  sessions: number;
  last_at: string;
  /** From -1 (badly) to 1. */
  satisfaction: number | null;
}

export interface GapRows {
  total: number;
  from: number;
  rows: GapRow[];
}

export interface GapPage extends GapRow {
  category: string;
  first_at: string;
  /** When it was recorded, each time. */
  times: string[];
  /** The newest first; only the last ones of many. */
  records: {
    at: string;
    session_id: string | null;
    description: string;
    intent: string | null;
    workaround: string | null;
    notes: string;
    commit: string | null;
    satisfaction: -1 | 0 | 1 | null;
  }[];
}

/** Where a note that was made of a gap waits, or why none does. */
export interface GapProposed {
  status: 'pending' | 'already_present' | 'declined_before';
  proposal_id: string | null;
}
