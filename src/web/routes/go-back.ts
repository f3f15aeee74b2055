import type { Rooms } from '../../bearings.ts';
import { invalidInput } from '../../errors.ts';
import type { ShownEarlier } from '../../gate/accounting/go-back.ts';
import type { ShownErasure } from '../../gate/erase/erase.ts';
import type { Proof } from '../../gate/keys/confirm-level.ts';
import { textDiff } from '../../gate/proposals/proposal-diff.ts';
import type { Ask, Page } from '../answers.ts';
import { type Binding, bindingHash, rememberShown, sha256 } from '../binding.ts';
import { namedIn } from './memory.ts';

const MAX_DECISIONS = 200;

type Earlier = Binding & { type: 'earlier' };
type Erasure = Binding & { type: 'erase' };

export function goBackRoutes({ bearings }: Page) {
  return {
    /** Every decision on a file, the newest first; a text is null where it is not kept. */
    async 'GET /api/history'(ask: Ask) {
      const { file, id } = namedIn(ask);
      const { target, decisions } = await (await bearings.gate()).history(file, { id });
      return { target, total: decisions.length, rows: decisions.slice(0, MAX_DECISIONS) };
    },

    // The earlier text as it would be written. Shown whole, it can be decided on like anything else.
    async 'GET /api/earlier'(ask: Ask) {
      const { file, id } = namedIn(ask);
      const decision = ask.text('decision') || undefined;
      const plan =
        ask.text('what') === 'restore'
          ? await (await bearings.gate()).showRestore(file, decision, { id })
          : await (await bearings.gate()).showUndo(decision);
      const binding: Binding = earlierBinding(plan);
      rememberShown(ask.visitor, binding);
      const { target, before, after, not_kept, decision_id } = plan;
      const diff = after === (before ?? '') ? [] : textDiff(before, after);
      return { binding, target, decision_id, diff, not_kept };
    },

    /** The block at a line with every copy of it. */
    async 'GET /api/erasure'(ask: Ask) {
      const { file, id = null } = namedIn(ask);
      const { shown, binding } = await erasureAt(bearings, {
        type: 'erase',
        ...{ file, id, line: ask.number('line'), sha256: '' },
      });
      rememberShown(ask.visitor, binding);
      const { text, wordings, places, copies, unreachable } = shown;
      return { binding: binding as Binding, text, wordings, places, copies, unreachable };
    },
  };
}

export async function goBack(bearings: Rooms, binding: Earlier, proof: Proof) {
  const { decision, decision_id, image_id, file, kind } = binding;
  const named = kind === 'taste' ? `tastes/${file}` : file;
  const plan =
    decision === 'undo'
      ? await (await bearings.gate()).showUndo(decision_id ?? undefined)
      : await (await bearings.gate()).showRestore(named, decision_id ?? undefined, { id: image_id ?? undefined });
  if (bindingHash(earlierBinding(plan)) !== bindingHash(binding)) return null;
  const { target, ledger } = await (await bearings.gate()).goBack(plan, { via: 'page', ...proof });
  return { status: decision === 'undo' ? 'undone' : 'restored', target, ledger };
}

function earlierBinding({ decision, decision_id, kind, image_id, file, before, after }: ShownEarlier): Earlier {
  const hashes = { before_sha256: before === null ? null : sha256(before), after_sha256: sha256(after) };
  return { type: 'earlier', decision, decision_id, kind, image_id, file, ...hashes };
}

export async function erase(bearings: Rooms, binding: Erasure, proof: Proof) {
  const { shown, binding: now } = await erasureAt(bearings, binding);
  if (now.sha256 !== binding.sha256) return null;
  const { places, copies, left } = await (await bearings.gate()).erase(shown, { via: 'page', ...proof });
  const rest = left.length === 0 ? '' : ` · still there: ${left.map(({ file }) => file).join(', ')}`;
  return { status: 'erased', target: `${places} in memory, ${copies} other files${rest}`, ledger: null };
}

async function erasureAt(bearings: Rooms, binding: Erasure): Promise<{ shown: ShownErasure; binding: Erasure }> {
  const { file, id, line } = binding;
  const [found] = await (await bearings.gate()).findErasable(`${file}:${line}`, { id: id ?? undefined });
  if (!found) throw invalidInput('There is nothing there.', 'Reload the page.');
  const shown = await (await bearings.gate()).showErasure(found.text);
  return { shown, binding: { ...binding, sha256: shown.sha256 } };
}
