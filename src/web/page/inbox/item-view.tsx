import type { ComponentChildren } from 'preact';
import { addedText, type DiffLine, withText } from '../../../gate/proposals/proposal-diff.ts';
import { ruleNotes } from '../../../memory/rules.ts';
import { asEdited, type Part } from '../../../waiting/waiting.ts';
import type { Item } from '../api.ts';
import { Button, Diff, Table, Warnings } from '../parts.tsx';
import { ageOf, counted, dayOf, dotted } from '../words.ts';

type Type = Item['body']['type'];
type Body<T extends Type> = Extract<Item['body'], { type: T }>;

/** What the person changed in what is shown. */
export type Change = { edited: string | null; until: string | null; leftOut: ReadonlySet<number> };

interface Changed {
  change: Change;
  onChange: (change: Change) => void;
  onOneByOne: () => void;
}

export function ItemView({ item: { body }, ...changed }: Changed & { item: Item }) {
  if (body.type === 'proposal') return <Proposal body={body} {...changed.change} />;
  if (body.type === 'list') return <SessionList body={body} {...changed} />;
  const { type, key, title, about, at, parts } = body;
  const { edited } = changed.change;
  return (
    <Story title={title} by={dotted(about, at && ageOf(at))} edited={edited}>
      {parts.map((part) => (
        <PartView part={asEdited(part, edited)} />
      ))}
      {type === 'approve' ? (
        <p class="quiet">
          What led to it: <a href={`/runs/${encodeURIComponent(key.slice(2))}`}>the run, step by step</a>
        </p>
      ) : null}
    </Story>
  );
}

function PartView({ part }: { part: Part }) {
  if (part.is === 'text') return <pre class="whole-text">{part.text}</pre>;
  if (part.is === 'rows')
    return <Table rows={part.rows.map(({ cells, at }) => [...cells, ...(at === undefined ? [] : [ageOf(at)])])} />;
  if (part.is === 'diff') return <Diff label={IN_PLACE} lines={part.lines} />;
  return part.is === 'warning' ? <Warnings lines={[part.text]} /> : <p>{part.text}</p>;
}

const IN_PLACE = 'The exact change in its surroundings';

interface StoryProps {
  title: string;
  by?: string;
  reason?: string | null;
  edited: string | null;
  children: ComponentChildren;
}

function Story({ title, by, reason, edited, children }: StoryProps) {
  return (
    <article class="item">
      <h1>{title}</h1>
      {by ? <p class="by">{by}</p> : null}
      {reason ? <blockquote class="reason">{reason}</blockquote> : null}
      {edited === null ? null : <p class="note mine">As you edited it: this is what your yes is about.</p>}
      {children}
    </article>
  );
}

function byLine({ proposal: { client, created_at, category }, group }: Body<'proposal'>): string {
  const of = group && `${group.index} of ${group.total} that it proposed in one session`;
  return dotted(`proposed by ${client}`, ageOf(created_at), category, of);
}

function Proposal({ body, edited, until }: Change & { body: Body<'proposal'> }) {
  const { diff, state, contradicts, declined } = body;
  const { replaces, paths = [], reason } = body.proposal;
  const lines: readonly DiffLine[] = edited === null ? diff : withText(diff, edited);
  const about = dotted(
    paths.length > 0 && `For ${paths.join(', ')}.`,
    until !== null && `To review again: ${until}.`,
    replaces !== null && 'It takes the place of the lines marked −.',
  );
  const before = declined && `You declined nearly this on ${dayOf(declined.at)}`;
  const why = declined?.reason ? `: “${declined.reason}”` : '.';
  const warnings = [
    ...(state === 'stale' ? ['The block it replaces is gone: it can only be declined.'] : []),
    ...ruleNotes(edited ?? addedText(diff)),
    ...contradicts.map(({ place, line, text }) => `May contradict ${place} line ${line}: “${text}”`),
    ...(before ? [before + why] : []),
  ];
  return (
    <Story title={body.where} by={byLine(body)} reason={reason} edited={edited}>
      <Diff lines={lines} label={IN_PLACE} />
      <Warnings lines={warnings} />
      {about === '' ? null : <p class="quiet">{about}</p>}
    </Story>
  );
}

// What one session proposed, as `bearings review` shows it: a word on all of it counts once its end was seen.
function SessionList({ body, change, onChange, onOneByOne }: Changed & { body: Body<'list'> }) {
  const { client, image_id, created_at, total, others, lines } = body;
  const mark = (line: number, isLeftOut: boolean): void => {
    const marked = [...change.leftOut].filter((other) => other !== line);
    onChange({ ...change, leftOut: new Set(isLeftOut ? [...marked, line] : marked) });
  };
  const where = image_id === null ? 'outside of any workspace' : `in ${image_id}`;
  return (
    <article class="item session-list">
      <h1>{counted(total, 'proposal')} of one session</h1>
      <p class="by">
        {dotted(`proposed by ${client} ${where}`, ageOf(created_at))} ·{' '}
        <Button class="link" onClick={onOneByOne}>
          one by one
        </Button>
      </p>
      {others > 0 ? (
        <p>{`${others} more ${others === 1 ? 'comes by itself' : 'come by themselves'}: contradicting your memory, or long.`}</p>
      ) : null}
      <ol>
        {lines.map(({ target, why, content, until }, line) => (
          <li class={change.leftOut.has(line) ? 'listed left-out' : 'listed'}>
            <p class="listed-head">
              <span class="number" aria-hidden="true">
                {line + 1}
              </span>
              <span>{dotted(target, why, until && `to review again on ${until}`)}</span>
            </p>
            <pre class="listed-text">{content}</pre>
            <label class="leave-out">
              <input
                type="checkbox"
                checked={change.leftOut.has(line)}
                onChange={(event) => mark(line, event.currentTarget.checked)}
              />
              Leave out <span class="unseen">number {line + 1}</span>
            </label>
          </li>
        ))}
      </ol>
    </article>
  );
}
