import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Asked, FilePage, Passage } from '../../wire.ts';
import { get } from '../api.ts';
import type { usePassphrase } from '../inbox/passphrase.tsx';
import { useKeys } from '../keys.ts';
import { Chunks } from '../long-text.tsx';
import { Markdown } from '../markdown.tsx';
import { GrowthPlot } from '../runs/growth-plot.tsx';
import { ageOf, counted, seen } from '../words.ts';
import { Erase, GoBack } from './go-back.tsx';
import { HandEditor } from './hand-editor.tsx';
import { History } from './history.tsx';

type View = 'both' | 'rendered' | 'source';
const VIEWS: View[] = ['both', 'rendered', 'source'];

export function MemoryFile({
  file,
  id,
  changes,
  secret,
}: {
  file: string;
  id: string | undefined;
  changes: number;
  secret: ReturnType<typeof usePassphrase>;
}) {
  const [page, setPage] = useState<FilePage | null>(null);
  const [problem, setProblem] = useState('');
  const [view, setView] = useState<View>('both');
  const [editing, setEditing] = useState(false);
  const [showsHistory, setShowsHistory] = useState(false);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [erasing, setErasing] = useState<number | null>(null);
  const [said, setSaid] = useState('');
  const load = useCallback(
    () => get<FilePage>('/api/file', { file, id }).then(setPage, (error: Error) => setProblem(error.message)),
    [file, id],
  );
  useEffect(() => void load(), [load, changes]);
  useKeys({
    v: () => setView(VIEWS[(VIEWS.indexOf(view) + 1) % VIEWS.length] as View),
    e: () => setEditing(true),
    h: () => setShowsHistory(!showsHistory),
  });
  const fetchChunk = useCallback((at: number) => get<Passage[]>('/api/chunk', { file, id, at }), [file, id]);
  const done = (words: string): void => {
    setSaid(words);
    setAsked(null);
    setErasing(null);
    void load();
  };
  const edited = (): void => {
    setEditing(false);
    void load();
  };
  if (!page) return problem ? <p class="problem">{problem}</p> : null;
  return (
    <article class={`item memory wide view-${view}`}>
      <h1>{seen(page.target)}</h1>
      <p class="by">
        {counted(page.lines, 'line')}
        {page.unaccounted > 0 ? ` · ${counted(page.unaccounted, 'block')} unaccounted: see the inbox` : ''}
      </p>
      {problem ? (
        <p class="problem" role="alert">
          {problem}
        </p>
      ) : null}
      <GrowthPlot points={page.growth} />
      <div class="section-head">
        <fieldset class="switch">
          <legend class="unseen">View</legend>
          {VIEWS.map((each) => (
            <button type="button" aria-pressed={each === view} onClick={() => setView(each)}>
              {each}
            </button>
          ))}
          <kbd>v</kbd>
        </fieldset>
        <button type="button" onClick={() => setEditing(true)}>
          Edit <kbd>e</kbd>
        </button>
        <button type="button" aria-pressed={showsHistory} onClick={() => setShowsHistory(!showsHistory)}>
          History <kbd>h</kbd>
        </button>
      </div>
      {said ? (
        <p class="said" role="status">
          {seen(said)}
        </p>
      ) : null}
      {asked ? (
        <GoBack
          key={JSON.stringify(asked)}
          asked={asked}
          secret={secret}
          onDone={done}
          onClose={() => setAsked(null)}
        />
      ) : null}
      {erasing === null ? null : (
        <Erase file={file} id={id} line={erasing} secret={secret} onDone={done} onClose={() => setErasing(null)} />
      )}
      {showsHistory ? (
        <History
          file={file}
          id={id}
          changes={changes}
          onUndo={(decision) => setAsked({ what: 'undo', decision })}
          onRestore={(decision) => setAsked({ what: 'restore', decision, file, id })}
        />
      ) : null}
      {editing ? (
        <HandEditor file={file} id={id} secret={secret} onDone={edited} />
      ) : (
        <Chunks
          chunks={page.chunks}
          head={page.head}
          stamp={changes}
          fetchChunk={fetchChunk}
          draw={(passage) => (
            <PassageRow
              passage={passage}
              onUndo={(decision) => setAsked({ what: 'undo', decision })}
              onErase={setErasing}
            />
          )}
        />
      )}
      {page.chunks.length === 0 && !editing ? <p class="quiet">There is nothing here yet.</p> : null}
    </article>
  );
}

function PassageRow({
  passage,
  onUndo,
  onErase,
}: {
  passage: Passage;
  onUndo: (decision: string) => void;
  onErase: (line: number) => void;
}) {
  const { text, first_line, blocks } = passage;
  return (
    <div class="passage">
      <div class="rendered">
        <Markdown text={text} />
      </div>
      <ol class="source" start={first_line} aria-label={`Source from line ${first_line}`}>
        {sourceLines(passage).map(({ number, line }) => (
          <li value={number}>{line || '\u00a0'}</li>
        ))}
      </ol>
      <div class="blame">
        {blocks.map(({ origin, text: own, first_line: line }) =>
          origin === null ? (
            <p class="unaccounted">unaccounted</p>
          ) : (
            <p>
              <span>{origin.proposal_id === null ? 'by hand' : seen(origin.proposed_by ?? 'agent')}</span>
              <span class="quiet" title={origin.at}>
                {ageOf(origin.at)} · ledger {origin.seq}
                {origin.edited ? ' · edited' : ''}
                {origin.signed_by === 'you' ? '' : ` · ${seen(origin.who)}`}
              </span>
              {origin.proposal_id !== null && own !== '' ? (
                <button type="button" class="link" onClick={() => onUndo(origin.proposal_id ?? '')}>
                  undo
                </button>
              ) : null}
              {own !== '' ? (
                <button type="button" class="link" onClick={() => onErase(line)}>
                  erase
                </button>
              ) : null}
            </p>
          ),
        )}
      </div>
    </div>
  );
}

function sourceLines({ blocks }: Passage): { number: number; line: string }[] {
  return blocks.flatMap(({ first_line, text }) =>
    (text === '' ? '(too long to be shown here)' : text)
      .split('\n')
      .map((line, index) => ({ number: first_line + index, line: seen(line) })),
  );
}
