import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ServedToday, StaleToday, TodayPage } from '../../seen-wire.ts';
import { get } from '../api.ts';
import { Problem } from '../problem.tsx';
import { NO_WORKSPACE } from '../sessions/story.tsx';
import { PlaceLink } from '../split-view.tsx';
import { counted, seen } from '../words.ts';

const MOST_CLIENTS = 2;
const UNREAD = 'could not be read';

// The day at one glance, above the inbox. Each part leads to its place.
export function Today({ changes, onPick }: { changes: number; onPick: (key: string | null) => void }) {
  const [day, setDay] = useState<TodayPage | null>(null);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    get<TodayPage>('/api/today').then(
      (found) => {
        setDay(found);
        setProblem('');
      },
      (error: Error) => setProblem(error.message),
    );
  }, [changes]);
  if (!day)
    return (
      <section class="today" aria-label="Today" aria-busy={problem === ''}>
        {problem ? <Problem text={`What today brought ${UNREAD}: ${problem}`} /> : null}
      </section>
    );
  const { served, waits, stale, gaps } = day;
  const latest = served?.clients[0];
  const isStale = stale !== null && stale.blocks + stale.proposals > 0;
  return (
    <section class="today" aria-label="Today">
      {day.faults.length === 0 ? null : (
        <Problem text={`The record of decisions: ${day.faults.join('; ')}. Look and settle: bearings review`} />
      )}
      <PlaceLink to={latest ? ['sessions', latest.image_id ?? NO_WORKSPACE, latest.session_id] : ['sessions']}>
        <Part name="Served today" figure={served?.total}>
          {served ? servedWords(served) : UNREAD}
        </Part>
      </PlaceLink>
      <button type="button" onClick={() => onPick(null)}>
        <Part name="Waits for you" figure={waits?.total}>
          {waits ? waitsWords(waits) : UNREAD}
        </Part>
      </button>
      <button type="button" disabled={!isStale} onClick={() => onPick(stale?.first ?? null)}>
        <Part name="Stale" figure={stale ? stale.blocks + stale.proposals : undefined}>
          {stale ? staleWords(stale) : UNREAD}
        </Part>
      </button>
      <PlaceLink to={gaps?.worst ? ['gaps', gaps.worst.image_id, gaps.worst.key] : ['gaps']}>
        <Part name="Gaps that repeat" figure={gaps?.repeated}>
          {gaps ? gapWords(gaps) : UNREAD}
        </Part>
      </PlaceLink>
      {day.code === null ? null : <p>Code of the last check, to write down: {day.code}</p>}
    </section>
  );
}

function Part({
  name,
  figure,
  children,
}: {
  name: string;
  /** Undefined: nobody knows. */
  figure: number | undefined;
  children: ComponentChildren;
}) {
  return (
    <>
      <span class={figure ? 'day-figure' : 'day-figure none'}>{figure?.toLocaleString('en') ?? '?'}</span>
      <span class="day-name">{name}</span>
      <span class="day-words">{children}</span>
    </>
  );
}

function servedWords({ total, clients, unread }: ServedToday): string {
  const named = clients.slice(0, MOST_CLIENTS).map(({ client, count }) => `${seen(client) || 'unknown'} ${count}`);
  const others = clients.length - named.length;
  const to = `to ${[...named, ...(others > 0 ? [counted(others, 'other')] : [])].join(', ')}`;
  // First, since the end of a long line is cut.
  const missing = unread > 0 ? `${counted(unread, 'session')} ${UNREAD} · ` : '';
  return `${missing}${total === 0 ? 'nothing yet' : to}`;
}

function waitsWords({ total, minutes }: NonNullable<TodayPage['waits']>): string {
  if (total === 0) return 'nothing';
  return minutes > 0 ? `about ${minutes} min` : 'in the inbox';
}

function staleWords({ blocks, proposals }: StaleToday): string {
  const parts = [
    blocks > 0 ? `${counted(blocks, 'note')} to review again` : '',
    proposals > 0 ? `${counted(proposals, 'proposal')} without its block` : '',
  ];
  return parts.filter((part) => part !== '').join(', ') || 'nothing to review again';
}

function gapWords({ worst }: NonNullable<TodayPage['gaps']>): string {
  return worst ? `${worst.count}× ${seen(worst.words)}` : 'none';
}
