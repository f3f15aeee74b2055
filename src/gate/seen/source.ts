import type { JsonRecord } from '../../json-record.ts';
import type { Origin } from '../standing/accounts.ts';

/** Where a line that an agent was given is. */
export interface Source {
  kind: 'taste' | 'brief' | 'notes' | 'log' | 'gap' | 'file';
  /** Of memory: its name. Of a bundle: the path in the project. */
  file: string;
  /** Null where a record or a bundle has none, and where it is no longer there. */
  line: number | null;
  /** The decision behind it; null: none, or none is asked for. */
  origin: Omit<Origin, 'key'> | null;
  /** Of a log or gap record, as it is. */
  record: JsonRecord | null;
  /** It was there and is not any more. */
  gone: boolean;
}
