import type { ComponentChildren } from 'preact';
import { addedText, type DiffLine } from '../../../gate/proposals/proposal-diff.ts';
import { ruleNotes } from '../../../memory/rules.ts';
import type { Item } from '../api.ts';
import { Button, Diff, linesOf, Table, Warnings, withText } from '../parts.tsx';
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

const IN_PLACE = 'The exact change in its surroundings';
const TOO_LONG = '(too long to be shown here)';

const VIEWS: { [T in Type]: (body: Body<T>, changed: Changed) => ComponentChildren } = {
  proposal: (body, { change }) => <Proposal body={body} {...change} />,
  list: (body, changed) => <SessionList body={body} {...changed} />,
  aside: (body) => (
    <Story title={body.where} by={byLine(body)} reason={body.proposal.reason}>
      <p class="note">Set aside at the end of a session, before you decided.</p>
      <Diff lines={linesOf(body.proposal.content, '+', null)} label="What was proposed" />
    </Story>
  ),
  // A program may have answered for the person: they hear of it before anything else.
  clients: ({ decisions }) => (
    <Story title="Decided through a client’s own question">
      <p>{counted(decisions.length, 'decision')} since you last looked. Were you asked?</p>
      <Table
        rows={decisions.map(({ decision, at, client, target }) => [decision, target, client ?? 'unknown', ageOf(at)])}
      />
      <p>
        If not, a program answered: <code>elicitation_off: "*"</code> in <code>config.yaml</code> of the home keeps
        clients from asking, and <code>bearings history</code> shows the way back.
      </p>
    </Story>
  ),
  first: ({ files }) => (
    <Story title="What was there before" by="Nothing here has been decided on yet. This is what is there now:">
      {files.map(({ target, blocks, text }) => (
        <>
          <h2>{`${target}: ${counted(blocks, 'block')}`}</h2>
          <pre class="whole-text">{text}</pre>
        </>
      ))}
      <p>Is it all yours? After a yes, every new block without your decision is shown. No text is changed.</p>
    </Story>
  ),
  key: ({ decisions, ledger, fingerprint, who, machine, last }) => (
    <Story title="A key you do not know" by={`${counted(decisions, 'decision')} of ${ledger} signed by it`}>
      <p>
        Trust it only if its owner told you this fingerprint: <code>{fingerprint}</code>
      </p>
      <p>{`It says it is ${who} on ${machine}, last used ${ageOf(last)}. Until then its decisions do not count.`}</p>
    </Story>
  ),
  fault: ({ ledger, chain, message, kind }) => (
    <Story title={ledger} by={dotted('the record of decisions', chain && `chain ${chain}`)} reason={message}>
      <p>
        {kind === 'clone'
          ? 'Is this folder yours, with what was decided in it? Decisions by you and by keys you trust count then.'
          : 'What does not verify does not count. Settle it once you know why: it is not told again.'}
      </p>
    </Story>
  ),
  merged: ({ target, fused, doubled, retired, text }) => (
    <Story title={target} by="merged by git. Tidied it reads:">
      <Diff lines={linesOf(text, ' ', 1)} label="The tidied text" />
      <p class="quiet">{`Blocks that ran into another: ${fused}, that are there twice: ${doubled}, that came back: ${retired}`}</p>
    </Story>
  ),
  block: ({ target, block: { first_line, text }, before }) => (
    <Story title={target} by="no decision stands behind this: did you write it?">
      <Diff
        label={IN_PLACE}
        lines={[...before.flatMap((line) => linesOf(line, ' ', null)), ...linesOf(text || TOO_LONG, '+', first_line)]}
      />
      <p class="quiet">Agents still get it, and are told that nobody decided on it.</p>
    </Story>
  ),
  due: ({ target, block: { first_line, text }, reasons }, { change: { edited } }) => (
    <Story title={target} by="does this still hold?" edited={edited} then="It is written like this when you keep it.">
      <Diff label={IN_PLACE} lines={linesOf(edited ?? text, edited === null ? ' ' : '+', first_line)} />
      <Warnings lines={reasons} />
    </Story>
  ),
  approve: ({ question, name, run, at, shown }, { change: { edited } }) => (
    <Story
      title={question}
      by={dotted(name, `run ${run}`, ageOf(at))}
      edited={edited}
      then="The run goes on with this when you accept."
    >
      <pre class="whole-text">{edited ?? shown}</pre>
      <p class="quiet">
        What led to it: <a href={`/runs/${encodeURIComponent(run)}`}>the run, step by step</a>
      </p>
    </Story>
  ),
};

export function ItemView({ item: { body }, ...changed }: Changed & { item: Item }) {
  return (VIEWS[body.type] as (body: Item['body'], changed: Changed) => ComponentChildren)(body, changed);
}

interface StoryProps {
  title: string;
  by?: string;
  reason?: string | null;
  edited?: string | null;
  /** What is done with the edited text. */
  then?: string;
  children: ComponentChildren;
}

function Story({ title, by, reason, edited = null, then, children }: StoryProps) {
  return (
    <article class="item">
      <h1>{title}</h1>
      {by ? <p class="by">{by}</p> : null}
      {reason ? <blockquote class="reason">{reason}</blockquote> : null}
      {edited === null ? null : <p class="note mine">As you edited it. {then}</p>}
      {children}
    </article>
  );
}

function byLine({ proposal: { client, created_at, category }, group }: Body<'proposal'> | Body<'aside'>): string {
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
    <Story
      title={body.where}
      by={byLine(body)}
      reason={reason}
      edited={edited}
      then="It is written like this when you accept."
    >
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
