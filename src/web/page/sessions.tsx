import { useMemo, useState } from 'preact/hooks';
import type { Source } from '../../gate/seen/why.ts';
import { type Moment, storyOf } from '../../gate/sessions/story.ts';
import { type Got, useGet, useRows } from './api.ts';
import { Button, Empty, ListView, Problem, Switch, TextBox } from './parts.tsx';
import { ageOf, counted, dayOf, dotted, timeOf } from './words.ts';

export const NO_WORKSPACE = '-';

export function Sessions({ path, changes }: { path: string[]; changes: number }) {
  const { all, more } = useRows('/api/sessions', {}, [changes]);
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
      order="the newest first"
      {...{ all, more }}
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

/** One session as it went: served, called, proposed, decided, in order. */
function Story({ id, workspace, changes }: { id: string; workspace: string; changes: number }) {
  const named = workspace === NO_WORKSPACE ? undefined : workspace;
  const { all: page, problem, more } = useRows('/api/session', { id, workspace: named }, [changes]);
  const moments = useMemo(() => storyOf(page?.rows ?? []), [page]);
  if (problem) return <Problem text={problem} />;
  if (!page) return null;
  const { session, total, rows } = page;
  // How many moments the rest has is known once it is there: several entries may be one.
  const isWhole = rows.length >= total;
  return (
    <article class="item wide">
      <h1>{session.client || 'unknown'}</h1>
      <p class="by">
        {dotted(
          session.image_id ?? 'no workspace',
          `${dayOf(session.started_at)}, ${timeOf(session.started_at)}`,
          isWhole ? counted(moments.length, 'moment') : counted(total, 'entry', 'entries'),
          STATES[session.state],
          session.torn && 'its last line was cut off',
        )}
      </p>
      <ol class="story">
        {moments.map((moment, at) => (
          <MomentRow key={`${moment.at} ${at}`} moment={moment} workspace={named} />
        ))}
      </ol>
      {isWhole ? null : (
        <Button onClick={more}>{`Continue reading: ${counted(total - rows.length, 'entry', 'entries')} more`}</Button>
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
          {about ? <span class="quiet"> {about}</span> : null}{' '}
          {sha256 === null ? null : (
            <Button class="link" aria-expanded={open} onClick={() => setOpen(!open)}>
              {open ? 'hide the text' : 'show the text'}
            </Button>
          )}
        </p>
        {quote ? <pre>{quote}</pre> : null}
        {open && sha256 !== null ? <ServedText sha256={sha256} workspace={workspace} /> : null}
      </div>
    </li>
  );
}

const VIEWS = [
  ['lines', 'Line by line'],
  ['exact', 'Exact text'],
] as const;

/** A text that an agent was given: each line with where it comes from, or the very text. */
function ServedText({ sha256, workspace }: { sha256: string; workspace: string | undefined }) {
  const { found, problem } = useGet('/api/served', { sha256, workspace }, [sha256]);
  const [view, setView] = useState<'lines' | 'exact'>('lines');
  if (!found) return <p class="quiet">{problem || '…'}</p>;
  const { exact, masked, parts, left_out } = found;
  return (
    <div class="served-text">
      <div class="section-head">
        <Switch label="View" all={VIEWS} now={view} onPick={setView} />
        <code class="quiet">sha256 {sha256.slice(0, 12)}</code>
      </div>
      {masked > 0 ? (
        <p class="quiet">{counted(masked, 'secret')} replaced by its class: this page shows none.</p>
      ) : null}
      {view === 'exact' ? (
        <TextBox {...exact} label="The exact text" />
      ) : (
        parts.map((part) => <Lines key={`${part.kind} ${part.file}`} part={part} />)
      )}
      {view === 'lines' && left_out > 0 ? (
        <p class="quiet">and {counted(left_out, 'more line')}: see the exact text</p>
      ) : null}
    </div>
  );
}

const NAMES: Record<string, string> = { 'log.jsonl': 'log', 'vocabulary_gaps.jsonl': 'gaps' };

function Lines({ part: { kind, file, lines } }: { part: Got<'/api/served'>['parts'][number] }) {
  const title = kind === 'text' ? 'text' : (NAMES[file] ?? file);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section class="shown-text passages served-lines" tabIndex={0} aria-label={`Lines of ${title}`}>
      <table>
        <caption>{title}</caption>
        <tbody>
          {lines.map(({ text, sources }, at) => (
            <tr key={at}>
              <td class="line">{text}</td>
              <td class="quiet why-line">{text.trim() === '' ? '' : whyWords(sources, file)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const MAX_SOURCES = 2;

/** Why a line is in, in a few words: its place, and who decided on it. `file` is said already, above the lines. */
function whyWords(sources: readonly Source[], file: string): string {
  if (sources.length === 0) return 'added by Bearings';
  const more = sources.length > MAX_SOURCES ? [`and ${sources.length - MAX_SOURCES} more`] : [];
  return [...sources.slice(0, MAX_SOURCES).map((source) => sourceWords(source, file)), ...more].join('; ');
}

function sourceWords({ kind, file, line, origin, gone }: Source, above: string): string {
  if (kind === 'file') return 'a file of the project';
  if (kind === 'log' || kind === 'gap') return gone ? 'a record that was cleared since' : 'written by an agent';
  const place = file === above ? line !== null && `line ${line}` : `${file}${line === null ? '' : `:${line}`}`;
  const isUndecided = origin === null && kind !== 'brief' && !gone;
  const by = origin?.proposed_by ? `proposed by ${origin.proposed_by}, ` : '';
  const how =
    origin?.proposal_id === null ? `by hand ${ageOf(origin.at)}` : origin && `${by}accepted ${ageOf(origin.at)}`;
  return dotted(
    place,
    isUndecided && 'no decision behind it',
    how,
    origin && `ledger ${origin.seq}`,
    gone && 'no longer there',
  );
}
