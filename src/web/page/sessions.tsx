import { useMemo, useState } from 'preact/hooks';
import { type Moment, storyOf } from '../../gate/sessions/story.ts';
import { useGet } from './api.ts';
import { Button, Empty, ListView, Problem, TextBox } from './parts.tsx';
import { ageOf, counted, dayOf, dotted, timeOf } from './words.ts';

const NO_WORKSPACE = '-';

export function Sessions({ path, changes }: { path: string[]; changes: number }) {
  const { found: all } = useGet('/api/sessions', {}, [changes]);
  if (!all) return null;
  if (all.total === 0)
    return (
      <Empty name="Sessions" title="No sessions yet">
        <p>
          Each session of an agent is told here as a story: what it was served, what it proposed, what you decided.
          Connect one over MCP:
        </p>
        <pre>bearings mcp --workspace ID</pre>
      </Empty>
    );
  const [workspace = all.rows[0]?.image_id ?? NO_WORKSPACE, id = all.rows[0]?.session_id ?? ''] = path;
  return (
    <ListView
      names={['Sessions', 'Story']}
      what="session"
      command="bearings sessions"
      all={all}
      draw={({ client, image_id, session_id, last_at, entries }) => ({
        to: ['sessions', image_id ?? NO_WORKSPACE, session_id],
        isHere: session_id === id && (image_id ?? NO_WORKSPACE) === workspace,
        name: client || 'unknown',
        about: dotted(image_id ?? 'no workspace', ageOf(last_at), counted(entries, 'entry', 'entries')),
      })}
    >
      <Story key={`${workspace} ${id}`} id={id} workspace={workspace} changes={changes} />
    </ListView>
  );
}

const STATES = { open: 'goes on', ended: 'ended', interrupted: 'was cut off' };

function Story({ id, workspace, changes }: { id: string; workspace: string; changes: number }) {
  const named = workspace === NO_WORKSPACE ? undefined : workspace;
  const { found: session, problem } = useGet('/api/session', { id, workspace: named }, [changes]);
  const moments = useMemo(() => storyOf(session?.records ?? []), [session]);
  if (!session) return <Problem text={problem} />;
  return (
    <article class="item wide">
      <h1>{session.client || 'unknown'}</h1>
      <p class="by">
        {dotted(
          session.image_id ?? 'no workspace',
          `${dayOf(session.started_at)}, ${timeOf(session.started_at)}`,
          counted(moments.length, 'moment'),
          STATES[session.state],
          session.torn && 'its last line was cut off',
        )}
      </p>
      <ol class="story">
        {moments.map((moment, at) => (
          <MomentRow key={`${moment.at} ${at}`} moment={moment} />
        ))}
      </ol>
    </article>
  );
}

function MomentRow({ moment }: { moment: Moment }) {
  const { at, kind, text, quote, about, sha256 } = moment;
  const [open, setOpen] = useState(false);
  return (
    <li class={kind}>
      <time dateTime={at}>{timeOf(at)}</time>
      <div>
        <p>
          {text}
          {about ? <span class="quiet"> {about}</span> : null}{' '}
          {sha256 === null ? null : (
            <Button class="link" aria-expanded={open} onClick={() => setOpen(!open)}>
              {open ? 'hide the text' : 'show the text'}
            </Button>
          )}
        </p>
        {quote ? <pre>{quote}</pre> : null}
        {open && sha256 !== null ? <ServedText sha256={sha256} /> : null}
      </div>
    </li>
  );
}

function ServedText({ sha256 }: { sha256: string }) {
  const { found, problem } = useGet('/api/served', { sha256 }, [sha256]);
  if (!found) return <p class="quiet">{problem || '…'}</p>;
  return (
    <div class="served-text">
      {found.masked > 0 ? (
        <p class="quiet">{counted(found.masked, 'secret')} replaced by its class: this page shows none.</p>
      ) : null}
      <TextBox {...found} label="The exact text" />
      <p class="quiet">
        Where a line of it comes from: <code>bearings why "…"</code>
      </p>
    </div>
  );
}
