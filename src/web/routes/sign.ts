import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { BearingsError, conflict, invalidInput } from '../../errors.ts';
import type { Proof } from '../../gate/keys/confirm-level.ts';
import { isDraft, type PasskeyAct, signedAct } from '../../gate/ledger/ledger.ts';
import { ACTIONS, type Acted, outdated } from '../../waiting/waiting.ts';
import type { Ask, Page } from '../answers.ts';
import { keepNewest, type Visitor } from '../guard.ts';

const MAX_UNSIGNED = 20;
const NOT_CONFIRMED = "This can't be confirmed.";
const REFUSED = 'This is not a decision.';
const part = z.string().max(10_000);
/** Beside what is to be signed: the passphrase, and which authenticator the browser wants to ask. */
const PROOF = { passphrase: z.string().max(1000).optional(), credential: part.optional() };
const SIGNED = z.strictObject({
  id: part,
  signature: z.strictObject({ credential: part, authenticator_data: part, client_data: part, signature: part }),
});
const TASK = z.strictObject({
  registration: z.strictObject({ credential: part, public_key: part }).nullable(),
  ...PROOF,
});
const ACT = z.strictObject({
  /** The name by which it was shown. */
  binding: z.string(),
  action: z.enum(ACTIONS),
  edited: z.string().optional(),
  reason: z.string().max(500).optional(),
  until: z.string().max(40).optional(),
});
const ONE = ACT.extend(PROOF);
const ALL = z.strictObject({ acts: z.array(ACT).max(1000), ...PROOF });

export type Act = z.infer<typeof ACT>;

/** At `passkey`: it is done once this authenticator has signed the challenge; both base64url. */
export interface Unsigned {
  unsigned: { id: string; challenge: string; credential: string };
}

export function signRoutes(page: Page) {
  const { bearings, task, port, onTaskDone } = page;
  const gateOf = () => bearings.gate();

  /** Who is to sign; null: nobody, and it is done at once. */
  const signerOf = async (wanted: string | undefined) => {
    const gate = await gateOf();
    const known = await gate.passkeys();
    if (known === null) return null;
    const credential = wanted !== undefined && known.credentials.includes(wanted) ? wanted : known.credentials[0];
    return { act: await gate.actFor(credential), credential: credential ?? '' };
  };

  // A yes is gone through once without writing, and waits for its signature.
  const withSignature = async <T>(
    visitor: Visitor,
    signer: { act: PasskeyAct; credential: string } | null,
    work: (passkey: PasskeyAct | undefined) => Promise<T>,
  ): Promise<T | Unsigned> => {
    if (signer === null) return work(undefined);
    const { act, credential } = signer;
    let done: T | undefined;
    const question = await (await gateOf()).questionFor(act, credential, async (draft) => {
      done = await work(draft);
    });
    if (question === null) return done as T;
    const id = randomUUID();
    keepNewest(visitor.unsigned, MAX_UNSIGNED, id, { act, work });
    return { unsigned: { id, challenge: question.challenge, credential } };
  };

  const actOnce = async ({ shown }: Visitor, act: Act, proof: Proof): Promise<Acted> => {
    const { binding, action, ...added } = act;
    // What was cut off is brought to its end before anything is decided.
    await gateOf();
    const deeds = shown.get(binding);
    const deed = deeds?.[action];
    if (!deeds) throw outdated();
    if (!deed) throw invalidInput("This can't be done here.", 'Reload the page.');
    const acted = await deed(added, { ...proof, via: 'page' });
    if (!isDraft(proof.passkey)) shown.delete(binding);
    return acted;
  };

  return {
    // The person's word on one thing, bound to what this very browser was shown.
    async 'POST /api/act'({ visitor, body }: Ask) {
      const { credential, passphrase, ...act } = await body(ONE, REFUSED);
      return withSignature(visitor, await signerOf(credential), (passkey) =>
        actOnce(visitor, act, { passphrase, passkey }),
      );
    },

    // Several that were shown, one after the other; an authenticator signs them as one list. What can't be decided ends it:
    // the person hears how far it came.
    async 'POST /api/act-all'({ visitor, body }: Ask) {
      const { credential, passphrase, acts } = await body(ALL, REFUSED);
      return withSignature(visitor, await signerOf(credential), async (passkey) => {
        const acted: Acted[] = [];
        for (const act of acts) {
          try {
            acted.push(await actOnce(visitor, act, { passphrase, passkey }));
          } catch (error) {
            // Nothing was decided yet: nothing is to be told but why, and nothing to be signed.
            if (isDraft(passkey) || acted.length === 0) throw error;
            return { acted, problem: problemOf(error) };
          }
        }
        return { acted, problem: null };
      });
    },

    // The second round. What was asked is used once, whatever comes of it.
    async 'POST /api/sign'({ visitor, body }: Ask): Promise<unknown> {
      const { id, signature } = await body(SIGNED, 'This is not a signature.');
      const found = visitor.unsigned.get(id);
      visitor.unsigned.delete(id);
      if (!found) throw conflict('Nothing waits for this signature.', 'Confirm it once more.');
      return found.work(signedAct(found.act, { alg: 'webauthn', ...signature }));
    },

    async 'GET /api/task'() {
      if (task === null) throw new BearingsError('not_found', 'Nothing is to be confirmed here.');
      const { title, lines, kind, text = '' } = task;
      return { title, lines, text, kind, credentials: (await (await gateOf()).passkeys())?.credentials ?? [] };
    },

    async 'POST /api/task'({ visitor, body }: Ask) {
      const { registration, credential } = await body(TASK, NOT_CONFIRMED);
      if (task === null || (registration === null) !== (task.kind === 'sign'))
        throw invalidInput(NOT_CONFIRMED, 'Reload the page.');
      const signer =
        task.kind === 'register' && registration !== null
          ? { act: await (await gateOf()).firstAct(registration, port()), credential: registration.credential }
          : await signerOf(credential);
      return withSignature(visitor, signer, async (act): Promise<{ done: true }> => {
        if (act === undefined) throw invalidInput('No authenticator is registered here.', 'Reload the page.');
        await task.run({ act, registration, port: port() });
        if (!isDraft(act)) onTaskDone();
        return { done: true };
      });
    },
  };
}

function problemOf(error: unknown): string {
  if (!(error instanceof BearingsError)) return 'Something went wrong inside bearings.';
  return `${error.message} ${error.hint ?? ''}`.trim();
}
