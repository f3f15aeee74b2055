import { useState } from 'preact/hooks';
import { DECISION_WORDS } from '../../../gate/standing/history.ts';
import { type Asked, type Got, useRows } from '../api.ts';
import { useKeys } from '../keys.ts';
import { Button, More, Problem, Switch } from '../parts.tsx';
import { HEIGHT, Plot, WIDTH } from '../plots.tsx';
import type { Signing } from '../signing.tsx';
import { ageOf, counted, dayOf, dotted } from '../words.ts';
import { Erase, GoBack } from './go-back.tsx';
import { HandEditor } from './hand-editor.tsx';
import { Markdown } from './markdown.tsx';

const VIEWS = ['both', 'rendered', 'source'] as const;

interface Props {
  file: string;
  id: string | undefined;
  changes: number;
  signing: Signing;
}

export function MemoryFile({ file, id, changes, signing }: Props) {
  const { all: page, problem, reload, more } = useRows('/api/file', { file, id }, [changes]);
  const [view, setView] = useState<(typeof VIEWS)[number]>('both');
  const [editing, setEditing] = useState(false);
  const [showsHistory, setShowsHistory] = useState(false);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [erasing, setErasing] = useState<number | null>(null);
  const [said, setSaid] = useState('');
  useKeys({
    v: () => setView(VIEWS[(VIEWS.indexOf(view) + 1) % VIEWS.length] ?? 'both'),
    e: () => setEditing(true),
    h: () => setShowsHistory(!showsHistory),
  });
  const done = (words = said): void => {
    setSaid(words);
    setAsked(null);
    setErasing(null);
    setEditing(false);
    reload();
  };
  if (!page) return <Problem text={problem} />;
  const unaccounted = page.unaccounted > 0 && `${counted(page.unaccounted, 'block')} unaccounted: see the inbox`;
  return (
    <article class={`item memory wide view-${view}`}>
      <h1>{page.target}</h1>
      <p class="by">{dotted(counted(page.lines, 'line'), unaccounted)}</p>
      <Problem text={problem} />
      <GrowthPlot points={page.growth} />
      <div class="section-head">
        <Switch label="View" all={VIEWS.map((name) => [name, name] as const)} now={view} onPick={setView}>
          <kbd>v</kbd>
        </Switch>
        <Button letter="e" onClick={() => setEditing(true)}>
          Edit
        </Button>
        <Button letter="h" aria-pressed={showsHistory} onClick={() => setShowsHistory(!showsHistory)}>
          History
        </Button>
      </div>
      {said ? (
        <p class="said" role="status">
          {said}
        </p>
      ) : null}
      {asked ? (
        <GoBack
          key={JSON.stringify(asked)}
          asked={asked}
          signing={signing}
          onDone={done}
          onClose={() => setAsked(null)}
        />
      ) : null}
      {erasing === null ? null : (
        <Erase file={file} id={id} line={erasing} signing={signing} onDone={done} onClose={() => setErasing(null)} />
      )}
      {showsHistory ? <History file={file} id={id} changes={changes} onAsk={setAsked} /> : null}
      {editing ? (
        <HandEditor file={file} id={id} signing={signing} onDone={done} />
      ) : (
        <div class="file">
          {page.rows.map((passage) => (
            <PassageRow
              key={passage.first_line}
              passage={passage}
              onUndo={(decision) => setAsked({ what: 'undo', decision })}
              onErase={setErasing}
            />
          ))}
          <More left={page.total - page.rows.length} what="more passage" onMore={more} />
        </div>
      )}
      {page.total === 0 && !editing ? <p class="quiet">There is nothing here yet.</p> : null}
    </article>
  );
}

// Every decision on a file with its difference, and from each the way back.
function History({ file, id, changes, onAsk }: Omit<Props, 'signing'> & { onAsk: (asked: Asked) => void }) {
  const { all, problem, more } = useRows('/api/history', { file, id }, [changes]);
  if (problem) return <Problem text={problem} />;
  if (!all) return null;
  if (all.total === 0) return <p class="quiet">No decision on {all.target} yet.</p>;
  return (
    <section class="history" aria-label="History">
      <p>
        <Button onClick={() => onAsk({ what: 'restore', file, id })}>Bring back what was decided and is gone</Button>
      </p>
      <ol>
        {all.rows.map((entry) => (
          <li key={entry.decision_id}>
            <Entry entry={entry} />
            {entry.changed_text ? (
              <p>
                <Button class="link" onClick={() => onAsk({ what: 'undo', decision: entry.decision_id })}>
                  undo this
                </Button>{' '}
                <Button class="link" onClick={() => onAsk({ what: 'restore', decision: entry.decision_id, file, id })}>
                  back to here
                </Button>
              </p>
            ) : null}
          </li>
        ))}
      </ol>
      <More left={all.total - all.rows.length} what="earlier decision" onMore={more} />
    </section>
  );
}

function Entry({ entry }: { entry: Got<'/api/history'>['rows'][number] }) {
  const { decision_id, decision, at, reason, edited, undone, erased, changed_text, added, removed } = entry;
  const about = dotted(
    `${DECISION_WORDS[decision]}${edited ? ', edited' : ''}`,
    ageOf(at),
    entry.proposed_by && `by ${entry.proposed_by}`,
    entry.signed_by !== 'you' && `signed by ${entry.who}`,
    undone && 'undone since',
    erased > 0 && `${counted(erased, 'text')} of it erased`,
  );
  return (
    <>
      <p>
        <code>{decision_id.slice(0, 8)}</code> {about}
      </p>
      {reason === null ? null : <p class="quiet">“{reason}”</p>}
      {removed.map(({ text }) => (
        <pre class="removed">{text ?? '(its text is not stored)'}</pre>
      ))}
      {added.map(({ text }) => (
        <pre class={changed_text ? 'added' : undefined}>{text ?? '(its text is not stored)'}</pre>
      ))}
    </>
  );
}

interface PassageProps {
  passage: Got<'/api/file'>['rows'][number];
  onUndo: (decision: string) => void;
  onErase: (line: number) => void;
}

function PassageRow({ passage: { text, first_line, blocks }, onUndo, onErase }: PassageProps) {
  return (
    <div class="passage">
      <div class="rendered">
        <Markdown text={text} />
      </div>
      <ol class="source" start={first_line} aria-label={`Source from line ${first_line}`}>
        {blocks.flatMap((block) =>
          (block.text === '' ? '(too long to be shown here)' : block.text)
            .split('\n')
            .map((line, index) => <li value={block.first_line + index}>{line}</li>),
        )}
      </ol>
      <div class="blame">
        {blocks.map(({ origin, text: own, first_line: line }) =>
          origin === null ? (
            <p class="unaccounted">unaccounted</p>
          ) : (
            <p>
              <span>{origin.proposal_id === null ? 'by hand' : (origin.proposed_by ?? 'agent')}</span>
              <span class="quiet" title={origin.at}>
                {dotted(
                  ageOf(origin.at),
                  `ledger ${origin.seq}`,
                  origin.edited && 'edited',
                  origin.signed_by !== 'you' && origin.who,
                )}
              </span>
              {origin.proposal_id !== null && own !== '' ? (
                <Button class="link" onClick={() => onUndo(origin.proposal_id ?? '')}>
                  undo
                </Button>
              ) : null}
              {own !== '' ? (
                <Button class="link" onClick={() => onErase(line)}>
                  erase
                </Button>
              ) : null}
            </p>
          ),
        )}
      </div>
    </div>
  );
}

// The lines that are there today, by when they were decided.
function GrowthPlot({ points }: { points: Got<'/api/file'>['growth'] }) {
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last || points.length < 2) return null;
  const start = Date.parse(first.at);
  const span = Math.max(1, Date.parse(last.at) - start);
  const steps = points.map(({ at, lines }) => {
    const x = ((Date.parse(at) - start) / span) * WIDTH;
    return `H${x.toFixed(1)}V${(HEIGHT - (lines / last.lines) * (HEIGHT - 4)).toFixed(1)}`;
  });
  const line = `M0,${HEIGHT}${steps.join('')}H${WIDTH}`;
  const [from, to, all] = [dayOf(first.at), dayOf(last.at), counted(last.lines, 'line')];
  return (
    <Plot
      class="growth"
      label={`Grew to ${all} from ${from} to ${to}`}
      below={[from, `${all} that are there today, by when they were decided`, to]}
    >
      <path class="area" d={`${line}V${HEIGHT}Z`} />
      <path class="line" d={line} />
    </Plot>
  );
}
