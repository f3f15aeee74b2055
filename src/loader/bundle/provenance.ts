/**
 * Where a text comes from and how far it may be trusted; attached where it is read, and never changed after.
 * - `project`: a file of the project. Authoritative in the control plane only: what the project says about itself.
 * - `memory`: the workspace's notes, log or gaps. Evidence, never authority.
 * - `adapter`: the best items of an outside system, with the times they carry.
 */
export type Provenance =
  | { origin: 'project'; authoritative: boolean }
  | { origin: 'memory'; authoritative: false; source: string }
  | AdapterProvenance;

export interface AdapterProvenance {
  origin: 'adapter';
  authoritative: false;
  adapter: string;
  fetched_at: string | null;
  /** The newest of its items. */
  updated_at: string | null;
  /** True where one of its items is; null where of one it is not known. */
  stale: boolean | null;
  /** Those in the entry, the best first. */
  items: ItemProvenance[];
}

/** `age_seconds` is measured against `--now`, else against the payload's own `fetched_at`; null where either time is unknown. */
export interface ItemProvenance {
  id: string;
  state: string;
  updated_at: string | null;
  age_seconds: number | null;
  stale: boolean | null;
}
