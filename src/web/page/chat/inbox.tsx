import { useEffect, useState } from 'preact/hooks';
import { counted, seen } from '../words.ts';
import type { Host } from './host.ts';
import { answerIn, type Details, detailsIn, type Listed, listedIn, type Waiting } from './inbox-data.ts';
import { ProposalCard } from './proposal-card.tsx';

const CONFIRM = { notes: 'confirm_notes_update', taste: 'confirm_taste_update' } as const;

/** What the host can do for an app. */
export interface Abilities {
  callsTools: boolean;
  readsResources: boolean;
  opensLinks: boolean;
}

interface Props {
  host: Host;
  can: Abilities;
  listed: Listed | null;
  /** Whether the call that it shows was cancelled. */
  isCancelled: boolean;
  onListed(listed: Listed): void;
  /** The arguments of the call that it shows, so that the same is asked again. */
  input: Record<string, unknown>;
}

// Shows, and asks the person through the client. It has no way to decide: what it calls, the model may call as well.
export function Inbox({ host, can, listed, isCancelled, onListed, input }: Props) {
  const [details, setDetails] = useState<Record<string, Details>>({});
  const [answers, setAnswers] = useState<Record<string, { target: string; said: string }>>({});
  const [asking, setAsking] = useState<string | null>(null);
  const own = listed?.waiting.filter(({ yours }) => yours) ?? [];
  const ids = own.map(({ proposal_id }) => proposal_id).join(' ');

  useEffect(() => {
    if (!can.readsResources) return;
    for (const id of ids.split(' ').filter((each) => each && !details[each]))
      host.request('resources/read', { uri: `bearings://proposals/${id}` }).then(
        (result) => {
          const found = detailsIn(result);
          if (found) setDetails((before) => ({ ...before, [id]: found }));
        },
        // Without them its beginning is shown.
        () => undefined,
      );
  }, [ids, can.readsResources]);

  const refresh = async (): Promise<void> => {
    const found = listedIn(await host.request('tools/call', { name: 'list_proposals', arguments: input }));
    if (found) onListed(found);
  };
  const ask = async ({ proposal_id, kind, target }: Waiting): Promise<void> => {
    setAsking(proposal_id);
    const said = await host
      .request('tools/call', { name: CONFIRM[kind], arguments: { proposal_id } })
      .then(answerIn, (error: Error) => error.message);
    setAnswers((before) => ({ ...before, [proposal_id]: { target, said } }));
    setAsking(null);
    await refresh().catch(() => undefined);
  };

  if (isCancelled) return <p class="quiet">The list was not asked for to its end.</p>;
  if (!listed) return <p class="quiet">Reading what waits for you…</p>;
  const others = listed.total - own.length;
  const decided = Object.entries(answers).filter(([id]) => !own.some(({ proposal_id }) => proposal_id === id));
  return (
    <>
      <h1>{own.length === 0 ? 'Nothing waits for you' : `${counted(own.length, 'proposal')} of this session`}</h1>
      {own.length === 0 ? (
        <p class="quiet">What an agent proposes to remember appears here. Nothing is remembered without your yes.</p>
      ) : null}
      <ul>
        {own.map((waiting) => (
          <ProposalCard
            key={waiting.proposal_id}
            waiting={waiting}
            details={details[waiting.proposal_id] ?? null}
            answer={answers[waiting.proposal_id]?.said ?? ''}
            isAsking={asking === waiting.proposal_id}
            isBusy={asking !== null || !can.callsTools}
            onAsk={() => void ask(waiting)}
            onOpen={can.opensLinks ? (url) => void host.request('ui/open-link', { url }).catch(() => undefined) : null}
          />
        ))}
      </ul>
      {decided.map(([id, { target, said }]) => (
        <p role="status" key={id}>
          {seen(target)}: {seen(said)}
        </p>
      ))}
      <footer>
        {others > 0 ? <p>{counted(others, 'more proposal')} of other sessions: bearings review</p> : null}
        <p>This list only shows. “Decide…” has your client ask you; without your answer nothing changes.</p>
      </footer>
    </>
  );
}
