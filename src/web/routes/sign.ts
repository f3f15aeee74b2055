import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Rooms } from '../../bearings.ts';
import { BearingsError, conflict, invalidInput } from '../../errors.ts';
import type { Proof } from '../../gate/keys/confirm-level.ts';
import { isDraft, type PasskeyAct, signedAct } from '../../gate/ledger/ledger.ts';
import type { Ask, Page } from '../answers.ts';
import type { Visitor } from '../guard.ts';
import { ACTIONS, type Acted } from '../guard.ts';
import { outdated } from './entries.ts';

const MAX_UNSIGNED = 20;
const NOT_CONFIRMED = "This can't be confirmed.";
const part = z.string().max(10_000);
const SIGNED = z.strictObject({
  id: part,
  signature: z.strictObject({
    credential: part,
    authenticator_data: part,
    client_data: part,
    signature: part,
  }),
});

/** Beside what is to be signed: the passphrase, and which authenticator the browser wants to ask. */
const SIGNED_BODY = { passphrase: z.string().max(1000).optional(), credential: part.optional() };

/** At `passkey`: it is done once this authenticator has signed the challenge; both base64url. */
export interface Unsigned {
  unsigned: { id: string; challenge: string; credential: string };
}

interface Signing {
  bearings: Rooms;
  visitor: Visitor;
}

// At `passkey` a yes is gone through once without writing, and waits for its signature; else it is done at once.
async function withSignature<T>(
  { bearings, visitor }: Signing,
  credential: string | undefined,
  work: (passkey: PasskeyAct | undefined) => Promise<T>,
): Promise<T | Unsigned> {
  const known = await (await bearings.gate()).passkeys();
  if (known === null) return work(undefined);
  const asked = credential !== undefined && known.credentials.includes(credential) ? credential : known.credentials[0];
  return askFor(
    { bearings, visitor },
    { act: await (await bearings.gate()).actFor(asked), credential: asked ?? '', work },
  );
}

async function askFor<T>(
  { bearings, visitor }: Signing,
  { act, credential, work }: { act: PasskeyAct; credential: string; work: (act: PasskeyAct) => Promise<T> },
): Promise<T | Unsigned> {
  let done: T | undefined;
  const question = await (await bearings.gate()).questionFor(act, credential, async (draft) => {
    done = await work(draft);
  });
  if (question === null) return done as T;
  const id = randomUUID();
  const [oldest] = visitor.unsigned.keys();
  if (visitor.unsigned.size >= MAX_UNSIGNED && oldest !== undefined) visitor.unsigned.delete(oldest);
  visitor.unsigned.set(id, { act, work });
  return { unsigned: { id, challenge: question.challenge, credential } };
}

const TASK = z.strictObject({
  registration: z.strictObject({ credential: part, public_key: part }).nullable(),
  ...SIGNED_BODY,
});

export function signRoutes({ bearings, task, port, onTaskDone }: Page) {
  return {
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
      return { title, lines, text, kind, credentials: (await (await bearings.gate()).passkeys())?.credentials ?? [] };
    },

    async 'POST /api/task'({ visitor, body }: Ask) {
      const { registration, credential } = await body(TASK, NOT_CONFIRMED);
      if (task === null || (registration === null) !== (task.kind === 'sign'))
        throw invalidInput(NOT_CONFIRMED, 'Reload the page.');
      const work = async (act: PasskeyAct | undefined): Promise<{ done: true }> => {
        if (act === undefined) throw invalidInput('No authenticator is registered here.', 'Reload the page.');
        await task.run({ act, registration, port: port() });
        if (!isDraft(act)) onTaskDone();
        return { done: true };
      };
      const signing = { bearings, visitor };
      if (task.kind !== 'register' || registration === null) return withSignature(signing, credential, work);
      const act = await (await bearings.gate()).firstAct(registration, port());
      return askFor(signing, { act, credential: registration.credential, work });
    },
  };
}

const text = z.string();
const ACT = z.strictObject({
  /** The name by which it was shown. */
  binding: text,
  action: z.enum(ACTIONS),
  edited: text.optional(),
  reason: text.max(500).optional(),
  until: text.max(40).optional(),
});
const ONE = ACT.extend(SIGNED_BODY);
const ALL = z.strictObject({ acts: z.array(ACT).max(1000), ...SIGNED_BODY });
const REFUSED = 'This is not a decision.';

export type Act = z.infer<typeof ACT>;

export function actRoutes(page: Page) {
  return {
    // The person's word on one thing, bound to what this very browser was shown.
    async 'POST /api/act'({ visitor, body }: Ask) {
      const { credential, passphrase, ...act } = await body(ONE, REFUSED);
      return withSignature({ ...page, visitor }, credential, (passkey) =>
        actOnce(page, visitor, act, { passphrase, passkey }),
      );
    },

    // Several that were shown, one after the other; an authenticator signs them as one list. What can't be decided ends it:
    // the person hears how far it came.
    async 'POST /api/act-all'({ visitor, body }: Ask) {
      const { credential, passphrase, acts } = await body(ALL, REFUSED);
      return withSignature({ ...page, visitor }, credential, async (passkey) => {
        const acted: Acted[] = [];
        for (const act of acts) {
          try {
            acted.push(await actOnce(page, visitor, act, { passphrase, passkey }));
          } catch (error) {
            // Nothing was decided yet: nothing is to be told but why, and nothing to be signed.
            if (isDraft(passkey) || acted.length === 0) throw error;
            return { acted, problem: problemOf(error) };
          }
        }
        return { acted, problem: null };
      });
    },
  };
}

function problemOf(error: unknown): string {
  if (!(error instanceof BearingsError)) return 'Something went wrong inside bearings.';
  return `${error.message} ${error.hint ?? ''}`.trim();
}

async function actOnce({ bearings }: Page, { shown }: Visitor, act: Act, proof: Proof): Promise<Acted> {
  const { binding, action, ...added } = act;
  // What was cut off is brought to its end before anything is decided.
  await bearings.gate();
  const deeds = shown.get(binding);
  const deed = deeds?.[action];
  if (!deeds) throw outdated();
  if (!deed) throw invalidInput("This can't be done here.", 'Reload the page.');
  const acted = await deed(added, { ...proof, via: 'page' });
  if (!isDraft(proof.passkey)) shown.delete(binding);
  return acted;
}
