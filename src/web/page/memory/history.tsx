import { DECISION_WORDS } from '../../../gate/standing/history.ts';
import { type Asked, type Got, useRows } from '../api.ts';
import { Button, More } from '../parts.tsx';
import { ageOf, counted, dotted } from '../words.ts';

interface Props {
  file: string;
  id: string | undefined;
  changes: number;
  onAsk: (asked: Asked) => void;
}

// Every decision on a file with its difference, and from each the way back.
export function History({ file, id, changes, onAsk }: Props) {
  const { all, problem, more } = useRows('/api/history', { file, id }, [changes]);
  if (problem) return <p class="problem">{problem}</p>;
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
