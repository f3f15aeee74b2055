import { createHash } from 'node:crypto';
import type { Rooms } from '../../bearings.ts';
import { invalidInput } from '../../errors.ts';
import type { ShownEarlier } from '../../gate/accounting/go-back.ts';
import type { ShownErasure } from '../../gate/erase/erase.ts';
import type { Proof } from '../../gate/keys/signer.ts';
import { textDiff } from '../../gate/proposals/proposal-diff.ts';
import type { Visitor } from '../guard.ts';
import type { Live } from '../live.ts';
import type { Binding, EarlierView, ErasureView, HistoryPage } from '../wire.ts';
import type { Named } from './memory.ts';
import { bindingHash } from './queue.ts';

const MOST_DECISIONS = 50;

type Earlier = Binding & { type: 'earlier' };
type Erasure = Binding & { type: 'erase' };

/** Every decision on a file, the newest first, a window of them. */
export async function historyPage(
  bearings: Rooms,
  live: Live,
  { file, id, from }: Named & { from: number },
): Promise<HistoryPage> {
  const all = await live.remembered(`history ${file} ${id ?? ''}`, async () =>
    (await bearings.gate()).history(file, { id }),
  );
  const decisions = all.decisions.slice(from, from + MOST_DECISIONS).map((entry) => ({
    decision_id: entry.decision_id,
    decision: entry.decision,
    at: entry.at,
    by: entry.proposed_by,
    who: entry.signed_by === 'you' ? null : entry.who,
    reason: entry.reason,
    edited: entry.edited,
    undone: entry.undone,
    erased: entry.erased,
    changed_text: entry.changed_text,
    added: entry.added.map(({ text }) => text),
    removed: entry.removed.map(({ text }) => text),
  }));
  return { target: all.target, total: all.decisions.length, from, decisions };
}

// The earlier text as it would be written. Shown whole, it can be decided on like anything else.
export async function earlierView(
  { bearings, visitor }: { bearings: Rooms; visitor: Visitor },
  asked: Named & { what: string; decision: string | undefined },
): Promise<EarlierView> {
  const { what, decision, file, id } = asked;
  const gate = await bearings.gate();
  const plan = what === 'restore' ? await gate.showRestore(file, decision, { id }) : await gate.showUndo(decision);
  const binding = earlierBinding(plan);
  visitor.shown.add(bindingHash(binding));
  const { target, before, after, not_kept, decision_id } = plan;
  const isSame = after === (before ?? '');
  return { binding, target, decision_id, diff: isSame ? [] : textDiff(before, after), not_kept };
}

export async function goBack(bearings: Rooms, binding: Earlier, proof: Proof) {
  const { decision, decision_id, image_id, file, kind } = binding;
  const named = kind === 'taste' ? `tastes/${file}` : file;
  const gate = await bearings.gate();
  const plan =
    decision === 'undo'
      ? await gate.showUndo(decision_id ?? undefined)
      : await gate.showRestore(named, decision_id ?? undefined, { id: image_id ?? undefined });
  if (bindingHash(earlierBinding(plan)) !== bindingHash(binding)) return null;
  const { target, ledger } = await gate.goBack(plan, { via: 'page', ...proof });
  return { status: decision === 'undo' ? 'undone' : 'restored', target, ledger };
}

function earlierBinding({ decision, decision_id, kind, image_id, file, before, after }: ShownEarlier): Earlier {
  const hashes = { before_sha256: before === null ? null : sha256(before), after_sha256: sha256(after) };
  return { type: 'earlier', decision, decision_id, kind, image_id, file, ...hashes };
}

/** The block at a line with every copy of it. */
export async function erasureView(
  { bearings, visitor }: { bearings: Rooms; visitor: Visitor },
  { file, id, line }: Named & { line: number },
): Promise<ErasureView> {
  const { shown, binding } = await erasureAt(bearings, { type: 'erase', file, id: id ?? null, line, sha256: '' });
  visitor.shown.add(bindingHash(binding));
  const { text, wordings, places, copies, unreachable } = shown;
  return { binding, text, wordings, places, copies, unreachable };
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
  const gate = await bearings.gate();
  const [found] = await gate.findErasable(`${file}:${line}`, { id: id ?? undefined });
  if (!found) throw invalidInput('There is nothing there.', 'Reload the page.');
  const shown = await gate.showErasure(found.text);
  return { shown, binding: { ...binding, sha256: shown.sha256 } };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
