import { z } from 'zod';
import type { Rooms } from '../../bearings.ts';
import { BearingsError, invalidInput } from '../../errors.ts';
import type { Proof } from '../../gate/keys/signer.ts';
import { isDraft } from '../../gate/ledger/passkey-act.ts';
import type { Visitor } from '../guard.ts';
import type { RunSource } from '../run-source.ts';
import type { Act, Acted, ActedAll, Binding, Unsigned } from '../wire.ts';
import { erase, goBack } from './go-back.ts';
import { bindingHash, clientsHash, reasonsOf } from './queue.ts';
import { CREDENTIAL, withSignature } from './sign.ts';

/** Where what is decided on comes from. */
interface Decidable {
  bearings: Rooms;
  runs: RunSource;
}

const text = z.string();
const BINDING = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('clients'), sha256: text }),
  z.strictObject({
    type: z.literal('first'),
    files: z.array(z.strictObject({ target: text, blocks: z.number(), sha256: text })),
  }),
  z.strictObject({
    type: z.literal('proposal'),
    shown: z.strictObject({
      proposal_id: text,
      content_sha256: text,
      target: text,
      replaces: text.nullable(),
    }),
  }),
  z.strictObject({ type: z.literal('aside'), proposal_id: text, content_sha256: text }),
  z.strictObject({ type: z.literal('key'), fingerprint: text }),
  z.strictObject({ type: z.literal('merged'), target: text, before_sha256: text }),
  z.strictObject({ type: z.literal('block'), target: text, fingerprint: text }),
  z.strictObject({ type: z.literal('due'), target: text, fingerprint: text, reasons: z.array(text) }),
  z.strictObject({ type: z.literal('approve'), run: text, sha256: text }),
  z.strictObject({
    type: z.literal('earlier'),
    decision: z.enum(['undo', 'restore']),
    decision_id: text.nullable(),
    kind: z.enum(['taste', 'notes']),
    image_id: text.nullable(),
    file: text,
    before_sha256: text.nullable(),
    after_sha256: text,
  }),
  z.strictObject({ type: z.literal('erase'), file: text, id: text.nullable(), line: z.number(), sha256: text }),
]);
const ACT = z.strictObject({
  binding: BINDING,
  action: z.enum([
    'seen',
    'accept',
    'decline',
    'revive',
    'adopt',
    'take_out',
    'tidy',
    'keep',
    'trust',
    'erase',
    'retire',
  ]),
  edited: text.optional(),
  reason: text.max(500).optional(),
  until: text.max(40).optional(),
  passphrase: text.max(1000).optional(),
  credential: CREDENTIAL,
});
const ALL = z.strictObject({
  acts: z.array(ACT.omit({ passphrase: true, credential: true })).max(1000),
  passphrase: text.max(1000).optional(),
  credential: CREDENTIAL,
});

// The person's word on one thing, bound to what this very browser was shown.
export async function act(from: Decidable, visitor: Visitor, body: unknown): Promise<Acted | Unsigned> {
  const parsed = ACT.safeParse(body);
  if (!parsed.success) throw invalidInput('This is not a decision.', 'Reload the page.');
  const { credential, passphrase, ...said } = parsed.data;
  return withSignature({ ...from, visitor }, credential, (passkey) =>
    actOnce(from, visitor, said, { passphrase, passkey }),
  );
}

// Several that were shown, one after the other; an authenticator signs them as one list. What can't be decided ends it: the
// person hears how far it came.
export async function actAll(from: Decidable, visitor: Visitor, body: unknown): Promise<ActedAll | Unsigned> {
  const parsed = ALL.safeParse(body);
  if (!parsed.success) throw invalidInput('This is not a decision.', 'Reload the page.');
  const { credential, passphrase, acts } = parsed.data;
  return withSignature({ ...from, visitor }, credential, async (passkey) => {
    const acted: Acted[] = [];
    for (const said of acts) {
      try {
        acted.push(await actOnce(from, visitor, said, { passphrase, passkey }));
      } catch (error) {
        // Nothing was decided yet: nothing is to be told but why, and nothing to be signed.
        if (isDraft(passkey) || acted.length === 0) throw error;
        return { acted, problem: problemOf(error) };
      }
    }
    return { acted, problem: null };
  });
}

function problemOf(error: unknown): string {
  if (!(error instanceof BearingsError)) return 'Something went wrong inside bearings.';
  return `${error.message} ${error.hint ?? ''}`.trim();
}

async function actOnce(from: Decidable, visitor: Visitor, said: Act, proof: Proof): Promise<Acted> {
  const hash = bindingHash(said.binding);
  if (!visitor.shown.has(hash)) throw changed();
  const acted = await decide(from, said, proof);
  if (!isDraft(proof.passkey)) visitor.shown.delete(hash);
  return acted;
}

async function decide({ bearings, runs }: Decidable, said: Act, proof: Proof): Promise<Acted> {
  const { binding, action } = said;
  const edit = { via: 'page', ...proof } as const;
  const gate = await bearings.gate();
  switch (binding.type) {
    case 'proposal':
      if (action === 'accept' || action === 'decline')
        return decideProposal(bearings, binding, said, { decision: action, ...proof });
      break;
    case 'approve': {
      if (action !== 'accept' && action !== 'decline') break;
      const { edited, reason } = said;
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
      return { status: answer === 'decline' ? 'declined' : 'accepted', target: next, ledger: null };
    }
    case 'clients':
      if (action !== 'seen') break;
      if (clientsHash(await gate.decidedByClients()) !== binding.sha256) throw changed();
      await gate.rememberClientDecisions();
      return { status: 'seen', target: 'they are not shown again', ledger: null };
    case 'aside': {
      if (action !== 'revive') break;
      const { proposal_id } = await gate.reviveProposal(binding.proposal_id);
      return { status: 'revived', target: proposal_id, ledger: null };
    }
    case 'first': {
      if (action !== 'adopt') break;
      const adopted = await gate.adoptAll('all', edit, binding.files);
      return { status: 'adopted', target: `${adopted} ${adopted === 1 ? 'block' : 'blocks'}`, ledger: null };
    }
    case 'due': {
      if (action !== 'keep' && action !== 'retire') break;
      const found = (await gate.dueBlocks('all')).find(
        (each) => each.target === binding.target && each.block.fingerprint === binding.fingerprint,
      );
      if (!found || reasonsOf(found).join('\n') !== binding.reasons.join('\n')) throw changed();
      const { edited, until } = said;
      if (action === 'retire') await gate.retireBlock(found, edit);
      else if (edited !== undefined) await gate.editDueBlock(found, edited, edit);
      else await gate.keepBlock(found, { ...edit, until });
      const status = action === 'retire' ? 'retired' : edited === undefined ? 'kept' : 'edited';
      return { status, target: binding.target, ledger: null };
    }
    case 'earlier': {
      if (action !== 'accept') break;
      const done = await goBack(bearings, binding, proof);
      if (!done) throw changed();
      return done;
    }
    case 'erase': {
      if (action !== 'erase') break;
      const done = await erase(bearings, binding, proof);
      if (!done) throw changed();
      return done;
    }
    case 'key':
      if (action !== 'trust') break;
      await gate.trustKey(binding.fingerprint, proof);
      return { status: 'trusted', target: binding.fingerprint, ledger: null };
    case 'merged': {
      if (action !== 'tidy' && action !== 'keep') break;
      const found = (await gate.mergedFiles('all')).find(
        ({ target, before_sha256 }) => target === binding.target && before_sha256 === binding.before_sha256,
      );
      if (!found) throw changed();
      if (action === 'tidy') await gate.tidyFile(found, edit);
      else await gate.keepMerged(found, edit);
      return { status: action === 'tidy' ? 'tidied' : 'kept', target: binding.target, ledger: null };
    }
    case 'block': {
      if (action !== 'adopt' && action !== 'take_out') break;
      const found = (await gate.unaccountedBlocks('all')).find(
        ({ target, block }) => target === binding.target && block.fingerprint === binding.fingerprint,
      );
      if (!found) throw changed();
      if (action === 'adopt') await gate.adoptBlock(found, edit);
      else await gate.takeOutBlock(found, edit);
      return { status: action === 'adopt' ? 'adopted' : 'taken out', target: binding.target, ledger: null };
    }
  }
  throw invalidInput("This can't be done here.", 'Reload the page.');
}

async function decideProposal(
  bearings: Rooms,
  { shown }: Binding & { type: 'proposal' },
  { edited, reason, until }: Act,
  said: Proof & { decision: 'accept' | 'decline' },
): Promise<Acted> {
  const editedContent = said.decision === 'accept' ? edited : undefined;
  const given = { ...said, editedContent, reason, until, via: 'page', client: null } as const;
  const decided = await (await bearings.gate()).decide(shown, null, given);
  return { status: decided.status.replace('_', ' '), target: decided.target, ledger: decided.ledger };
}

function changed(): BearingsError {
  return new BearingsError('conflict', 'This is no longer what was shown, or was never shown here.', {
    hint: 'Look at it again.',
  });
}
