import { useEffect, useState } from 'preact/hooks';
import { DECISION_WORDS } from '../../../gate/standing/decision-words.ts';
import type { HistoryPage } from '../../wire.ts';
import { get } from '../api.ts';
import { ageOf, counted, seen } from '../words.ts';

type Decision = HistoryPage['decisions'][number];

// Every decision on a file with its difference, and from each the way back.
export function History({
  file,
  id,
  changes,
  onUndo,
  onRestore,
}: {
  file: string;
  id: string | undefined;
  changes: number;
  onUndo: (decision: string) => void;
  onRestore: (decision: string | undefined) => void;
}) {
  const [page, setPage] = useState<HistoryPage | null>(null);
  const [problem, setProblem] = useState('');
  const load = async (from: number): Promise<void> => {
    try {
      const found = await get<HistoryPage>('/api/history', { file, id, from });
      setPage((known) =>
        known && from > 0 ? { ...found, decisions: [...known.decisions, ...found.decisions] } : found,
      );
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  useEffect(() => void load(0), [changes]);
  if (problem) return <p class="problem">{problem}</p>;
  if (!page) return null;
  if (page.total === 0) return <p class="quiet">No decision on {seen(page.target)} yet.</p>;
  return (
    <section class="history" aria-label="History">
      <p>
        <button type="button" onClick={() => onRestore(undefined)}>
          Bring back what was decided and is gone
        </button>
      </p>
      <ol>
        {page.decisions.map((entry) => (
          <li key={entry.decision_id}>
            <Entry entry={entry} />
            {entry.changed_text ? (
              <p>
                <button type="button" class="link" onClick={() => onUndo(entry.decision_id)}>
                  undo this
                </button>{' '}
                <button type="button" class="link" onClick={() => onRestore(entry.decision_id)}>
                  back to here
                </button>
              </p>
            ) : null}
          </li>
        ))}
      </ol>
      {page.decisions.length < page.total ? (
        <button type="button" onClick={() => void load(page.decisions.length)}>
          {counted(page.total - page.decisions.length, 'earlier decision')}
        </button>
      ) : null}
    </section>
  );
}

function Entry({ entry }: { entry: Decision }) {
  const { decision_id, decision, at, by, who, reason, edited, undone, erased, changed_text, added, removed } = entry;
  const about = [
    `${DECISION_WORDS[decision]}${edited ? ', edited' : ''}`,
    ageOf(at),
    by && `by ${seen(by)}`,
    who && `signed by ${seen(who)}`,
    undone && 'undone since',
    erased > 0 && `${counted(erased, 'text')} of it erased`,
  ];
  return (
    <>
      <p>
        <code>{decision_id.slice(0, 8)}</code> {about.filter(Boolean).join(' · ')}
      </p>
      {reason === null ? null : <p class="quiet">“{seen(reason)}”</p>}
      {removed.map((text) => (
        <pre class="removed">{text === null ? '(its text is not stored)' : seen(text)}</pre>
      ))}
      {added.map((text) => (
        <pre class={changed_text ? 'added' : undefined}>{text === null ? '(its text is not stored)' : seen(text)}</pre>
      ))}
    </>
  );
}
