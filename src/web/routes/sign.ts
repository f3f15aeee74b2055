import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Rooms } from '../../bearings.ts';
import type { PageTask } from '../../clients/page-task.ts';
import { BearingsError, invalidInput } from '../../errors.ts';
import { isDraft, type PasskeyAct, signedAct } from '../../gate/ledger/passkey-act.ts';
import type { Visitor } from '../guard.ts';
import type { TaskPage, Unsigned } from '../wire.ts';

const MOST_UNSIGNED = 20;
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

/** Which authenticator the browser wants to ask. */
export const CREDENTIAL = part.optional();

interface Signing {
  bearings: Rooms;
  visitor: Visitor;
}

// At `passkey` a yes is gone through once without writing, and waits for its signature; else it is done at once.
export async function withSignature<T>(
  { bearings, visitor }: Signing,
  credential: string | undefined,
  work: (passkey: PasskeyAct | undefined) => Promise<T>,
): Promise<T | Unsigned> {
  const gate = await bearings.gate();
  const known = await gate.passkeys();
  if (known === null) return work(undefined);
  const asked = credential !== undefined && known.credentials.includes(credential) ? credential : known.credentials[0];
  return askFor({ bearings, visitor }, { act: await gate.actFor(asked), credential: asked ?? '', work });
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
  if (visitor.unsigned.size >= MOST_UNSIGNED && oldest !== undefined) visitor.unsigned.delete(oldest);
  visitor.unsigned.set(id, { act, work });
  return { unsigned: { id, challenge: question.challenge, credential } };
}

// The second round. What was asked is used once, whatever comes of it.
export async function sign(visitor: Visitor, body: unknown): Promise<unknown> {
  const parsed = SIGNED.safeParse(body);
  if (!parsed.success) throw invalidInput('This is not a signature.', 'Reload the page.');
  const { id, signature } = parsed.data;
  const found = visitor.unsigned.get(id);
  visitor.unsigned.delete(id);
  if (!found)
    throw new BearingsError('conflict', 'Nothing waits for this signature.', { hint: 'Confirm it once more.' });
  return found.work(signedAct(found.act, { alg: 'webauthn', ...signature }));
}

const TASK = z.strictObject({
  registration: z.strictObject({ credential: part, public_key: part }).nullable(),
  credential: CREDENTIAL,
});

export function taskRoutes(task: PageTask | null, port: () => number, onDone: () => void) {
  return {
    async show(bearings: Rooms): Promise<TaskPage> {
      if (task === null) throw new BearingsError('not_found', 'Nothing is to be confirmed here.');
      const { title, lines, kind, text = '' } = task;
      return { title, lines, text, kind, credentials: (await (await bearings.gate()).passkeys())?.credentials ?? [] };
    },

    async run(signing: Signing, body: unknown): Promise<{ done: true } | Unsigned> {
      const parsed = TASK.safeParse(body);
      if (!parsed.success || task === null) throw invalidInput("This can't be confirmed.", 'Reload the page.');
      const { registration, credential } = parsed.data;
      if ((registration === null) !== (task.kind === 'sign'))
        throw invalidInput("This can't be confirmed.", 'Reload the page.');
      const work = async (act: PasskeyAct | undefined): Promise<{ done: true }> => {
        if (act === undefined) throw invalidInput('No authenticator is registered here.', 'Reload the page.');
        await task.run({ act, registration, port: port() });
        if (!isDraft(act)) onDone();
        return { done: true };
      };
      if (task.kind !== 'register' || registration === null) return withSignature(signing, credential, work);
      const act = await (await signing.bearings.gate()).firstAct(registration, port());
      return askFor(signing, { act, credential: registration.credential, work });
    },
  };
}
