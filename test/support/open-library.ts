import { createHash, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRooms, type Rooms } from '../../src/bearings.ts';
import type { FileLayer } from '../../src/files/write-file.ts';
import type { Proof } from '../../src/gate/keys/confirm-level.ts';
import { type ProposalInput, shownOf } from '../../src/gate/proposals/proposal.ts';
import type { Session } from '../../src/gate/sessions/sessions.ts';
import { canonicalLine } from '../../src/json.ts';

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The library on a person's folder, as any process of that person would open it. */
export function openLibrary(person: string, options: { cwd?: string; files?: FileLayer } = {}): Rooms {
  const variables = { HOME: person, BEARINGS_CACHE: join(person, 'cache') };
  return openRooms({ cwd: options.cwd ?? person, variables, ...(options.files ? { files: options.files } : {}) });
}

export async function proposed(bearings: Rooms, content: string, more: Partial<ProposalInput> & { id?: string } = {}) {
  const { id = 'manta', ...input } = more;
  const session = await (await bearings.sessions()).openSession({ id }, 'studio');
  const answer = await (await bearings.gate()).propose(session, { kind: 'notes', content, ...input });
  if (answer.status !== 'pending') throw new Error(answer.status);
  return answer.proposal_id;
}

/** The person's word, as `review` gives it after the key was pressed. */
export async function decided(
  bearings: Rooms,
  proposalId: string,
  decision: Proof & { decision?: 'accept' | 'decline'; editedContent?: string } = {},
) {
  const { proposal } = await (await bearings.gate()).showProposal(proposalId);
  return (await bearings.gate()).decide(shownOf(proposal), null, {
    decision: 'accept',
    via: 'review',
    client: null,
    ...decision,
  });
}

/** The person sees what a session proposed, leaves it undecided, and the session ends cleanly. */
export async function endedUndecided(bearings: Rooms, session: Session): Promise<string[]> {
  for (const { proposal_id, session_id } of await (await bearings.gate()).listProposals('all'))
    if (session_id === session.session_id) await (await bearings.gate()).markShown(proposal_id, 'review');
  return (await bearings.gate()).endSession(session);
}

export async function accepted(bearings: Rooms, content: string, passphrase?: string) {
  return decided(bearings, await proposed(bearings, content), passphrase === undefined ? {} : { passphrase });
}

export function ledgerPath(folder: string): string {
  const [name] = readdirSync(join(folder, 'ledger')).filter((file) => file.endsWith('.jsonl'));
  return join(folder, 'ledger', name ?? 'none');
}

export function ledgerLines(folder: string): string[] {
  return readFileSync(ledgerPath(folder), 'utf8').trimEnd().split('\n');
}

/** Somebody else's key, with everything that is on the disk at hand. */
export function forger() {
  const pair = generateKeyPairSync('ed25519');
  const private_key = pair.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  const public_key = pair.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  return withKey(JSON.stringify({ version: 1, public_key, private_key }));
}

/** Characters with a key file that is open. */
export function withKey(keyFile: string) {
  const { public_key, private_key } = JSON.parse(keyFile);
  const privateKey = createPrivateKey({ key: Buffer.from(private_key, 'base64'), format: 'der', type: 'pkcs8' });
  const key = createHash('sha256').update(Buffer.from(public_key, 'base64')).digest('hex');
  const signed = (text: string) => sign(null, Buffer.from(text), privateKey).toString('base64');
  return {
    keyFile,
    /** An entry like `line`, with other fields, that fits after `last`. */
    entry(line: string, fields: object, last: string | null): string {
      const { sig: _, ...like } = JSON.parse(line);
      const place = last === null ? { seq: 1, prev: '' } : { seq: JSON.parse(last).seq + 1, prev: sha256(last) };
      const entry = { ...like, ...place, key, public_key, ...fields };
      return canonicalLine({
        ...entry,
        sig: signed(canonicalLine(entry)),
      });
    },
  };
}
