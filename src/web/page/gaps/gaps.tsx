import { useEffect, useState } from 'preact/hooks';
import type { GapRows } from '../../seen-wire.ts';
import { get } from '../api.ts';
import { PlaceLink, SplitView } from '../split-view.tsx';
import { ageOf, counted, seen } from '../words.ts';
import { GapView } from './gap-view.tsx';

// What agents missed, the worst first: how often, how recent, how badly.
export function Gaps({ path, changes }: { path: string[]; changes: number }) {
  const [all, setAll] = useState<GapRows | null>(null);
  useEffect(() => {
    void get<GapRows>('/api/gaps', { from: 0 }).then(setAll, () => undefined);
  }, [changes]);
  const more = async (): Promise<void> => {
    if (!all) return;
    const next = await get<GapRows>('/api/gaps', { from: all.rows.length });
    setAll({ ...next, rows: [...all.rows, ...next.rows] });
  };
  if (!all) return null;
  if (all.total === 0) return <NoGaps />;
  const [workspace = all.rows[0]?.image_id ?? '', key = all.rows[0]?.key ?? ''] = path;
  return (
    <SplitView
      listLabel="Gaps"
      oneLabel="Gap"
      counter={counted(all.total, 'gap')}
      list={(onGo) => (
        <nav class="tree" aria-label="Gaps, the worst first">
          {all.rows.map((row) => (
            <PlaceLink
              key={`${row.image_id} ${row.key}`}
              to={['gaps', row.image_id, row.key]}
              class="session"
              isHere={row.image_id === workspace && row.key === key}
              onGo={onGo}
            >
              <span class="gap-name">
                <span>{seen(row.words)}</span>
                <span class="figure">{row.count}×</span>
              </span>
              <span class="quiet">
                {seen(row.image_id)} · {ageOf(row.last_at)}
              </span>
            </PlaceLink>
          ))}
          {all.rows.length < all.total ? (
            <button type="button" onClick={() => void more()}>
              {counted(all.total - all.rows.length, 'more gap')}
            </button>
          ) : null}
        </nav>
      )}
    >
      <GapView key={`${workspace} ${key}`} workspace={workspace} id={key} changes={changes} />
    </SplitView>
  );
}

function NoGaps() {
  return (
    <section class="empty" aria-label="Gaps">
      <h1>No gaps yet</h1>
      <p>
        When an agent misses something, a word, a tool or a rule, it records it. Here you see what is missed often,
        lately and badly, and make a note of it. Agents do it by themselves with <code>log_vocabulary_gap</code>; in a
        terminal:
      </p>
      <pre>bearings sessions gaps</pre>
    </section>
  );
}
