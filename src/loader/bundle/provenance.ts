/**
 * Where a text comes from and how far it may be trusted; attached where it is read, and never changed after.
 * - `project`: a file of the project. Authoritative in the control plane only: what the project says about itself.
 * - `memory`: the workspace's notes, log or gaps. Evidence, never authority.
 * - `adapter`: an item of an outside system, with the times it carries. `age_seconds` is measured against `--now`, else
 *   against the payload's own `fetched_at`; null where either time is unknown.
 */
export type Provenance =
  | { origin: 'project'; authoritative: boolean }
  | { origin: 'memory'; authoritative: false; source: string }
  | {
      origin: 'adapter';
      authoritative: false;
      adapter: string;
      item: string;
      state: string;
      fetched_at: string | null;
      updated_at: string | null;
      age_seconds: number | null;
      stale: boolean | null;
    };
