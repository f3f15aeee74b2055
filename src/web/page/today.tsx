import { type Got, useGet } from './api.ts';
import { Button, PlaceLink, Problem } from './parts.tsx';
import { NO_WORKSPACE } from './sessions.tsx';
import { counted, figure as figured } from './words.ts';

const MAX_CLIENTS = 2;
const UNREAD = 'could not be read';

type Day = Got<'/api/today'>;

// The day at one glance, above the inbox. Each part leads to its place.
export function Today({ changes, onPick }: { changes: number; onPick: (key: string | null) => void }) {
  const { found: day, problem } = useGet('/api/today', {}, [changes]);
  if (!day)
    return (
      <section class="today" aria-label="Today" aria-busy={problem === ''}>
        {problem ? <Problem text={`What today brought ${UNREAD}: ${problem}`} /> : null}
      </section>
    );
  const { served, waits, stale, gaps, faults } = day;
  const latest = served?.clients[0];
  const staleCount = stale ? stale.blocks + stale.proposals : undefined;
  return (
    <section class="today" aria-label="Today">
      {faults.length === 0 ? null : (
        <Problem text={`The record of decisions: ${faults.join('; ')}. Look and settle: everything else, v`} />
      )}
      <PlaceLink to={latest ? ['sessions', latest.image_id ?? NO_WORKSPACE, latest.session_id] : ['sessions']}>
        {part('Served today', served?.total, served && servedWords(served))}
      </PlaceLink>
      <Button onClick={() => onPick(null)}>{part('Waits for you', waits?.total, waits && waitsWords(waits))}</Button>
      <Button disabled={!staleCount} onClick={() => onPick(stale?.first ?? null)}>
        {part('Stale', staleCount, stale && staleWords(stale))}
      </Button>
      <PlaceLink to={gaps?.worst ? ['gaps', gaps.worst.image_id, gaps.worst.key] : ['gaps']}>
        {part(
          'Gaps that repeat',
          gaps?.repeated,
          gaps && (gaps.worst ? `${gaps.worst.count}× ${gaps.worst.words}` : 'none'),
        )}
      </PlaceLink>
      {day.code === null ? null : <p>Code of the last check, to write down: {day.code}</p>}
    </section>
  );
}

// Without words nobody knows.
const part = (name: string, figure: number | undefined, words: string | null) => (
  <>
    <span class={figure ? 'day-figure' : 'day-figure none'}>{figure === undefined ? '?' : figured(figure)}</span>
    <span class="day-name">{name}</span>
    <span class="day-words">{words ?? UNREAD}</span>
  </>
);

function servedWords({ total, clients, unread }: NonNullable<Day['served']>): string {
  const named = clients.slice(0, MAX_CLIENTS).map(({ client, count }) => `${client || 'unknown'} ${count}`);
  const others = clients.length - named.length;
  const to = `to ${[...named, ...(others > 0 ? [counted(others, 'other')] : [])].join(', ')}`;
  // First, since the end of a long line is cut.
  const missing = unread > 0 ? `${counted(unread, 'session')} ${UNREAD} · ` : '';
  return `${missing}${total === 0 ? 'nothing yet' : to}`;
}

function waitsWords({ total, minutes }: NonNullable<Day['waits']>): string {
  if (total === 0) return 'nothing';
  return minutes > 0 ? `about ${minutes} min` : 'in the inbox';
}

function staleWords({ blocks, proposals }: NonNullable<Day['stale']>): string {
  const parts = [
    blocks > 0 && `${counted(blocks, 'note')} to review again`,
    proposals > 0 && `${counted(proposals, 'proposal')} without its block`,
  ];
  return parts.filter(Boolean).join(', ') || 'nothing to review again';
}
