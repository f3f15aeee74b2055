import { useEffect, useMemo, useState } from 'preact/hooks';
import { storyOf } from '../../../gate/sessions/story.ts';
import type { SessionPage, SessionRow } from '../../wire.ts';
import { get } from '../api.ts';
import { go, pathOf } from '../route.ts';
import { ageOf, counted, dayOf, seen, timeOf } from '../words.ts';

interface Rows {
  total: number;
  from: number;
  rows: SessionRow[];
}

const NO_WORKSPACE = '-';
const STATES = { open: 'goes on', ended: 'ended', interrupted: 'was cut off' };

export function Sessions({ path, changes }: { path: string[]; changes: number }) {
  const [all, setAll] = useState<Rows | null>(null);
  const [listOpen, setListOpen] = useState(false);
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
    <div class={listOpen ? 'split list-open' : 'split'}>
      <section class="list" aria-label="Sessions">
        <nav class="tree" aria-label="Sessions, the newest first">
          {all.rows.map((row) => {
            const to = ['sessions', row.image_id ?? NO_WORKSPACE, row.session_id];
            const isHere = row.session_id === id && (row.image_id ?? NO_WORKSPACE) === workspace;
            return (
              <a
                key={to.join('/')}
                href={pathOf(...to)}
                class="session"
                aria-current={isHere ? 'page' : undefined}
                onClick={(event) => {
                  event.preventDefault();
                  go(...to);
                  setListOpen(false);
                }}
              >
                <span>{seen(row.client) || 'unknown'}</span>
                <span class="quiet">
                  {seen(row.image_id ?? 'no workspace')} · {ageOf(row.last_at)} ·{' '}
                  {counted(row.entries, 'entry', 'entries')}
                </span>
              </a>
            );
          })}
          {all.rows.length < all.total ? (
            <button type="button" onClick={() => void more()}>
              {counted(all.total - all.rows.length, 'more session')}
            </button>
          ) : null}
        </nav>
      </section>
      <section class="one" aria-label="Story">
        <div class="scroll">
          <p class="counter">
            <button type="button" class="list-toggle" aria-expanded={listOpen} onClick={() => setListOpen(!listOpen)}>
              {counted(all.total, 'session')}
            </button>
          </p>
          <Story key={`${workspace} ${id}`} id={id} workspace={workspace} changes={changes} />
        </div>
      </section>
    </div>
  );
}

function Story({ id, workspace, changes }: { id: string; workspace: string; changes: number }) {
  const [page, setPage] = useState<SessionPage | null>(null);
  const [problem, setProblem] = useState('');
  const ask = (from: number) =>
    get<SessionPage>('/api/session', { id, from, workspace: workspace === NO_WORKSPACE ? undefined : workspace });
  useEffect(() => {
    ask(0).then(setPage, (error: Error) => setProblem(error.message));
  }, [changes]);
  const more = async (): Promise<void> => {
    if (!page) return;
    const next = await ask(page.records.length);
    setPage({ ...next, records: [...page.records, ...next.records] });
  };
  const moments = useMemo(() => storyOf(page?.records ?? []), [page]);
  if (problem) return <p class="problem">{problem}</p>;
  if (!page) return null;
  const { session } = page;
  return (
    <article class="item">
      <h1>{seen(session.client) || 'unknown'}</h1>
      <p class="by">
        {seen(session.image_id ?? 'no workspace')} · {dayOf(session.started_at)}, {timeOf(session.started_at)} ·{' '}
        {counted(page.total, 'moment')} · {STATES[session.state]}
        {session.torn ? ' · its last line was cut off' : ''}
      </p>
      <ol class="story">
        {moments.map(({ at, kind, text, quote, about }) => (
          <li class={kind}>
            <time dateTime={at}>{timeOf(at)}</time>
            <div>
              <p>
                {text}
                {about ? <span class="quiet"> {about}</span> : null}
              </p>
              {quote ? <pre>{quote}</pre> : null}
            </div>
          </li>
        ))}
      </ol>
      {page.records.length < page.total ? (
        <button type="button" onClick={() => void more()}>
          Go on reading: {counted(page.total - page.records.length, 'entry', 'entries')} more
        </button>
      ) : null}
    </article>
  );
}

function NoSessions() {
  return (
    <section class="empty" aria-label="Sessions">
      <h1>No sessions yet</h1>
      <p>
        Each session of an agent is kept here as a story: what it was served, what it proposed, what you decided.
        Connect one over MCP:
      </p>
      <pre>bearings mcp --workspace ID</pre>
    </section>
  );
}
