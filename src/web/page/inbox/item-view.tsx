import type { Item, ItemBody } from '../../wire.ts';
import { Diff, withText } from '../diff.tsx';
import { ageOf, counted, dayOf, seen } from '../words.ts';

type Of<T extends ItemBody['type']> = ItemBody & { type: T };

// Longer than this a text deserves a second look before a yes.
const LONG_CHARS = 2_000;
const LONG_LINES = 40;

export function ItemView({ item, edited, until }: { item: Item; edited: string | null; until: string | null }) {
  const { body } = item;
  switch (body.type) {
    case 'proposal':
      return <Proposal body={body} edited={edited} until={until} />;
    case 'aside':
      return (
        <Story target={body.target} by={byLine(body)} reason={body.reason}>
          <p class="note">Set aside at the end of a session, before you decided.</p>
          <Diff lines={body.diff} label="What was proposed" />
        </Story>
      );
    case 'clients':
      return <Clients body={body} />;
    case 'first':
      return <First body={body} />;
    case 'key':
      return <Key body={body} />;
    case 'merged':
      return <Merged body={body} />;
    case 'block':
      return <Block body={body} />;
    case 'due':
      return <Due body={body} edited={edited} />;
    case 'approve':
      return (
        <Story target={body.question} by={`${seen(body.name)} · run ${seen(body.run)} · ${ageOf(body.at)}`}>
          {edited === null ? null : (
            <p class="note mine">As you edited it. The run goes on with this when you accept.</p>
          )}
          <pre class="whole-text">{seen(edited ?? body.content)}</pre>
          <p class="quiet">
            What led to it: <a href={`/runs/${encodeURIComponent(body.run)}`}>the run, step by step</a>
          </p>
        </Story>
      );
  }
}

function Story({
  target,
  by,
  reason,
  children,
}: {
  target: string;
  by?: string;
  reason?: string | null;
  children: preact.ComponentChildren;
}) {
  return (
    <article class="item">
      <h1>{seen(target)}</h1>
      {by ? <p class="by">{by}</p> : null}
      {reason ? <blockquote class="reason">{seen(reason)}</blockquote> : null}
      {children}
    </article>
  );
}

function byLine({ client, created_at, category, ...body }: Of<'proposal'> | Of<'aside'>): string {
  const group = body.type === 'proposal' ? body.group : null;
  const of = group ? `${group.index} of ${group.total} that it proposed in one session` : '';
  const parts = [`proposed by ${seen(client)}`, ageOf(created_at), category ?? '', of];
  return parts.filter(Boolean).join(' · ');
}

function Proposal({ body, edited, until }: { body: Of<'proposal'>; edited: string | null; until: string | null }) {
  const { diff, state, similar, contradicts, declined, conflicts, content, replaces } = body;
  const lines = content.split('\n').length;
  const isLong = content.length > LONG_CHARS || lines > LONG_LINES;
  return (
    <Story target={body.target} by={byLine(body)} reason={body.reason}>
      {edited === null ? null : <p class="note mine">As you edited it. It is written like this when you accept.</p>}
      <Diff lines={edited === null ? diff : withText(diff, edited)} label="The exact change in its surroundings" />
      <ul class="warnings">
        {until === null ? null : <li class="plain">To review again: {seen(until)}.</li>}
        {state === 'stale' ? <li>The block it replaces is gone: it can only be declined.</li> : null}
        {similar.map(({ line, text, score }) => (
          <li>
            Looks like line {line}: “{seen(text)}” <span class="score">similar {score.toFixed(2)}</span>
          </li>
        ))}
        {contradicts.map(({ place, line, text }) => (
          <li>
            May contradict {seen(place)} line {line}: “{seen(text)}”
          </li>
        ))}
        {declined ? (
          <li>
            You declined nearly this on {dayOf(declined.at)}
            {declined.reason === null ? '.' : `: “${seen(declined.reason)}”`}
          </li>
        ) : null}
        {conflicts.map(({ point, file }) => (
          <li>
            “{seen(point)}” is in {seen(file)} too: where both are declared, that is a conflict.
          </li>
        ))}
        {isLong ? (
          <li>
            Long: {counted(lines, 'line')}, {counted([...content].length, 'character')}.
          </li>
        ) : null}
        {replaces === null ? null : <li class="plain">It takes the place of the lines marked −.</li>}
      </ul>
    </Story>
  );
}

// A program may have answered for the person: she hears of it before anything else.
function Clients({ body: { decisions } }: { body: Of<'clients'> }) {
  return (
    <article class="item">
      <h1>Decided through a client’s own question</h1>
      <p>{counted(decisions.length, 'decision')} since you last looked. Were you asked?</p>
      <table class="plain-table">
        <tbody>
          {decisions.map(({ decision, at, client, target }) => (
            <tr>
              <td>{seen(decision)}</td>
              <td>{seen(target)}</td>
              <td>{seen(client ?? 'unknown')}</td>
              <td class="figure">{ageOf(at)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        If not, a program answered: <code>elicitation_off: "*"</code> in <code>config.yaml</code> of the home keeps
        clients from asking, and <code>bearings history</code> shows the way back.
      </p>
    </article>
  );
}

function First({ body: { files } }: { body: Of<'first'> }) {
  return (
    <article class="item">
      <h1>What was there before</h1>
      <p>Nothing here has been decided on yet. This is what is there now:</p>
      <table class="plain-table">
        <tbody>
          {files.map(({ target, blocks }) => (
            <tr>
              <td>{seen(target)}</td>
              <td class="figure">{counted(blocks, 'block')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {files.map(({ target, text }) => (
        <>
          <h2>{seen(target)}</h2>
          <pre class="whole-text">{seen(text)}</pre>
        </>
      ))}
      <p>Is it all yours? After a yes, every new block without your decision is shown. No text is changed.</p>
    </article>
  );
}

function Key({ body }: { body: Of<'key'> }) {
  return (
    <article class="item">
      <h1>A key you do not know</h1>
      <p>
        {counted(body.decisions, 'decision')} of {seen(body.ledger)} {body.decisions === 1 ? 'is' : 'are'} signed by it.
        Trust it only if its owner told you this fingerprint. Until then its decisions do not count.
      </p>
      <dl>
        <dt>Fingerprint</dt>
        <dd>
          <code>{seen(body.fingerprint)}</code>
        </dd>
        <dt>Says it is</dt>
        <dd>
          {seen(body.who)} on {seen(body.machine)}
        </dd>
        <dt>Last used</dt>
        <dd>{ageOf(body.last)}</dd>
      </dl>
    </article>
  );
}

function Merged({ body: { target, fused, doubled, retired, text } }: { body: Of<'merged'> }) {
  const lines = text.split(/\r\n|\n|\r/).map((line, index) => ({ mark: ' ' as const, number: index + 1, text: line }));
  const what = [
    fused > 0 ? `${counted(fused, 'block')} ran into another` : '',
    doubled > 0 ? `${counted(doubled, 'block')} ${doubled === 1 ? 'is' : 'are'} there twice` : '',
    retired > 0 ? `${counted(retired, 'block')} that no longer held came back` : '',
  ];
  return (
    <Story target={target} by={`merged by git · ${what.filter(Boolean).join(', ')}`}>
      <p>Tidied it reads:</p>
      <Diff lines={lines} label="The tidied text" />
    </Story>
  );
}

function Block({ body: { target, first_line, text, before } }: { body: Of<'block'> }) {
  const shown = text === '' ? ['(too long to be shown here)'] : text.split('\n');
  return (
    <Story target={target} by="no decision stands behind this: did you write it?">
      <Diff
        label="The block in its surroundings"
        lines={[
          ...before.map((line) => ({ mark: ' ' as const, number: null, text: line })),
          ...shown.map((line, index) => ({ mark: '+' as const, number: first_line + index, text: line })),
        ]}
      />
      <ul class="warnings">
        <li class="plain">Agents still get it, and are told that nobody decided on it.</li>
      </ul>
    </Story>
  );
}

function Due({ body: { target, first_line, content, reasons }, edited }: { body: Of<'due'>; edited: string | null }) {
  const lines = (edited ?? content).split('\n');
  return (
    <Story target={target} by="does this still hold?">
      {edited === null ? null : <p class="note mine">As you edited it. It is written like this when you keep it.</p>}
      <Diff
        label="The block in its surroundings"
        lines={lines.map((text, index) => ({
          mark: edited === null ? (' ' as const) : ('+' as const),
          number: first_line + index,
          text,
        }))}
      />
      <ul class="warnings">
        {reasons.map((reason) => (
          <li>{seen(reason)}</li>
        ))}
      </ul>
    </Story>
  );
}
