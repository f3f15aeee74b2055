import { useEffect, useState } from 'preact/hooks';
import type { GapPage, GapProposed } from '../../seen-wire.ts';
import { get, post } from '../api.ts';
import { useKeys } from '../keys.ts';
import { Problem } from '../problem.tsx';
import { go } from '../route.ts';
import { counted, dayOf, seen, timeOf } from '../words.ts';
import { CoursePlot } from './course-plot.tsx';

const SAID: Record<GapProposed['status'], string> = {
  pending: '',
  already_present: 'The notes say that already.',
  declined_before: 'You declined this note before: it does not come before you again.',
};

/** One gap: how it went over time, every record, and the way to a note. */
export function GapView({ workspace, id, changes }: { workspace: string; id: string; changes: number }) {
  const [gap, setGap] = useState<GapPage | null>(null);
  const [problem, setProblem] = useState('');
  const [said, setSaid] = useState('');
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    get<GapPage>('/api/gap', { workspace, key: id }).then(setGap, (error: Error) => setProblem(error.message));
  }, [changes]);
  const propose = async (): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setProblem('');
    try {
      const { status, proposal_id } = await post<GapProposed>('/api/gap', { workspace, key: id });
      if (proposal_id !== null) return go('p', proposal_id);
      setSaid(SAID[status]);
    } catch (error) {
      setProblem((error as Error).message);
    }
    setBusy(false);
  };
  useKeys({ p: () => void propose() });
  if (!gap) return <Problem text={problem} />;
  return (
    <article class="item gap">
      <h1>{seen(gap.words)}</h1>
      <p class="by">
        {seen(gap.image_id)} · {counted(gap.count, 'time')} in {counted(gap.sessions, 'session')} · {seen(gap.category)}
        {feltAs(gap.satisfaction)}
      </p>
      <CoursePlot times={gap.times} />
      <p class="gap-act">
        <button type="button" class="main" disabled={busy} onClick={() => void propose()}>
          Make a note of it <kbd>p</kbd>
        </button>
        <span class="quiet">It waits in your inbox: you decide, or edit it first.</span>
      </p>
      <Problem text={problem} />
      {said ? <p role="status">{said}</p> : null}
      <h2>{counted(gap.count, 'record')}</h2>
      <ol class="story">
        {gap.records.map((record, at) => (
          <li key={`${record.at} ${at}`} class={record.satisfaction === -1 ? 'set-aside' : 'plain'}>
            <time dateTime={record.at}>{dayOf(record.at)}</time>
            <div>
              <p>
                {seen(record.description)} <span class="quiet">{timeOf(record.at)}</span>
              </p>
              <RecordDetails record={record} />
            </div>
          </li>
        ))}
      </ol>
      {gap.records.length < gap.count ? (
        <p class="quiet">
          and {counted(gap.count - gap.records.length, 'older record')}: bearings sessions gaps show {gap.key}
        </p>
      ) : null}
    </article>
  );
}

function RecordDetails({ record }: { record: GapPage['records'][number] }) {
  const { intent, workaround, notes, session_id, commit } = record;
  const details = [
    ['wanted', intent],
    ['instead', workaround],
    ['noted', notes],
    ['session', session_id],
    ['commit', commit?.slice(0, 9) ?? null],
  ].filter(([, text]) => text);
  return details.length === 0 ? null : (
    <p class="quiet">{details.map(([name, text]) => `${name}: ${seen(text ?? '')}`).join(' · ')}</p>
  );
}

function feltAs(satisfaction: number | null): string {
  if (satisfaction === null) return '';
  return satisfaction < -0.3 ? ' · went badly' : satisfaction > 0.3 ? ' · went well' : ' · so-so';
}
