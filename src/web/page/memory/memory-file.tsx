import { useState } from 'preact/hooks';
import { DECISION_WORDS } from '../../../gate/standing/history.ts';
import { type Asked, type Got, useGet } from '../api.ts';
import { useKeys } from '../keys.ts';
import { Beyond, Button, Problem } from '../parts.tsx';
import type { Signing } from '../signing.tsx';
import { ageOf, counted, dotted } from '../words.ts';
import { GoBack } from './go-back.tsx';

interface Props {
  file: string;
  id: string | undefined;
  changes: number;
  signing: Signing;
}

export function MemoryFile({ file, id, changes, signing }: Props) {
  const { found: page, problem, reload } = useGet('/api/file', { file, id }, [changes]);
  const [showsHistory, setShowsHistory] = useState(false);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [said, setSaid] = useState('');
  useKeys({ h: () => setShowsHistory(!showsHistory) });
  const done = (words: string): void => {
    setSaid(words);
    setAsked(null);
    reload();
  };
  if (!page) return <Problem text={problem} />;
  return (
    <article class="item memory wide">
      <h1>{page.target}</h1>
      <Problem text={problem} />
      <div class="section-head">
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
      {showsHistory ? <History file={file} id={id} changes={changes} onAsk={setAsked} /> : null}
      <div class="file">
        {page.rows.map((block) => (
          <BlockRow key={block.first_line} block={block} onUndo={(decision) => setAsked({ what: 'undo', decision })} />
        ))}
        <Beyond left={page.total - page.rows.length} what="more block" command={`bearings why ${file} ${id ?? ''}`} />
      </div>
      <p class="quiet">
        {page.total === 0 ? 'There is nothing here yet. ' : ''}Change it by hand: <code>{editCommand(file, id)}</code>
      </p>
    </article>
  );
}

// Every decision on a file with its difference, and from each the way back.
function History({ file, id, changes, onAsk }: Omit<Props, 'signing'> & { onAsk: (asked: Asked) => void }) {
  const { found: all, problem } = useGet('/api/history', { file, id }, [changes]);
  if (!all) return <Problem text={problem} />;
  if (all.decisions.length === 0)
    return <p class="quiet">{dotted(`No decision on ${all.target} yet`, ...all.warnings)}</p>;
  return (
    <section class="history" aria-label="History">
      <Problem text={all.warnings.join(' ')} />
      <p>
        <Button onClick={() => onAsk({ what: 'restore', file, id })}>Bring back what was decided and is gone</Button>
      </p>
      <ol>
        {all.decisions.map((entry) => (
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
    </section>
  );
}

function Entry({ entry }: { entry: Got<'/api/history'>['decisions'][number] }) {
  const { decision_id, decision, at, reason, edited, undone, erased, changed_text, added, removed } = entry;
  const about = dotted(
    `${DECISION_WORDS[decision]}${edited ? ', edited' : ''}`,
    ageOf(at),
    entry.proposed_by && `by ${entry.proposed_by}`,
    entry.signed_by !== 'you' && `signed by ${entry.who} (${entry.signed_by})`,
    undone && 'undone since',
    erased > 0 && `${counted(erased, 'text')} of it erased`,
  );
  return (
    <>
      <p>
        <code>{decision_id.slice(0, 8)}</code> {about}
      </p>
      {reason === null ? null : <p class="quiet">“{reason}”</p>}
      {entry.declined === undefined ? null : <pre>{entry.declined}</pre>}
      {removed.map(({ text }) => (
        <pre class="removed">{text ?? '(its text is not stored)'}</pre>
      ))}
      {added.map(({ text }) => (
        <pre class={changed_text ? 'added' : undefined}>{text ?? '(its text is not stored)'}</pre>
      ))}
    </>
  );
}

interface BlockProps {
  block: Got<'/api/file'>['rows'][number];
  onUndo: (decision: string) => void;
}

function BlockRow({ block: { text, first_line, origin }, onUndo }: BlockProps) {
  return (
    <div class="passage">
      <ol class="source" start={first_line} aria-label={`From line ${first_line}`}>
        {(text === '' ? '(too long to be shown here)' : text).split('\n').map((line, index) => (
          <li value={first_line + index}>{line}</li>
        ))}
      </ol>
      <div class="blame">
        {origin === null ? (
          <p class="unaccounted">unaccounted</p>
        ) : (
          <p>
            <span>{origin.proposal_id === null ? 'by hand' : (origin.proposed_by ?? 'agent')}</span>
            <span class="quiet" title={origin.at}>
              {dotted(
                ageOf(origin.at),
                `ledger ${origin.seq}`,
                origin.edited && 'edited',
                origin.signed_by !== 'you' && `${origin.who}, by ${origin.signed_by}`,
              )}
            </span>
            {origin.proposal_id !== null && text !== '' ? (
              <Button class="link" onClick={() => onUndo(origin.proposal_id ?? '')}>
                undo
              </Button>
            ) : null}
          </p>
        )}
      </div>
    </div>
  );
}

function editCommand(file: string, id: string | undefined): string {
  const name = file.replace(/\.md$/, '');
  return `bearings edit ${file.startsWith('tastes/') ? name.replace('/', ' ') : `${name} ${id}`}`;
}
