import { z } from 'zod';
import type { Bearings } from '../../bearings.ts';
import { BearingsError, invalidInput } from '../../errors.ts';
import type { Visitor } from '../guard.ts';
import type { Act, Acted, Binding } from '../wire.ts';
import { erase, goBack } from './go-back.ts';
import { bindingHash } from './queue.ts';

const text = z.string();
const BINDING = z.discriminatedUnion('type', [
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
  action: z.enum(['accept', 'decline', 'revive', 'adopt', 'take_out', 'tidy', 'keep', 'trust', 'erase']),
  edited: text.optional(),
  reason: text.max(500).optional(),
  passphrase: text.max(1000).optional(),
});

// The person's word on one thing, bound to what this very browser was shown.
export async function act(bearings: Bearings, visitor: Visitor, body: unknown): Promise<Acted> {
  const parsed = ACT.safeParse(body);
  if (!parsed.success) throw invalidInput('This is no decision.', 'Load the page anew.');
  const said: Act = parsed.data;
  const hash = bindingHash(said.binding);
  if (!visitor.shown.has(hash)) throw changed();
  const acted = await decide(bearings, said);
  visitor.shown.delete(hash);
  return acted;
}

async function decide(bearings: Bearings, said: Act): Promise<Acted> {
  const { binding, action, passphrase } = said;
  const edit = { via: 'page', passphrase } as const;
  switch (binding.type) {
    case 'proposal':
      if (action === 'accept' || action === 'decline') return decideProposal(bearings, binding, said, action);
      break;
    case 'approve': {
      if (action !== 'accept' && action !== 'decline') break;
      const { edited, reason } = said;
      const answer = action === 'accept' && edited !== undefined ? 'edit' : action;
      await bearings.internal.answerRun(binding.run, {
        answer,
        shownSha256: binding.sha256,
        ...(answer === 'edit' && edited !== undefined ? { text: edited } : {}),
        ...(reason === undefined ? {} : { reason }),
        ...(passphrase === undefined ? {} : { passphrase }),
      });
      return { status: 'answered', target: `go on: bearings runs resume ${binding.run}`, ledger: null };
    }
    case 'aside': {
      if (action !== 'revive') break;
      const { proposal_id } = await bearings.internal.reviveProposal(binding.proposal_id);
      return { status: 'revived', target: proposal_id, ledger: null };
    }
    case 'first': {
      if (action !== 'adopt') break;
      const adopted = await bearings.internal.adoptShown('all', edit, binding.files);
      return { status: 'adopted', target: `${adopted} ${adopted === 1 ? 'block' : 'blocks'}`, ledger: null };
    }
    case 'earlier': {
      if (action !== 'accept') break;
      const done = await goBack(bearings, binding, passphrase);
      if (!done) throw changed();
      return done;
    }
    case 'erase': {
      if (action !== 'erase') break;
      const done = await erase(bearings, binding, passphrase);
      if (!done) throw changed();
      return done;
    }
    case 'key':
      if (action !== 'trust') break;
      await bearings.internal.trustKey(binding.fingerprint, passphrase);
      return { status: 'trusted', target: binding.fingerprint, ledger: null };
    case 'merged': {
      if (action !== 'tidy' && action !== 'keep') break;
      const found = (await bearings.internal.mergedFiles('all')).find(
        ({ target, before_sha256 }) => target === binding.target && before_sha256 === binding.before_sha256,
      );
      if (!found) throw changed();
      if (action === 'tidy') await bearings.internal.tidyFile(found, edit);
      else await bearings.internal.keepMerged(found, edit);
      return { status: action === 'tidy' ? 'tidied' : 'kept', target: binding.target, ledger: null };
    }
    case 'block': {
      if (action !== 'adopt' && action !== 'take_out') break;
      const found = (await bearings.gate.unaccountedBlocks('all')).find(
        ({ target, block }) => target === binding.target && block.fingerprint === binding.fingerprint,
      );
      if (!found) throw changed();
      if (action === 'adopt') await bearings.gate.adoptBlock(found, edit);
      else await bearings.gate.removeBlock(found, edit);
      return { status: action === 'adopt' ? 'adopted' : 'taken out', target: binding.target, ledger: null };
    }
  }
  throw invalidInput('This can not be done here.', 'Load the page anew.');
}

async function decideProposal(
  bearings: Bearings,
  { shown }: Binding & { type: 'proposal' },
  { edited, reason, passphrase }: Act,
  decision: 'accept' | 'decline',
): Promise<Acted> {
  const editedContent = decision === 'accept' ? edited : undefined;
  const verdict = { decision, editedContent, reason, via: 'page', client: null, passphrase } as const;
  const decided = await bearings.gate.decide(shown, null, verdict);
  return { status: decided.status.replace('_', ' '), target: decided.target, ledger: decided.ledger };
}

function changed(): BearingsError {
  return new BearingsError('conflict', 'This is no longer what was shown, or was never shown here.', {
    hint: 'Look at it again.',
  });
}
