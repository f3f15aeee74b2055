import { fstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { readRange } from '../../files/read-text.ts';
import { sha256 } from '../../files/sha256.ts';
import { appendForm, findBlock } from '../ledger/text-blocks.ts';
import { type AppendIntent, contentOf, planAppendRecovery, type ReplaceIntent } from '../proposals/intent.ts';
import { writeArchive } from './archive-file.ts';
import { eraseInDomain } from './erase-in-domain.ts';
import { clearIntent, finish, readIntent, recordAgain, saveIntent } from './intent-file.ts';
import {
  append,
  asIoError,
  currentText,
  type DecisionDomain,
  type DecisionTarget,
  endOf,
  holdsText,
  moveIntoFolder,
  openForAppend,
  replaceText,
  standsAs,
  swapText,
  targetIn,
} from './target-text.ts';

// What a process that died left behind is brought to its end, or to its beginning; never left half way.
export function recover(domain: DecisionDomain): void {
  recoverDecision(domain);
  eraseInDomain(domain);
}

function recoverDecision(domain: DecisionDomain): void {
  const intent = readIntent(domain);
  if (!intent) return;
  const target = targetIn(domain, intent.file);
  try {
    if (intent.kind === 'append') recoverAppend(target, intent);
    if (intent.kind === 'move') moveIntoFolder(target);
    // Not swapped, or changed by hand since: nothing was decided, and the person is asked again.
    const undone = intent.kind === 'rewrite' && !standsAs(target, intent.after_sha256);
    if (undone || (intent.kind === 'replace' && !recoverReplacement(target, intent))) {
      target.ledger.cutTorn(intent.ledger_line);
      clearIntent(target);
      return;
    }
    writeArchive(target, intent.archive);
  } catch (error) {
    throw asIoError(target, error);
  }
  recordAgain(target, intent);
  finish(target, intent.pending);
}

function recoverAppend(target: DecisionTarget, intent: AppendIntent): void {
  const file = openForAppend(target);
  try {
    const bytes = Buffer.from(intent.text);
    const { size } = fstatSync(file.fd);
    const tail =
      size < intent.offset ? null : readRange(file.fd, intent.offset, Math.min(size - intent.offset, bytes.length));
    const plan = planAppendRecovery(bytes, tail, () =>
      holdsText(target.path, target.scope, contentOf(intent), Number.POSITIVE_INFINITY),
    );
    if (plan.step === 'complete') append(file, bytes.subarray(plan.from));
    if (plan.step === 'append_again') {
      const text = appendForm(endOf(file, size), intent.text);
      // A second crash must find where this attempt began.
      saveIntent(target, { ...intent, offset: size, text });
      append(file, Buffer.from(text));
    }
    file.sync();
    target.files.syncFolder(dirname(target.path));
  } finally {
    file.close();
  }
}

// False: the text it meant is gone, so nothing was decided and the proposal still waits.
function recoverReplacement(target: DecisionTarget, intent: ReplaceIntent): boolean {
  const current = currentText(target);
  if (current === null) return false;
  if (sha256(current) === intent.after_sha256) return true;
  const after = replaceText(current, intent);
  // Of a block that no longer holds: it is gone, as was meant.
  if (after === null && intent.content === '') return !current.includes(intent.block);
  if (after === null) return findBlock(current, intent.content) !== null;
  swapText(target, current, after);
  return true;
}
