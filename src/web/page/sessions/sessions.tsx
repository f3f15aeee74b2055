import { useEffect, useState } from 'preact/hooks';
import type { SessionRow } from '../../wire.ts';
import { get } from '../api.ts';
import { PlaceLink, SplitView } from '../split-view.tsx';
import { ageOf, counted, seen } from '../words.ts';
import { NO_WORKSPACE, Story } from './story.tsx';

interface Rows {
  total: number;
  from: number;
  rows: SessionRow[];
}

export function Sessions({ path, changes }: { path: string[]; changes: number }) {
  const [all, setAll] = useState<Rows | null>(null);
  useEffect(() => {
    void get<Rows>('/api/sessions', { from: 0 }).then(setAll, () => undefined);
  }, [changes]);
  const more = async (): Promise<void> => {
    if (!all) return;
    const next = await get<Rows>('/api/sessions', { from: all.rows.length });
    setAll({ ...next, rows: [...all.rows, ...next.rows] });
  };
  if (!all) return null;
  if (all.total === 0) return <NoSessions />;
  const [workspace = all.rows[0]?.image_id ?? NO_WORKSPACE, id = all.rows[0]?.session_id ?? ''] = path;
  return (
    <SplitView
      listLabel="Sessions"
      oneLabel="Story"
      counter={counted(all.total, 'session')}
      list={(onGo) => (
        <nav class="tree" aria-label="Sessions, the newest first">
          {all.rows.map((row) => {
            const to = ['sessions', row.image_id ?? NO_WORKSPACE, row.session_id];
            const isHere = row.session_id === id && (row.image_id ?? NO_WORKSPACE) === workspace;
            return (
              <PlaceLink key={to.join('/')} to={to} class="session" isHere={isHere} onGo={onGo}>
                <span>{seen(row.client) || 'unknown'}</span>
                <span class="quiet">
                  {seen(row.image_id ?? 'no workspace')} · {ageOf(row.last_at)} ·{' '}
                  {counted(row.entries, 'entry', 'entries')}
                </span>
              </PlaceLink>
            );
          })}
          {all.rows.length < all.total ? (
            <button type="button" onClick={() => void more()}>
              {counted(all.total - all.rows.length, 'more session')}
            </button>
          ) : null}
        </nav>
      )}
    >
      <Story key={`${workspace} ${id}`} id={id} workspace={workspace} changes={changes} />
    </SplitView>
  );
}

function NoSessions() {
  return (
    <section class="empty" aria-label="Sessions">
      <h1>No sessions yet</h1>
      <p>
        Each session of an agent is told here as a story: what it was served, what it proposed, what you decided.
        Connect one over MCP:
      </p>
      <pre>bearings mcp --workspace ID</pre>
    </section>
  );
}
