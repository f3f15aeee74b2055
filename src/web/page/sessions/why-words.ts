import type { Source } from '../../../gate/seen/source.ts';
import { ageOf, seen } from '../words.ts';

const MOST = 2;

/** Why a line is in, in a few words: its place, and who decided on it. `file` is said already, above the lines. */
export function whyWords(sources: readonly Source[], file: string): string {
  if (sources.length === 0) return 'added by Bearings';
  const more = sources.length > MOST ? [`and ${sources.length - MOST} more`] : [];
  return [...sources.slice(0, MOST).map((source) => sourceWords(source, file)), ...more].join('; ');
}

function sourceWords({ kind, file, line, origin, gone }: Source, said: string): string {
  const place =
    file === said ? (line === null ? '' : `line ${line}`) : `${seen(file)}${line === null ? '' : `:${line}`}`;
  if (kind === 'file') return 'a file of the project';
  if (kind === 'log' || kind === 'gap') return gone ? 'a record that was cleared since' : 'written by an agent';
  return [place, ...behind(kind, origin, gone), gone ? 'no longer there' : '']
    .filter((part) => part !== '')
    .join(' · ');
}

function behind(kind: Source['kind'], origin: Source['origin'], gone: boolean): string[] {
  if (origin === null) return kind === 'brief' || gone ? [] : ['no decision behind it'];
  const by = origin.proposed_by ? `proposed by ${seen(origin.proposed_by)}, ` : '';
  const how = origin.proposal_id === null ? `by hand ${ageOf(origin.at)}` : `${by}accepted ${ageOf(origin.at)}`;
  return [how, `ledger ${origin.seq}`];
}
