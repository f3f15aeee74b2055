import { useState } from 'preact/hooks';
import type { DiffLine } from '../../../gate/proposals/proposal-diff.ts';
import { Diff } from '../parts.tsx';
import { ageOf, counted, seen } from '../words.ts';
import type { Details, Waiting } from './inbox-data.ts';

const SHOWN_LINES = 14;

interface Props {
  waiting: Waiting;
  /** Null until the host has read them, or where it can't. */
  details: Details | null;
  answer: string;
  isAsking: boolean;
  isBusy: boolean;
  onAsk(): void;
  onOpen: ((url: string) => void) | null;
}

export function ProposalCard({ waiting, details, answer, isAsking, isBusy, onAsk, onOpen }: Props) {
  const [isWhole, setWhole] = useState(false);
  const lines = details?.diff ?? beginning(waiting.content);
  const shown = isWhole ? lines : lines.slice(0, SHOWN_LINES);
  const more = lines.length - shown.length;
  const by = [`proposed by ${seen(waiting.client)}`, ageOf(waiting.created_at)].filter(Boolean).join(' · ');
  const page = details?.page ?? null;
  return (
    <li class="card">
      <h2>{seen(waiting.target)}</h2>
      <p class="by">{by}</p>
      {details?.reason ? <blockquote>{seen(details.reason)}</blockquote> : null}
      <Diff lines={shown} label="The proposed text. It is not remembered yet." />
      {more > 0 ? (
        <button type="button" class="plain" onClick={() => setWhole(true)}>
          Show {counted(more, 'more line')}
        </button>
      ) : null}
      {details?.state === 'stale' ? <p class="note">The block it replaces is gone: it can only be declined.</p> : null}
      <p class="actions">
        <button type="button" class="ask" disabled={isBusy} onClick={onAsk}>
          Decide…
        </button>
        {page && onOpen ? (
          <button type="button" disabled={isBusy} onClick={() => onOpen(page)}>
            Open your page
          </button>
        ) : null}
        <span class="answer" role="status">
          {isAsking ? 'Your client asks you now.' : seen(answer)}
        </span>
      </p>
    </li>
  );
}

function beginning(content: string): DiffLine[] {
  return content.split('\n').map((text) => ({ mark: '+' as const, number: null, text }));
}
