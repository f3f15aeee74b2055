// What goes over the wire between the server and the page. Types and constants only: both sides import it.

import type { DecisionKind } from '../gate/ledger/entry.ts';
import type { DiffLine } from '../gate/proposals/proposal-diff.ts';
import type { SessionGroup } from '../gate/proposals/session-groups.ts';
import type { SimilarLine } from '../gate/proposals/similar-lines.ts';
import type { Origin } from '../gate/standing/accounts.ts';

export const TOKEN_HEADER = 'x-bearings-token';

type ItemType = 'clients' | 'first' | 'proposal' | 'aside' | 'key' | 'merged' | 'block' | 'due' | 'approve';

export interface QueueRow {
  key: string;
  type: ItemType;
  target: string;
  title: string;
  by: string;
  at: string | null;
  /** Of a proposal: names the list that it belongs to. */
  session: string | null;
  /** Of what one session proposed; null where that is one alone. */
  group: SessionGroup | null;
}

export interface Queue {
  total: number;
  from: number;
  rows: QueueRow[];
  /** Where the asked-for key is; null: it waits no longer. */
  at: number | null;
  counts: Record<ItemType, number>;
  level: 'ask' | 'passphrase' | 'passkey';
  /** At `passkey`: ids of the authenticators' keys. */
  credentials: string[];
  last: { decision: string; at: string; who: string; file: string | null; ledger: string } | null;
  workspaces: number;
  /** How long it takes to read and decide on all proposals. */
  minutes: number;
}

/** What exactly was shown. The page sends it back with a decision, unchanged. */
export type Binding =
  | { type: 'clients'; sha256: string }
  | { type: 'first'; files: { target: string; blocks: number; sha256: string }[] }
  | {
      type: 'proposal';
      shown: { proposal_id: string; content_sha256: string; target: string; replaces: string | null };
    }
  | { type: 'aside'; proposal_id: string; content_sha256: string }
  | { type: 'key'; fingerprint: string }
  | { type: 'merged'; target: string; before_sha256: string }
  | { type: 'block'; target: string; fingerprint: string }
  | { type: 'due'; target: string; fingerprint: string; reasons: string[] }
  | { type: 'approve'; run: string; sha256: string }
  | {
      type: 'earlier';
      decision: 'undo' | 'restore';
      decision_id: string | null;
      kind: 'taste' | 'notes';
      image_id: string | null;
      file: string;
      before_sha256: string | null;
      after_sha256: string;
    }
  | { type: 'erase'; file: string; id: string | null; line: number; sha256: string };

interface Proposed {
  target: string;
  client: string;
  reason: string | null;
  category: string | null;
  created_at: string;
  content: string;
  session_id: string;
  image_id: string | null;
  kind: 'taste' | 'notes';
  file: string;
  diff: DiffLine[];
  /** A date to look at it again. */
  until: string | null;
}

export type ItemBody =
  | { type: 'clients'; decisions: { decision: string; at: string; client: string | null; target: string }[] }
  | { type: 'first'; files: { target: string; blocks: number; text: string }[] }
  | ({
      type: 'proposal';
      group: SessionGroup | null;
      state: 'fresh' | 'stale';
      replaces: string | null;
      similar: SimilarLine[];
      contradicts: { place: string; line: number; text: string }[];
      declined: { at: string; reason: string | null } | null;
      conflicts: { point: string; file: string }[];
    } & Proposed)
  | ({ type: 'aside' } & Proposed)
  | {
      type: 'key';
      fingerprint: string;
      who: string;
      machine: string;
      ledger: string;
      decisions: number;
      last: string;
    }
  | { type: 'merged'; target: string; fused: number; doubled: number; retired: number; text: string }
  | { type: 'block'; target: string; first_line: number; text: string; before: string[] }
  | { type: 'due'; target: string; first_line: number; content: string; reasons: string[] }
  | { type: 'approve'; run: string; name: string; file: string; question: string; content: string; at: string };

export interface Item {
  key: string;
  binding: Binding;
  body: ItemBody;
}

export type Action =
  | 'seen'
  | 'accept'
  | 'decline'
  | 'revive'
  | 'adopt'
  | 'take_out'
  | 'tidy'
  | 'keep'
  | 'trust'
  | 'retire'
  | 'erase';

export interface Act {
  binding: Binding;
  action: Action;
  edited?: string | undefined;
  reason?: string | undefined;
  /** A date or a span to look at it again. */
  until?: string | undefined;
}

/** At `passkey`: it is done once this authenticator has signed the challenge; both base64url. */
export interface Unsigned {
  unsigned: { id: string; challenge: string; credential: string };
}

/** What a command has the person confirm. */
export interface TaskPage {
  title: string;
  lines: string[];
  /** Shown as it is; empty: none. */
  text: string;
  kind: 'register' | 'add' | 'sign';
  /** Those that are registered already. */
  credentials: string[];
}

export interface Acted {
  status: string;
  target: string;
  ledger: number | null;
}

/** How several ended: they are decided in order, and the first that can't be decided ends it. */
export interface ActedAll {
  acted: Acted[];
  problem: string | null;
}

export interface MemoryList {
  workspaces: { id: string; folder: string }[];
  tastes: { name: string; lines: number }[];
}

export interface WorkspacePage {
  id: string;
  folder: string;
  brief: string;
  tastes: { name: string; missing: boolean }[];
  conflicts: { point: string; sides: { file: string; line: number; before: string[]; after: string[] }[] }[];
  warnings: string[];
  lines: { notes: number; log: number; gaps: number };
}

export interface FilePage {
  target: string;
  lines: number;
  unaccounted: number;
  chunks: { first_line: number; lines: number }[];
  growth: { at: string; lines: number }[];
  /** The first chunk, so that nobody waits for it. */
  head: Passage[];
}

export interface Passage {
  first_line: number;
  text: string;
  blocks: { first_line: number; last_line: number; text: string; origin: Origin | null }[];
}

/** Decisions on a file, the newest first; a text is null where it is not kept. */
export interface HistoryPage {
  target: string;
  total: number;
  from: number;
  decisions: {
    decision_id: string;
    decision: DecisionKind;
    at: string;
    by: string | null;
    who: string | null;
    reason: string | null;
    edited: boolean;
    undone: boolean;
    erased: number;
    changed_text: boolean;
    added: (string | null)[];
    removed: (string | null)[];
  }[];
}

/** Which earlier text the page asks for; an undo without a name is that of the last decision. */
export interface Asked {
  what: 'undo' | 'restore';
  decision?: string | undefined;
  file?: string | undefined;
  id?: string | undefined;
}

/** An earlier text as it would be written. */
export interface EarlierView {
  binding: Binding;
  target: string;
  decision_id: string | null;
  diff: DiffLine[];
  not_kept: number;
}

export interface ErasureView {
  binding: Binding;
  text: string;
  wordings: string[];
  places: { target: string; line: number }[];
  copies: { what: string; count: number }[];
  unreachable: string[];
}

export interface SessionRow {
  session_id: string;
  image_id: string | null;
  client: string;
  started_at: string;
  last_at: string;
  entries: number;
  state: 'open' | 'ended' | 'interrupted';
  ended: string | null;
  torn: boolean;
}

export interface SessionPage {
  session: SessionRow;
  total: number;
  from: number;
  records: Record<string, unknown>[];
}

export interface Shown {
  text: string;
  /** How long it is; more than `text` where that was cut. */
  chars: number;
}
