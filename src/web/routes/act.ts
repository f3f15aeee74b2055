import { z } from 'zod';
import { BearingsError, invalidInput } from '../../errors.ts';
import type { Proof } from '../../gate/keys/confirm-level.ts';
import { isDraft } from '../../gate/ledger/ledger.ts';
import type { Ask, Page } from '../answers.ts';
import type { Visitor } from '../guard.ts';
import { ACTIONS, type Acted } from '../shown.ts';
import { SIGNED_BODY, withSignature } from './sign.ts';

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
  if (deeds && !deed) throw invalidInput("This can't be done here.", 'Reload the page.');
  const acted = deed && (await deed(added, { ...proof, via: 'page' }));
  if (!acted)
    throw new BearingsError('conflict', 'This is no longer what was shown, or was never shown here.', {
      hint: 'Look at it again.',
    });
  if (!isDraft(proof.passkey)) shown.delete(binding);
  return acted;
}
