import { conflict } from '../../errors.ts';
import { sha256 } from '../../files/file-fingerprint.ts';
import { type Lock, lockAt, nestedLock } from '../../files/lock.ts';
import { basename, join, realPath } from '../../files/paths.ts';
import { type FileLayer, realFiles } from '../../files/write-file.ts';
import type { AppContext, Settings } from '../../settings/app-context.ts';
import { assertStaysInside, type Workspace } from '../../settings/io/workspace-folders.ts';
import { type LedgerFile, ledgerFile, ledgerPaths } from '../io/ledger-file.ts';
import { earlierFolder, intentPath, isErasing, randomId, userName } from '../io/marks.ts';
import { type PendingFolder, pendingFolder } from '../io/pending-folder.ts';
import { fingerprintOf, type KeyFile, keyFile, saveKeyFile } from '../io/person-key.ts';
import { checkedChains, homeLedger, readHome, readStanding } from '../io/read-standing.ts';
import { type DecisionDomain, type Settled, targetIn } from '../io/target-text.ts';
import { hasIntent, recover, writeDecision } from '../io/target-writer.ts';
import { sessionsFolder } from '../io/transcript-reader.ts';
import type { CheckedChain } from '../ledger/chain.ts';
import type { DecisionRecord } from '../ledger/entry.ts';
import { isPersons, ownersIn } from '../ledger/home-state.ts';
import { DraftEnds, draftEntry, isDraft, nextSeed, type Signer, signedLine } from '../ledger/ledger.ts';
import type { Proposal } from '../proposals/proposal.ts';
import { type Standing, type StandingFile, standingOf } from '../standing/standing.ts';
import { type AccountedFile, ledgersOf, tastesLedger, workspaceLedger } from './accounted-files.ts';

/** A folder that decisions write to, with its lock and its ledger. */
export type Domain = ReturnType<Domains['home']>;

export type Domains = ReturnType<typeof openDomains>;

// Locks live as long as what was opened: callers in one process queue instead of polling.
export function openDomains(app: AppContext, files: FileLayer = realFiles) {
  const locks = new Map<string, Lock>();
  const lockOf = (path: string): Lock => {
    const lock = locks.get(path) ?? lockAt(path);
    locks.set(path, lock);
    return lock;
  };
  // Always the last that is taken. Erasing holds it for several folders at once.
  const homeLock = nestedLock(lockOf(join(app.home, 'ledger', '.lock')));
  const domain = (
    { home }: Settings,
    own: Pick<DecisionDomain, 'at' | 'folder'> & { ownLock: Lock },
    /** The workspace; null: the tastes, or the home. */
    image_id: string | null = null,
  ) => {
    const { at, folder, ownLock } = own;
    const isHome = at.name === 'home';
    const isKnown = () =>
      readHome(home).state.registrations.some(({ about, place }) => about === at.name && place === at.place);
    const firstLock: Lock = { run: (work) => ownLock.run(() => (isKnown() ? work() : homeLock.run(work))) };
    return {
      ...{ ...own, scope: at.scope, image_id, files },
      // The first decision in a folder is written to the home's chain too.
      // `ownLock`: without the home's, for whoever takes several and then that one.
      lock: isHome ? homeLock : firstLock,
      intentPath: intentPath(home, folder),
      earlier: earlierFolder(home, folder),
      ledger: ledgerFile(at, files),
      homeLedger: isHome ? null : ledgerFile(homeLedger(home), files),
    };
  };
  const notes = (settings: Settings, workspace: Workspace) => {
    const { id, folder } = workspace;
    const ownLock = lockInside(workspace, lockOf(join(folder, 'sessions', '.lock')));
    return domain(settings, { at: workspaceLedger(settings, workspace), folder, ownLock }, id);
  };
  const tastes = (settings: Settings) => {
    const folder = settings.tastesFolder;
    const ownLock = lockOf(join(folder, 'ledger', '.lock'));
    return domain(settings, { at: tastesLedger(settings), folder, ownLock });
  };
  /** Brings to an end what a dead process left; cheap where there is nothing. */
  const settle = async (own: DecisionDomain & { lock: Lock }): Promise<void> => {
    if (hasIntent(own) || isErasing(app.home)) await own.lock.run(() => recover(own));
  };
  /** Pending proposals of a workspace, or of the home where there is none. */
  const pendingOf = (settings: Settings, workspace: Workspace | null): PendingFolder => {
    const folder = sessionsFolder(settings, workspace?.folder ?? null);
    const takesBrief = settings.text('propose_brief') === 'on';
    const { id = null, scope = null } = workspace ?? {};
    return pendingFolder(folder, { imageId: id, scope, home: settings.home, takesBrief });
  };
  /** What belongs to no text: keys, allowances, answers to runs. */
  const home = (settings: Settings) =>
    domain(settings, { at: homeLedger(settings.home), folder: settings.home, ownLock: homeLock });
  const all = (settings: Settings) => [
    ...[home(settings), tastes(settings)],
    ...settings.workspaces().map((workspace) => notes(settings, workspace)),
  ];
  return {
    ...{ notes, tastes, home, all, pendingOf, settle },
    /** Of the home and of every workspace. */
    stores: (settings: Settings) => [null, ...settings.workspaces()].map((each) => pendingOf(settings, each)),
    of: (settings: Settings, proposal: Pick<Proposal, 'kind' | 'image_id'>) =>
      proposal.kind === 'taste'
        ? tastes(settings)
        : notes(settings, settings.workspace({ id: proposal.image_id ?? undefined })),
    async settleAll(settings: Settings): Promise<void> {
      for (const domain of all(settings)) await settle(domain);
    },
  };
}

// Whoever decides holds the lock: the one place to see that a cloned repository does not lead us out of it.
function lockInside(workspace: Workspace, lock: Lock): Lock {
  return {
    async run(work) {
      for (const name of ['sessions', 'ledger']) assertStaysInside(workspace, name);
      if (realPath(join(workspace.folder, 'sessions')) !== null) assertStaysInside(workspace, 'sessions/.lock');
      return lock.run(work);
    },
  };
}

/** Writes a word of the person's that belongs to no text: a key, an allowance, a folder. Answers with its signed line. */
export function homeWord(
  app: AppContext,
  domains: Domains,
  settings: Settings,
  { signer, next, ...said }: Partial<NewRecord> & Pick<NewRecord, 'decision'> & { signer: Signer; next?: KeyFile },
): Promise<{ at: string; line: string }> {
  const { home } = settings;
  const domain = domains.home(settings);
  return domain.lock.run(() => {
    const at = signer.act?.at ?? app.now().toISOString();
    beginDecision(domain, { signer, at });
    // How far each chain has come: what the earlier key signs later is not the person's any more.
    const ends = () => [homeLedger(home), ...ledgersOf(settings, 'all')].flatMap(checkedChains).map(({ head }) => head);
    const hashes = said.decision === 'level' ? ends().flatMap(({ seq, hash }) => (seq === 0 ? [] : [hash])) : null;
    const record = { ...NOTHING_DECIDED, ...said, ...(hashes && { hashes }), at };
    const entry = newEntry(domain, record, { signer });
    if (entry.draft) throw new DraftEnds();
    // The key that is to follow lies ready before it is named: a crash in between leaves one of the two, whole.
    const file = next && keyFile(home, readHome(home).state.keys);
    if (file) saveKeyFile(home, { ...file, next });
    writeDecision(targetIn(domain, 'home'), entry, { kind: 'record' });
    if (next) saveKeyFile(home, next);
    return { at, line: entry.ledger_line };
  });
}

// For whoever is about to write: read again, under the lock.

export function standingFor({ at }: Pick<AccountedFile, 'at'>): Standing {
  return readStanding(at, readHome(at.home));
}

export function standingFile(place: AccountedFile): StandingFile {
  const { files } = standingFor(place);
  return files.get(place.file) ?? standingOf('', [], sha256);
}

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
  const said = { ...NOTHING_DECIDED, ...first, at: record.at };
  const home = homeLedger && first ? entryIn(homeLedger, said, signer, isOwn) : null;
  if (own === null) return { ledger_line: '', texts: [], draft: true };
  return { ledger_line: own.line, texts: own.texts, ...(home && { home_line: home.line }) };
}

type IsOwn = (chain: CheckedChain) => boolean;

// What another key added, a copy of one that was given up among them, is not vouched for by signing after it.
function ownChainsOf(home: string): IsOwn {
  const own = { ...readHome(home).state, trusted: new Set<string>() };
  return (chain) => {
    const ownerOf = ownersIn(chain, own, fingerprintOf);
    return chain.entries.every(({ entry }, index) => isPersons(ownerOf(entry, index)));
  };
}

// Null: a draft.
function entryIn(ledger: LedgerFile, record: NewRecord, signer: Signer, isOwn?: IsOwn) {
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
    throw conflict('The key in the home is not the one that your decisions name.', 'See: bearings verify');
}
