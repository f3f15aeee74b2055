import { useEffect, useMemo, useState } from 'preact/hooks';
import { type Moment, storyOf } from '../../../gate/sessions/story.ts';
import type { SessionPage } from '../../wire.ts';
import { get } from '../api.ts';
import { Problem } from '../problem.tsx';
import { counted, dayOf, seen, timeOf } from '../words.ts';
import { ServedText } from './served-text.tsx';

export const NO_WORKSPACE = '-';
const STATES = { open: 'goes on', ended: 'ended', interrupted: 'was cut off' };

/** One session as it went: served, called, proposed, decided, in order. */
export function Story({ id, workspace, changes }: { id: string; workspace: string; changes: number }) {
  const [page, setPage] = useState<SessionPage | null>(null);
  const [problem, setProblem] = useState('');
  const named = workspace === NO_WORKSPACE ? undefined : workspace;
  const ask = (from: number) => get<SessionPage>('/api/session', { id, from, workspace: named });
  useEffect(() => {
    ask(0).then(setPage, (error: Error) => setProblem(error.message));
  }, [changes]);
  const more = async (): Promise<void> => {
    if (!page) return;
    const next = await ask(page.records.length);
    setPage({ ...next, records: [...page.records, ...next.records] });
  };
  const moments = useMemo(() => storyOf(page?.records ?? []), [page]);
  if (problem) return <Problem text={problem} />;
  if (!page) return null;
  const { session } = page;
  // How many moments the rest has is known once it is there: several entries may be one.
  const isWhole = page.records.length >= page.total;
  return (
    <article class="item wide">
      <h1>{seen(session.client) || 'unknown'}</h1>
      <p class="by">
        {seen(session.image_id ?? 'no workspace')} · {dayOf(session.started_at)}, {timeOf(session.started_at)} ·{' '}
        {isWhole ? counted(moments.length, 'moment') : counted(page.total, 'entry', 'entries')} ·{' '}
        {STATES[session.state]}
        {session.torn ? ' · its last line was cut off' : ''}
      </p>
      <ol class="story">
        {moments.map((moment, at) => (
          <MomentRow key={`${moment.at} ${at}`} moment={moment} workspace={named} />
        ))}
      </ol>
      {isWhole ? null : (
        <button type="button" onClick={() => void more()}>
          Continue reading: {counted(page.total - page.records.length, 'entry', 'entries')} more
        </button>
      )}
    </article>
  );
}

function MomentRow({ moment, workspace }: { moment: Moment; workspace: string | undefined }) {
  const { at, kind, text, quote, about, sha256 } = moment;
  const [open, setOpen] = useState(false);
  return (
    <li class={kind}>
      <time dateTime={at}>{timeOf(at)}</time>
      <div>
        <p>
          {text}
          {about ? <span class="quiet"> {about}</span> : null}
          {sha256 === null ? null : (
            <>
              {' '}
              <button type="button" class="link" aria-expanded={open} onClick={() => setOpen(!open)}>
                {open ? 'hide the text' : 'show the text'}
              </button>
            </>
          )}
        </p>
        {quote ? <pre>{quote}</pre> : null}
        {open && sha256 !== null ? <ServedText sha256={sha256} workspace={workspace} /> : null}
      </div>
    </li>
  );
}
