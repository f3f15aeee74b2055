import type { Asked } from '../../wire.ts';
import { seen } from '../words.ts';

export interface Said {
  text: string;
  isProblem: boolean;
  undo: Asked | null;
}

/** What came of the last key. */
export function SaidLine({ said, onUndo }: { said: Said | null; onUndo: () => void }) {
  return (
    <p class={said?.isProblem ? 'said problem' : 'said'} role={said?.isProblem ? 'alert' : 'status'}>
      {said ? <span>{seen(said.text)}</span> : null}
      {said?.undo ? (
        <button type="button" class="link" onClick={onUndo}>
          undo <kbd>u</kbd>
        </button>
      ) : null}
    </p>
  );
}
