import { z } from 'zod';
import { BearingsError, invalidInput } from '../../errors.ts';
import type { Proof } from '../../gate/keys/confirm-level.ts';
import { isDraft } from '../../gate/ledger/ledger.ts';
import type { Ask, Page } from '../answers.ts';
import { BINDING, bindingHash } from '../binding.ts';
import type { Visitor } from '../guard.ts';
import { erase, goBack } from './go-back.ts';
import { clientsHash, reasonsOf } from './queue.ts';
import { SIGNED_BODY, withSignature } from './sign.ts';

const text = z.string();
const ACT = z.strictObject({
  binding: BINDING,
  action: z.enum([
    ...['seen', 'accept', 'decline', 'revive', 'adopt', 'take_out'],
    ...['tidy', 'keep', 'trust', 'settle', 'erase', 'retire'],
  ] as const),
  edited: text.optional(),
  reason: text.max(500).optional(),
  /** A date or a span to look at it again. */
  until: text.max(40).optional(),
});
const ONE = ACT.extend(SIGNED_BODY);
const ALL = z.strictObject({ acts: z.array(ACT).max(1000), ...SIGNED_BODY });
const REFUSED = 'This is not a decision.';

export type Act = z.infer<typeof ACT>;

/** What came of a decision. */
interface Acted {
  status: string;
  target: string;
  ledger: number | null;
}

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

async function actOnce(page: Page, visitor: Visitor, act: Act, proof: Proof): Promise<Acted> {
  const hash = bindingHash(act.binding);
  if (!visitor.shown.has(hash)) changed();
  const acted = await decide(page, act, proof);
  if (!isDraft(proof.passkey)) visitor.shown.delete(hash);
  return acted;
}

async function decide({ bearings, runs }: Page, act: Act, proof: Proof): Promise<Acted> {
  const { binding, action, edited, reason, until } = act;
  const gate = await bearings.gate();
  const edit = { via: 'page', ...proof } as const;
  switch (binding.type) {
    case 'proposal': {
      if (action !== 'accept' && action !== 'decline') break;
      const editedContent = action === 'accept' ? edited : undefined;
      const given = { ...edit, decision: action, editedContent, reason, until, client: null };
      const { status, target, ledger } = await gate.decide(binding.shown, null, given);
      return { status: status.replace('_', ' '), target, ledger };
    }
    case 'approve': {
      if (action !== 'accept' && action !== 'decline') break;
      const answer = action === 'accept' && edited !== undefined ? 'edit' : action;
      const { shared } = await runs.answer(binding.run, {
        answer,
        via: 'page',
        shownSha256: binding.sha256,
        ...(answer === 'edit' && edited !== undefined ? { text: edited } : {}),
        ...(reason === undefined ? {} : { reason }),
        ...proof,
      });
      const next = shared ? 'a worker goes on' : `go on: bearings runs resume ${binding.run}`;
      return done(answer === 'decline' ? 'declined' : 'accepted', next);
    }
    case 'clients':
      if (action !== 'seen') break;
      if (clientsHash(await gate.decidedByClients()) !== binding.sha256) changed();
      await gate.rememberClientDecisions();
      return done('seen', 'they are not shown again');
    case 'tastes':
      break;
    case 'aside':
      if (action !== 'revive') break;
      return done('revived', (await gate.reviveProposal(binding.proposal_id)).proposal_id);
    case 'first': {
      if (action !== 'adopt') break;
      const adopted = await gate.adoptAll('all', edit, binding.files);
      return done('adopted', `${adopted} ${adopted === 1 ? 'block' : 'blocks'}`);
    }
    case 'due': {
      if (action !== 'keep' && action !== 'retire') break;
      const found = (await gate.dueBlocks('all')).find(
        (each) => each.target === binding.target && each.block.fingerprint === binding.fingerprint,
      );
      if (!found || reasonsOf(found).join('\n') !== binding.reasons.join('\n')) return changed();
      if (action === 'retire') await gate.retireBlock(found, edit);
      else if (edited !== undefined) await gate.editDueBlock(found, edited, edit);
      else await gate.keepBlock(found, { ...edit, until });
      return done(action === 'retire' ? 'retired' : edited === undefined ? 'kept' : 'edited', binding.target);
    }
    case 'earlier':
      if (action === 'accept') return (await goBack(bearings, binding, proof)) ?? changed();
      break;
    case 'erase':
      if (action === 'erase') return (await erase(bearings, binding, proof)) ?? changed();
      break;
    case 'fault':
      if (action !== 'settle') break;
      await gate.settleFault(binding, proof);
      return done('settled', binding.ledger);
    case 'key':
      if (action !== 'trust') break;
      await gate.trustKey(binding.fingerprint, proof);
      return done('trusted', binding.fingerprint);
    case 'merged': {
      if (action !== 'tidy' && action !== 'keep') break;
      const found = (await gate.mergedFiles('all')).find(
        ({ target, before_sha256 }) => target === binding.target && before_sha256 === binding.before_sha256,
      );
      if (!found) return changed();
      if (action === 'tidy') await gate.tidyFile(found, edit);
      else await gate.keepMerged(found, edit);
      return done(action === 'tidy' ? 'tidied' : 'kept', binding.target);
    }
    case 'block': {
      if (action !== 'adopt' && action !== 'take_out') break;
      const found = (await gate.unaccountedBlocks('all')).find(
        ({ target, block }) => target === binding.target && block.fingerprint === binding.fingerprint,
      );
      if (!found) return changed();
      if (action === 'adopt') await gate.adoptBlock(found, edit);
      else await gate.takeOutBlock(found, edit);
      return done(action === 'adopt' ? 'adopted' : 'taken out', binding.target);
    }
  }
  throw invalidInput("This can't be done here.", 'Reload the page.');
}

const done = (status: string, target: string): Acted => ({ status, target, ledger: null });

function changed(): never {
  throw new BearingsError('conflict', 'This is no longer what was shown, or was never shown here.', {
    hint: 'Look at it again.',
  });
}
