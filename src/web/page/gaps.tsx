import { useState } from 'preact/hooks';
import { type Got, type Posted, post, useGet, useWork } from './api.ts';
import { useKeys } from './keys.ts';
import { Button, Empty, ListView, Problem } from './parts.tsx';
import { go } from './route.ts';
import { ageOf, counted, dayOf, dotted, timeOf } from './words.ts';

// What agents missed, the worst first: how often, how recent, how badly.
export function Gaps({ path, changes }: { path: string[]; changes: number }) {
  const { found: all } = useGet('/api/gaps', {}, [changes]);
  if (!all) return null;
  if (all.total === 0)
    return (
      <Empty name="Gaps" title="No gaps yet">
        <p>
          When an agent misses something, a word, a tool or a rule, it records it. Here you see what is missed often,
          lately and badly, and make a note of it. Agents do it by themselves with <code>log_vocabulary_gap</code>; in a
          terminal:
        </p>
        <pre>bearings sessions gaps</pre>
      </Empty>
    );
  const [workspace = all.rows[0]?.image_id ?? '', key = all.rows[0]?.key ?? ''] = path;
  return (
    <ListView
      names={['Gaps', 'Gap']}
      what="gap"
      command="bearings sessions gaps"
      all={all}
      draw={(row) => ({
        to: ['gaps', row.image_id, row.key],
        isHere: row.image_id === workspace && row.key === key,
        name: (
          <span class="gap-name">
            <span>{row.words}</span>
            <span class="figure">{row.count}×</span>
          </span>
        ),
        about: dotted(row.image_id, ageOf(row.last_at)),
      })}
    >
      <GapView key={`${workspace} ${key}`} workspace={workspace} id={key} changes={changes} />
    </ListView>
  );
}

function GapView({ workspace, id, changes }: { workspace: string; id: string; changes: number }) {
  const { found: gap, problem: missing } = useGet('/api/gap', { workspace, key: id }, [changes]);
  const { busy, problem, run } = useWork();
  const [said, setSaid] = useState('');
  const propose = (): void =>
    run(async () => {
      const { status, proposal_id } = (await post('/api/gap', { workspace, key: id })) as Posted<'/api/gap'>;
      if (proposal_id !== null) go('p', proposal_id);
      else setSaid(status === 'declined_before' ? 'You declined this note before.' : 'The notes say that already.');
    });
  useKeys({ p: propose });
  if (!gap) return <Problem text={missing} />;
  const { words, image_id, count, sessions, category, records } = gap;
  return (
    <article class="item gap">
      <h1>{words}</h1>
      <p class="by">{dotted(image_id, `${counted(count, 'time')} in ${counted(sessions, 'session')}`, category)}</p>
      <p class="gap-act">
        <Button class="main" letter="p" disabled={busy} onClick={propose}>
          Make a note of it
        </Button>
        <span class="quiet">It waits in your inbox: you decide, or edit it first.</span>
      </p>
      <Problem text={problem} />
      {said ? <p role="status">{said}</p> : null}
      <h2>{counted(count, 'record')}</h2>
      <ol class="story">
        {records.map((record, at) => (
          <li key={`${record.timestamp} ${at}`} class={record.satisfaction === -1 ? 'set-aside' : 'plain'}>
            <time dateTime={record.timestamp}>{dayOf(record.timestamp)}</time>
            <div>
              <p>
                {record.description} <span class="quiet">{timeOf(record.timestamp)}</span>
              </p>
              <p class="quiet">{detailsOf(record)}</p>
            </div>
          </li>
        ))}
      </ol>
    </article>
  );
}

function detailsOf({ intent, workaround, notes, session_id, snapshot_hash }: Got<'/api/gap'>['records'][number]) {
  const commit = snapshot_hash?.slice(0, 9);
  const details = { wanted: intent, instead: workaround, noted: notes, session: session_id, commit };
  return dotted(...Object.entries(details).map(([name, text]) => text && `${name}: ${text}`));
}
