import type { ComponentChildren } from 'preact';
import { type Got, useGet } from './api.ts';
import { PlaceLink, Problem } from './parts.tsx';
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
  const isStale = stale !== null && stale.blocks + stale.proposals > 0;
  return (
    <section class="today" aria-label="Today">
      {faults.length === 0 ? null : (
        <Problem text={`The record of decisions: ${faults.join('; ')}. Look and settle: everything else, v`} />
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
          {gaps ? (gaps.worst ? `${gaps.worst.count}× ${gaps.worst.words}` : 'none') : UNREAD}
        </Part>
      </PlaceLink>
      {day.code === null ? null : <p>Code of the last check, to write down: {day.code}</p>}
    </section>
  );
}

interface PartProps {
  name: string;
  /** Undefined: nobody knows. */
  figure: number | undefined;
  children: ComponentChildren;
}

function Part({ name, figure, children }: PartProps) {
  return (
    <>
      <span class={figure ? 'day-figure' : 'day-figure none'}>{figure === undefined ? '?' : figured(figure)}</span>
      <span class="day-name">{name}</span>
      <span class="day-words">{children}</span>
    </>
  );
}

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
