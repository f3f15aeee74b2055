// Bundles over the wire.
import type { Shown } from './wire.ts';

export type Which = 'built' | 'opened';

export interface BundleForm {
  task: string;
  /** Null: what the project has. */
  policy: string | null;
  max_files: number | null;
  max_chars_per_file: number | null;
  max_total_chars: number | null;
  fallback: 'none' | 'relaxed' | 'unrestricted';
  tactical: boolean;
  workspace: string | null;
  /** A profile of the policy; empty: none. */
  for: string;
}

export interface SliceView {
  slice: string;
  used_files: number;
  max_files: number | null;
  used_chars: number;
  max_chars: number | null;
  dropped: number;
}

export interface BundleFile {
  path: string;
  source_class: string;
  selected_by: string;
  rank: number;
  truncated: boolean;
  chars: number;
  total_chars: number | null;
  total_bytes: number;
  sha256: string;
  score: { total: number; words: string[]; parts: Record<string, number> } | null;
  provenance: Record<string, unknown>;
}

/** A bundle without its texts: each is asked for by itself. */
export interface BundleView {
  task: string;
  task_key: string;
  policy: { name: string; source: string };
  form: BundleForm;
  /** Names of outside sources it was built with; the page builds with none. */
  asked_adapters: string[];
  fallback: string;
  used_files: number;
  used_chars: number;
  slices: SliceView[];
  files: BundleFile[];
  dropped: { path: string; source_class: string; reason: string }[];
  dropped_beyond: number;
  adapters: { id: string; status: string; reason: string | null; selected: number }[];
  warnings: string[];
  bundle_sha256: string;
  /** Its own hash does not match. */
  edited: boolean;
}

/** What an agent sees of a file. */
export interface BundleExcerpt extends Shown {
  /** With their numbers in the file, null for what is left out; null where they are not known. */
  lines: { number: number | null; text: string }[] | null;
}

/** Why a file is in or out, and each passage of it. */
export interface Explained {
  verdict: string;
  reasons: string[];
  passages: { start: number; end: number; why: string }[];
}

export interface BundlesPage {
  /** The folder where the page was started. */
  folder: string;
  workspaces: string[];
  /** Of the policy in force here. */
  profiles: string[];
  built: BundleView | null;
  opened: BundleView | null;
}

export interface Drift {
  same: boolean;
  changes: { part: string; change: 'added' | 'removed' | 'changed'; name: string; detail: string }[];
}
