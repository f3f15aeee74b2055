import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { TodayPage } from '../../seen-wire.ts';
import { get } from '../api.ts';
import { NO_WORKSPACE } from '../sessions/story.tsx';
import { PlaceLink } from '../split-view.tsx';
import { counted, seen } from '../words.ts';

const MOST_CLIENTS = 2;

// The day at one glance, above the inbox. Each part leads to its place.
export function Today({ changes, onPick }: { changes: number; onPick: (key: string | null) => void }) {
  const [day, setDay] = useState<TodayPage | null>(null);
  useEffect(() => {
    void get<TodayPage>('/api/today').then(setDay, () => undefined);
  }, [changes]);
  if (!day) return <section class="today" aria-label="Today" aria-busy="true" />;
  const { served, waits, stale, gaps } = day;
  const [latest] = served.clients;
  const isStale = stale.blocks + stale.proposals > 0;
  return (
    <section class="today" aria-label="Today">
      <PlaceLink to={latest ? ['sessions', latest.image_id ?? NO_WORKSPACE, latest.session_id] : ['sessions']}>
        <Part name="Served today" figure={served.total} isOn={served.total > 0}>
          {served.total === 0 ? 'nothing yet' : servedWords(served.clients)}
        </Part>
      </PlaceLink>
      <button type="button" onClick={() => onPick(null)}>
        <Part name="Waits for you" figure={waits.total} isOn={waits.total > 0}>
          {waits.total === 0 ? 'nothing' : waits.minutes > 0 ? `about ${waits.minutes} min` : 'in the inbox'}
        </Part>
      </button>
      <button type="button" disabled={!isStale} onClick={() => onPick(stale.first)}>
        <Part name="Stale" figure={stale.blocks + stale.proposals} isOn={isStale}>
          {isStale ? staleWords(stale) : 'nothing to review again'}
        </Part>
      </button>
      <PlaceLink to={gaps.worst ? ['gaps', gaps.worst.image_id, gaps.worst.key] : ['gaps']}>
        <Part name="Gaps that repeat" figure={gaps.repeated} isOn={gaps.repeated > 0}>
          {gaps.worst ? `${gaps.worst.count}× ${seen(gaps.worst.words)}` : 'none'}
        </Part>
      </PlaceLink>
    </section>
  );
}

function Part({
  name,
  figure,
  isOn,
  children,
}: {
  name: string;
  figure: number;
  isOn: boolean;
  children: ComponentChildren;
}) {
  return (
    <>
      <span class={isOn ? 'day-figure' : 'day-figure none'}>{figure.toLocaleString('en')}</span>
      <span class="day-name">{name}</span>
      <span class="day-words">{children}</span>
    </>
  );
}

function servedWords(clients: TodayPage['served']['clients']): string {
  const named = clients.slice(0, MOST_CLIENTS).map(({ client, count }) => `${seen(client) || 'unknown'} ${count}`);
  const others = clients.length - named.length;
  return `to ${[...named, ...(others > 0 ? [counted(others, 'other')] : [])].join(', ')}`;
}

function staleWords({ blocks, proposals }: TodayPage['stale']): string {
  const parts = [
    blocks > 0 ? `${counted(blocks, 'note')} to review again` : '',
    proposals > 0 ? `${counted(proposals, 'proposal')} without its block` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}
