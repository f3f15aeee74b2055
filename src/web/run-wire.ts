// Runs over the wire.
import type { Shown } from './wire.ts';

type RunState = 'waiting' | 'running' | 'complete' | 'failed' | 'stopped' | 'interrupted' | 'awaiting_person';

export interface RunRow {
  id: string;
  state: RunState;
  name: string;
  file: string;
  started_at: string;
  ended_at: string | null;
  steps: number | null;
  /** In the database that workers share. */
  shared: boolean;
}

export interface RunRows {
  total: number;
  from: number;
  rows: RunRow[];
  /** Whether there is such a database: then a run may begin anywhere, any time. */
  shared: boolean;
  /** Why its runs are not among these. */
  problem: string | null;
}

export interface StepRow {
  path: string;
  name: string;
  type: string;
  failed: boolean;
  read: number;
  written: number;
  ms: number | null;
}

export interface RunPage {
  run: RunRow;
  model: string;
  answers: number;
  damaged: number;
  /** Tasks of the template that are done once: they have a place before they are done. */
  template: { path: string; name: string; type: string }[];
  errors: { reason: string; message: string; hint: string | null }[];
  partial: { total: number; first: { label: string; output: string }[] };
  output: Shown | null;
  total: number;
  from: number;
  rows: StepRow[];
}

export interface StepPage {
  path: string;
  name: string;
  type: string;
  status: string;
  model: string | null;
  at: string | null;
  ms: number | null;
  parts: { part: string; chars: number; tokens: number; sha256: string; from: string; why: string }[];
  matches: { path: string; why: string }[];
  warnings: readonly string[];
}
