import { canonicalJson } from '../canonical-json.ts';
import { BearingsError } from '../errors.ts';
import { sha256 } from '../files/sha256.ts';
import { type Proof, signerFor } from '../gate/keys/signer.ts';
import type { AppContext } from '../settings/app-context.ts';
import type { RunReport, RunState } from './engine.ts';
import { type Awaiting, awaitingOf } from './results.ts';
import type { ApproveAnswer, StepCall } from './steps.ts';

export interface GivenAnswer extends Proof {
  answer: ApproveAnswer['answer'];
  /** For an edit: what takes the place of what was shown. */
  text?: string;
  reason?: string;
  /** Of what the person saw: another question is not answered by it. */
  shownSha256?: string;
}

/** A run that waits, with what the person is asked. */
export interface WaitingRun extends Awaiting {
  run: string;
  name: string;
  file: string;
  at: string;
  /** Over question and text, so that an answer is bound to what was seen. */
  sha256: string;
}

export function waitingIn(report: RunReport): WaitingRun | null {
  const awaiting = report.state === 'awaiting_person' ? awaitingOf(report.result?.notes.error) : null;
  if (!awaiting) return null;
  const { id, name, spec, startedAt, endedAt } = report;
  const hash = sha256(canonicalJson({ question: awaiting.question, shown: awaiting.shown }));
  return { run: id, name, file: spec.file, at: endedAt ?? startedAt, sha256: hash, ...awaiting };
}

// Signed with the person's key over the run, the step, what was shown and what was said.
export async function signedAnswer(
  app: AppContext,
  waiting: WaitingRun | null,
  { answer, text, reason, shownSha256, ...proof }: GivenAnswer,
  state: RunState,
): Promise<{ key: string; call: StepCall; value: ApproveAnswer }> {
  if (!waiting)
    throw new BearingsError('conflict', `The run waits for no answer: it is ${state}.`, {
      hint: 'See it: bearings runs show last',
    });
  if (shownSha256 !== undefined && shownSha256 !== waiting.sha256)
    throw new BearingsError('stale', 'What the run asks has changed since it was shown.', { hint: 'Look again.' });
  const settings = await app.settings();
  const { run, key, question, shown, sha256: over } = waiting;
  const said = {
    answer,
    ...(answer === 'edit' ? { text: text ?? '' } : {}),
    ...(reason ? { reason } : {}),
    at: proof.passkey?.at ?? app.now().toISOString(),
  };
  const signer = signerFor(settings, proof);
  const by = signer.fingerprint;
  const sig = signer.sign(canonicalJson({ run, key, over, by, ...said }));
  return { key, call: { kind: 'approve', question, shown }, value: { ...said, by, sig } };
}
