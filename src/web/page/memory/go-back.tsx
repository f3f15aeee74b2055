import { useEffect, useState } from 'preact/hooks';
import type { Asked, EarlierView, ErasureView } from '../../wire.ts';
import { get } from '../api.ts';
import { Dialog } from '../dialog.tsx';
import { Diff } from '../diff.tsx';
import { counted, seen } from '../words.ts';
import { Confirm, type Secret } from './confirm.tsx';

interface Props {
  secret: Secret;
  onDone: (said: string) => void;
  onClose: () => void;
}

// The earlier text beside the present one, and a question: it is a decision like any other.
export function GoBack({ asked, ...props }: Props & { asked: Asked }) {
  const view = useView<EarlierView>('/api/earlier', { ...asked });
  if (!view.found) return <Problem text={view.problem} onClose={props.onClose} />;
  const { binding, target, decision_id, diff, not_kept } = view.found;
  const name = decision_id?.slice(0, 8);
  const when =
    asked.what === 'undo'
      ? `as it was before decision ${name}`
      : name
        ? `as it was after decision ${name}`
        : 'with all that was decided and is gone';
  if (diff.length === 0)
    return <Problem text={`${seen(target)} is as it was decided: nothing to bring back.`} onClose={props.onClose} />;
  return (
    <Confirm {...props} title={`${seen(target)} ${when}`} yes="Write it" binding={binding} action="accept">
      <Diff lines={diff} label="What would change" />
      {not_kept > 0 ? <p class="note">{counted(not_kept, 'block')} can’t come back: the text is not stored.</p> : null}
    </Confirm>
  );
}

export function Erase({ file, id, line, ...props }: Props & { file: string; id: string | undefined; line: number }) {
  const view = useView<ErasureView>('/api/erasure', { file, id, line });
  if (!view.found) return <Problem text={view.problem} onClose={props.onClose} />;
  const { binding, text, wordings, places, copies, unreachable } = view.found;
  return (
    <Confirm
      {...props}
      title="Erase for good, with every copy"
      yes="Erase it for good"
      binding={binding}
      action="erase"
    >
      <pre>{seen(text)}</pre>
      {wordings.map((wording) => (
        <>
          <p class="quiet">and this wording of it:</p>
          <pre>{seen(wording)}</pre>
        </>
      ))}
      <p>Found in {places.map(({ target, line: at }) => `${seen(target)}, line ${at}`).join('; ')}.</p>
      <p>
        Copies: {copies.length === 0 ? 'none' : copies.map(({ what, count }) => counted(count, what)).join(', ')}. No
        undo brings it back.
      </p>
      <p class="quiet">What this can’t reach:</p>
      <ul>
        {unreachable.map((each) => (
          <li>{each}</li>
        ))}
      </ul>
    </Confirm>
  );
}

function useView<T>(path: string, values: Record<string, string | number | undefined>) {
  const [found, setFound] = useState<T | null>(null);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    get<T>(path, values).then(setFound, (error: Error) => setProblem(error.message));
  }, []);
  return { found, problem };
}

function Problem({ text, onClose }: { text: string; onClose: () => void }) {
  return text === '' ? null : (
    <Dialog title="Nothing to bring back" onClose={onClose}>
      <p role="alert">{seen(text)}</p>
      <div class="row-end">
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
