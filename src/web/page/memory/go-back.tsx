import { useEffect } from 'preact/hooks';
import { type Asked, type Got, useGet, useWork } from '../api.ts';
import { useKeys, useSight } from '../keys.ts';
import { Button, Dialog, Diff, End, Problem } from '../parts.tsx';
import { outcome, type Signing } from '../signing.tsx';
import { counted } from '../words.ts';

interface Props {
  asked: Asked;
  signing: Signing;
  onDone: (said: string) => void;
  onClose: () => void;
}

// The earlier text beside the present one, and a question: it is a decision like any other.
export function GoBack(props: Props) {
  const { found, problem } = useGet('/api/earlier', props.asked);
  if (found && found.diff.length > 0) return <Confirm found={found} {...props} />;
  const text = found ? `${found.target} is as it was decided: nothing to bring back.` : problem;
  return text === '' ? null : (
    <Dialog title="Nothing to bring back" onClose={props.onClose}>
      <p role="alert">{text}</p>
      <div class="row-end">
        <Button onClick={props.onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

// Shown whole, then one yes. A key counts after a rest, and once the end was seen.
function Confirm({ asked, found, signing, onDone, onClose }: Props & { found: Got<'/api/earlier'> }) {
  const { binding, target, decision_id, diff, not_kept } = found;
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
  const name = decision_id?.slice(0, 8);
  const when = `as it was ${asked.what === 'undo' ? 'before' : 'after'} decision ${name}`;
  return (
    <Dialog title={`${target} ${name ? when : 'with all that was decided and is gone'}`} onClose={onClose}>
      <div class="scroll confirm">
        <Diff lines={diff} label="What would change" />
        {not_kept > 0 ? (
          <p class="note">{counted(not_kept, 'block')} can’t come back: the text is not stored.</p>
        ) : null}
        <End onSeen={sight.endSeen} />
      </div>
      <Problem text={problem} />
      <div class="row-end">
        <Button onClick={onClose}>Leave it</Button>
        <Button class="main" disabled={busy || !sight.isReady} onClick={decide}>
          Write it
        </Button>
      </div>
    </Dialog>
  );
}
