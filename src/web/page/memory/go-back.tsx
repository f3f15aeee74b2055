import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { type Asked, type Item, useGet, useWork } from '../api.ts';
import { useKeys, useSight } from '../keys.ts';
import { Button, Dialog, Diff, End, Problem } from '../parts.tsx';
import { outcome, type Signing } from '../signing.tsx';
import { counted } from '../words.ts';

interface Props {
  signing: Signing;
  onDone: (said: string) => void;
  onClose: () => void;
}

// The earlier text beside the present one, and a question: it is a decision like any other.
export function GoBack({ asked, ...props }: Props & { asked: Asked }) {
  const { found, problem } = useGet('/api/earlier', asked);
  if (!found) return <Nothing text={problem} onClose={props.onClose} />;
  const { binding, target, decision_id, diff, not_kept } = found;
  if (diff.length === 0)
    return <Nothing text={`${target} is as it was decided: nothing to bring back.`} onClose={props.onClose} />;
  const name = decision_id?.slice(0, 8);
  const when =
    asked.what === 'undo'
      ? `as it was before decision ${name}`
      : name
        ? `as it was after decision ${name}`
        : 'with all that was decided and is gone';
  return (
    <Confirm {...props} title={`${target} ${when}`} yes="Write it" binding={binding}>
      <Diff lines={diff} label="What would change" />
      {not_kept > 0 ? <p class="note">{counted(not_kept, 'block')} can’t come back: the text is not stored.</p> : null}
    </Confirm>
  );
}

function Nothing({ text, onClose }: { text: string; onClose: () => void }) {
  return text === '' ? null : (
    <Dialog title="Nothing to bring back" onClose={onClose}>
      <p role="alert">{text}</p>
      <div class="row-end">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

interface ConfirmProps extends Props {
  title: string;
  yes: string;
  binding: Item['binding'];
  children: ComponentChildren;
}

// A decision that was asked for: shown whole, then one yes. A key counts after a rest, and once the end was seen.
function Confirm({ title, yes, binding, signing, onDone, onClose, children }: ConfirmProps) {
  const sight = useSight();
  const { busy, problem, run } = useWork();
  useEffect(() => sight.shown(), []);
  const decide = (): void =>
    run(async () => {
      if (!sight.sawEnd) throw new Error('Scroll to its end first: you have not seen all of it.');
      const acted = await signing.send('/api/act', { binding, action: 'accept' });
      if (acted) onDone(outcome(acted));
    });
  useKeys({ y: decide }, { sight, keys: ['y'], inDialog: true });
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="scroll confirm">
        {children}
        <End onSeen={sight.endSeen} />
      </div>
      <Problem text={problem} />
      <div class="row-end">
        <Button onClick={onClose}>Leave it</Button>
        <Button class="main" disabled={busy || !sight.isReady} onClick={decide}>
          {yes}
        </Button>
      </div>
    </Dialog>
  );
}
