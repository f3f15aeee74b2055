import { useEffect, useState } from 'preact/hooks';
import type { DiffLine } from '../../../gate/proposals/proposal-diff.ts';
import { isRecord } from '../../../json.ts';
import { Button, Diff, linesOf } from '../parts.tsx';
import { ageOf, counted, dotted } from '../words.ts';

const CONFIRM = { notes: 'confirm_notes_update', taste: 'confirm_taste_update' } as const;

type Json = Record<string, unknown>;

/** The frame around the app, as the MCP Apps protocol (2026-01-26) knows it: JSON-RPC by messages. */
export interface Host {
  request(method: string, params: Json): Promise<Json>;
  notify(method: string, params: Json): void;
}

interface Props {
  host: Host;
  /** What the host can do for an app. */
  can: { callsTools: boolean; readsResources: boolean; opensLinks: boolean };
  /** Of the call that it shows; null: it has not come yet. */
  result: Json | null;
  onResult(result: Json): void;
  /** The arguments of the call that it shows, so that the same is asked again. */
  input: Json;
}

// Shows, and asks the person through the client. It has no way to decide: what it calls, the model may call as well.
export function Inbox({ host, can, result, onResult, input }: Props) {
  const listed = result && listedIn(result);
  const [details, setDetails] = useState<Record<string, Details>>({});
  const [answers, setAnswers] = useState<Record<string, { target: string; said: string }>>({});
  const [asking, setAsking] = useState<string | null>(null);
  const own = listed?.waiting.filter(({ yours }) => yours) ?? [];
  const ids = own.map(({ proposal_id }) => proposal_id).join(' ');

  useEffect(() => {
    if (!can.readsResources) return;
    for (const id of ids.split(' ').filter((each) => each && !details[each]))
      host.request('resources/read', { uri: `bearings://proposals/${id}` }).then(
        (read) => {
          const found = detailsIn(read);
          if (found) setDetails((before) => ({ ...before, [id]: found }));
        },
        // Without them its beginning is shown.
        () => undefined,
      );
  }, [ids, can.readsResources]);

  const ask = async ({ proposal_id, kind, target }: Waiting): Promise<void> => {
    setAsking(proposal_id);
    const said = await host
      .request('tools/call', { name: CONFIRM[kind], arguments: { proposal_id } })
      .then(answerIn, (error: Error) => error.message);
    setAnswers((before) => ({ ...before, [proposal_id]: { target, said } }));
    setAsking(null);
    const list = await host.request('tools/call', { name: 'list_proposals', arguments: input }).catch(() => null);
    if (list && listedIn(list)) onResult(list);
  };

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
            details={details[waiting.proposal_id]}
            answer={asking === waiting.proposal_id ? 'Your client asks you now.' : answers[waiting.proposal_id]?.said}
            isBusy={asking !== null || !can.callsTools}
            onAsk={() => void ask(waiting)}
            onOpen={can.opensLinks ? (url) => void host.request('ui/open-link', { url }).catch(() => undefined) : null}
          />
        ))}
      </ul>
      {decided.map(([id, { target, said }]) => (
        <p role="status" key={id}>
          {target}: {said}
        </p>
      ))}
      <footer class="quiet">
        {others > 0 ? <p>{counted(others, 'more proposal')} of other sessions: bearings review</p> : null}
        <p>This list only shows. “Decide…” has your client ask you; without your answer nothing changes.</p>
      </footer>
    </>
  );
}

interface CardProps {
  waiting: Waiting;
  /** Undefined until the host has read them, or where it can't. */
  details: Details | undefined;
  answer: string | undefined;
  isBusy: boolean;
  onAsk(): void;
  onOpen: ((url: string) => void) | null;
}

function ProposalCard({ waiting, details, answer = '', isBusy, onAsk, onOpen }: CardProps) {
  const lines = details?.diff ?? linesOf(waiting.content, '+', null);
  const page = details?.page ?? null;
  return (
    <li class="card">
      <h2>{waiting.target}</h2>
      <p class="by">{dotted(`proposed by ${waiting.client}`, ageOf(waiting.created_at))}</p>
      {details?.reason ? <blockquote>{details.reason}</blockquote> : null}
      <Diff lines={lines} label="The proposed text. It is not remembered yet." />
      {details?.isStale ? <p class="note">The block it replaces is gone: it can only be declined.</p> : null}
      <p class="actions">
        <Button class="main ask" disabled={isBusy} onClick={onAsk}>
          Decide…
        </Button>
        {page && onOpen ? (
          <Button disabled={isBusy} onClick={() => onOpen(page)}>
            Open your page
          </Button>
        ) : null}
        <span class="quiet" role="status">
          {answer}
        </span>
      </p>
    </li>
  );
}

type Listed = NonNullable<ReturnType<typeof listedIn>>;
type Waiting = Listed['waiting'][number];
type Details = NonNullable<ReturnType<typeof detailsIn>>;

// A host hands on what it was given: nothing of it is believed to have a shape.
function listedIn(result: Json) {
  const value = answerOf(result);
  if (!isRecord(value) || !Array.isArray(value.proposals)) return null;
  const waiting = value.proposals.filter(isRecord).map((row) => ({
    proposal_id: text(row.proposal_id),
    kind: row.kind === 'taste' ? ('taste' as const) : ('notes' as const),
    target: text(row.target),
    client: text(row.client),
    created_at: text(row.created_at),
    /** Its beginning; the whole text comes with the details. */
    content: text(row.content),
    /** Proposed in the session that shows this. */
    yours: row.yours === true,
  }));
  /** How many wait in all, other sessions included. */
  const total = Number(value.total) || waiting.length;
  return { waiting, total };
}

/** What `bearings://proposals/ID` holds. */
function detailsIn(result: Json) {
  const value = jsonOf(result.contents);
  if (!isRecord(value) || !Array.isArray(value.diff)) return null;
  return {
    reason: typeof value.reason === 'string' ? value.reason : null,
    isStale: value.state === 'stale',
    diff: value.diff.filter(isRecord).map(
      ({ mark, number, text: line }): DiffLine => ({
        mark: mark === '+' || mark === '-' ? mark : ' ',
        number: typeof number === 'number' ? number : null,
        text: text(line),
      }),
    ),
    /** The proposal on the person's own page, while one runs: a page of this machine, and nowhere else. */
    page: /^http:\/\/127\.0\.0\.1:\d{1,5}\/p\/p_[0-9a-f]+$/.test(text(value.page)) ? text(value.page) : null,
  };
}

/** What a confirm tool answered, in a sentence. */
function answerIn(result: Json): string {
  const value = answerOf(result);
  if (!isRecord(value)) return 'Not decided.';
  if (isRecord(value.error)) return text(value.error.message) || 'Not decided.';
  if (value.status === 'accepted') return 'You accepted it.';
  if (value.status === 'declined') return 'You declined it.';
  return 'Not decided yet. To decide now: bearings review, in a terminal.';
}

function answerOf({ structuredContent, content }: Json): unknown {
  return isRecord(structuredContent) ? structuredContent : jsonOf(content);
}

function jsonOf(blocks: unknown): unknown {
  const [first] = Array.isArray(blocks) ? blocks : [];
  try {
    return isRecord(first) ? JSON.parse(text(first.text)) : null;
  } catch {
    return null;
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
