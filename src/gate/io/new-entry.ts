import { basename } from 'node:path';
import { BearingsError } from '../../errors.ts';
import { sha256 } from '../../files/file-fingerprint.ts';
import type { CheckedChain } from '../ledger/chain.ts';
import type { DecisionRecord } from '../ledger/entry.ts';
import { ownersIn } from '../ledger/home-state.ts';
import { draftEntry, isDraft, type LedgerLine, nextSeed, type Signer, signedLine } from '../ledger/ledger.ts';
import { type LedgerFile, ledgerPaths } from './ledger-file.ts';
import { randomId, userName } from './marks.ts';
import { fingerprintOf } from './person-key.ts';
import { readHome } from './read-standing.ts';
import type { DecisionDomain, Settled } from './target-text.ts';
import { recover } from './target-writer.ts';

/** What every decision says of itself where nothing else is known. */
export const NOTHING_DECIDED = {
  decision: 'level',
  via: 'terminal',
  client: null,
  proposal_id: null,
  session_id: null,
  image_id: null,
  file: null,
  category: null,
  reason: null,
  content_sha256: null,
  edited: false,
  already_present: false,
} as const;

export type NewRecord = Omit<DecisionRecord, 'who' | 'level'>;

/** An entry after the last one of its chain, ready to be written; of a draft only its hash is taken. */
export function newEntry(domain: DecisionDomain, record: NewRecord, { signer }: { signer: Signer }): Settled {
  const isOwn = ownChainsOf(domain.at.home);
  const own = entryIn(domain.ledger, record, signer, isOwn);
  const { homeLedger } = domain;
  const first = homeLedger && registration(domain, signer, isOwn);
  const home =
    homeLedger && first ? entryIn(homeLedger, { ...NOTHING_DECIDED, ...first, at: record.at }, signer, isOwn) : null;
  if (own === null) return { ledger_line: '', texts: [], draft: true };
  return { ledger_line: own.line, texts: own.texts, ...(home && { home_line: home.line }) };
}

type IsOwn = (chain: CheckedChain) => boolean;

// What another key added, a copy of one that was given up among them, is not vouched for by signing after it.
function ownChainsOf(home: string): IsOwn {
  const own = { ...readHome(home).state, trusted: new Set<string>() };
  return (chain) => {
    const ownerOf = ownersIn(chain, own, fingerprintOf);
    return chain.entries.every(({ entry }, index) => ['you', 'you, earlier'].includes(ownerOf(entry, index) ?? ''));
  };
}

// Null: a draft.
function entryIn(ledger: LedgerFile, record: NewRecord, signer: Signer, isOwn?: IsOwn): LedgerLine | null {
  const { act } = signer;
  const whole = { ...record, ...(act && { at: act.at }), who: userName(), level: signer.level };
  const tools = { seed: act ? nextSeed(act, sha256) : randomId(32), sha256 };
  const end = ledger.end(isOwn);
  const chain = `${end.ledger} ${end.machine}`;
  // Within one act the next entry names the text before it: the signature covers both, so neither can name it.
  const head = act?.heads.get(chain) ?? end.head;
  const draft = draftEntry(whole, { ...end, head, key: signer }, tools);
  act?.heads.set(chain, { seq: head.seq + 1, hash: draft.hash });
  if (!isDraft(act)) return signedLine(draft, signer);
  act.hashes.push(draft.hash);
  return null;
}

// Of the first decision in a folder: whose it is from now on. What came with the folder counts once the person says so.
function registration({ at, ledger }: DecisionDomain, { act }: Signer, isOwn: IsOwn) {
  const { name: about, place, home, ledgerFolder } = at;
  if (readHome(home).state.registrations.some((known) => known.about === about && known.place === place)) return null;
  if (act?.registered.has(about)) return null;
  act?.registered.add(about);
  const { machine: chain } = ledger.end(isOwn);
  const hashes = ledgerPaths(ledgerFolder)
    .map((path) => basename(path, '.jsonl'))
    .filter((name) => name !== chain);
  return { decision: 'workspace' as const, about, place, chain, hashes };
}

// Under the lock, before anything is decided: what a crash left is ended, and nobody signs with a key that does not count.
export function beginDecision(domain: DecisionDomain, { signer, at }: { signer: Signer; at: string }): void {
  recover(domain);
  const { state } = readHome(domain.at.home);
  if (state.isNew && !signer.act) {
    // The first entry of a home names its key. It is the same key that signs what follows.
    const ledger = domain.homeLedger ?? domain.ledger;
    const line = entryIn(ledger, { ...NOTHING_DECIDED, decision: 'key', subject: signer.publicKey, at }, signer);
    if (line) ledger.append(line);
  } else if (!state.keys.has(signer.publicKey))
    throw new BearingsError('conflict', 'The key in the home is not the one that your decisions name.', {
      hint: 'See what is wrong: bearings verify. Restore key.json from a backup.',
    });
}
