import { useState } from 'preact/hooks';
import { type Asked, type Got, useRows } from '../api.ts';
import { useKeys } from '../keys.ts';
import { Button, More, Problem, Switch } from '../parts.tsx';
import type { Signing } from '../signing.tsx';
import { ageOf, counted, dayOf, dotted } from '../words.ts';
import { Erase, GoBack } from './go-back.tsx';
import { HandEditor } from './hand-editor.tsx';
import { History } from './history.tsx';
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
  if (!page) return problem ? <p class="problem">{problem}</p> : null;
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
        <div>
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

const WIDTH = 640;
const HEIGHT = 72;

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
  const all = counted(last.lines, 'line');
  return (
    <figure class="growth">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Grew to ${all} from ${dayOf(first.at)} to ${dayOf(last.at)}`}
      >
        <path class="area" d={`${line}V${HEIGHT}Z`} />
        <path class="line" d={line} />
      </svg>
      <figcaption>
        <span>{dayOf(first.at)}</span>
        <span>{all} that are there today, by when they were decided</span>
        <span>{dayOf(last.at)}</span>
      </figcaption>
    </figure>
  );
}
