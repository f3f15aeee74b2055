import { canonicalLine } from '../../json.ts';
import { type ChainEntry, type ChainText, type CheckedChain, checkChain, type Fault } from '../ledger/chain.ts';
import type { LedgerEntry, LedgerHead, Sha256 } from '../ledger/entry.ts';
import { type HomeState, homeState, inOrder, type Owner, ownersIn, type Registration } from '../ledger/home-state.ts';
import { fileOf, hashesOf, type TextLookup, textsOf } from '../ledger/ledger.ts';
import { ANY_LINE_END, fileBlocks } from '../ledger/text-blocks.ts';
import {
  type Accounts,
  accountBlock,
  accountsOf,
  NOT_IN_HOME,
  type Origin,
  type SignedEntry,
  type Watch,
} from './accounts.ts';

/** One ledger as it lies on the disk: everything in it may be anybody's work. */
export interface LedgerInput {
  /** As its entries name it: `home`, `tastes`, `workspace ID`. */
  name: string;
  /** As a person reads it. */
  label: string;
  /** The folder it is in, as a hash; the same for all work trees of a repository. */
  place: string;
  /** It may have come with a clone: it counts where the person's own chain says so. */
  isWorkspace: boolean;
  /** Another branch may hold more of it. */
  mayBeBranch: boolean;
  chains: readonly ChainText[];
  /** Files of chains beyond those that are read. */
  leftOut?: number;
  texts: TextLookup;
  /** Ends of chains that this home has seen, by name. Unsigned: they can only make a state more suspect. */
  marks: ReadonlyMap<string, LedgerHead>;
  /** Of the home: there are folders in it that only a decision makes, after its first entry. */
  wasUsed?: boolean;
}

export type Tools = Parameters<typeof checkChain>[1] & { fingerprintOf(publicKey: string): string };

export interface Decision extends SignedEntry {
  line: string;
}

/** One line of a chain, as `verify` lists it. */
export type EntryReport = ReturnType<typeof reportOf>;

type EntryStatus = Exclude<Owner, null> | 'foreign' | 'broken' | 'clone';

/** What the ledger alone says, before any file of memory is looked at. */
export type Decided = ReturnType<typeof decidedIn>;

/** A block of a file and the decision behind it; null: unaccounted. */
export interface StandingBlock {
  first_line: number;
  last_line: number;
  fingerprint: string;
  origin: Origin | null;
  /** Where a merge mixed the lines of several known blocks: the fingerprints of those. */
  made_of?: string[];
  text: string;
  watch?: Watch;
}

export type StandingFile = ReturnType<typeof standingOf>;

/** What the person decided, and what is wrong with the record of it. Everything that serves, lists, blames or enforces asks this. */
export interface Standing extends Decided {
  /** By these faults decisions that were made are not among those that count, until the person settles it. */
  cuts: Fault[];
  files: Map<string, StandingFile>;
}

/** Which keys count, what may run, which folders are the person's: from the home's chains. */
export function homeStanding(
  ledger: LedgerInput,
  keyOf: (inForce: ReadonlySet<string>) => KeyInHome | null,
  tools: Tools,
): { state: HomeState; decided: Decided & Pick<Standing, 'cuts'>; permits: Decision[] } {
  const checked = ledger.chains.map((chain) => checkChain(chain, tools));
  const read = homeState(checked, tools.fingerprintOf);
  const keyInHome = keyOf(read.keys);
  const replaced =
    read.isNew && ledger.wasUsed
      ? 'the record of your decisions is gone from the home: it was deleted'
      : whyReplaced(read, keyInHome);
  const state = { ...read, isDisputed: replaced !== null };
  const decided = decidedIn(ledger, checked, { ...state, registrations: [] }, tools);
  const tell = teller(ledger, tools.sha256, decided.faults);
  // A chain of one line is a home's first key: a crash may have left it without its mark.
  for (const { name, entries } of checked)
    if (entries.length > 1 && !ledger.marks.has(name)) tell('mark_gone', MARK_GONE, { chain: name });
  if (replaced !== null) tell('key_replaced', replaced);
  else if (keyInHome && RANK[keyInHome.level] < RANK[state.level])
    tell('level_lowered', `the level was lowered from ${state.level} without your word`);
  const faults = unsettled(decided.faults, state);
  return { state, decided: { ...decided, faults, cuts: cutsIn(faults, ledger) }, permits: permitsIn(decided, faults) };
}

// What the person lets run. Where the record does not add up, the word that took it back may be what is gone: nothing may,
// and once that is settled the person allows it again.
function permitsIn({ decisions }: Decided, faults: readonly Fault[]): Decision[] {
  const said = inOrder(decisions);
  const settled = said.findLastIndex(({ entry }) => entry.decision === 'settle' && entry.about === 'home');
  return faults.length > 0 ? [] : said.filter(({ entry }, at) => at > settled || entry.decision !== 'allow');
}

/** The key file, as far as it can be compared with what the chains say. */
export interface KeyInHome {
  publicKey: string;
  fingerprint: string;
  level: HomeState['level'];
}

const MARK_GONE = 'what this home knew of its end is gone: it may have been cut off';

function whyReplaced({ isForked, isNew, keys }: HomeState, key: KeyInHome | null): string | null {
  if (isForked) return 'the record of your keys was replaced: two of them claim to be yours, and none counts';
  if (!key) return isNew ? null : 'the key that signed your decisions is gone from the home, or damaged (key.json)';
  if (isNew) return key.level === 'ask' ? null : 'the record that says how your key came to its level is gone';
  return keys.has(key.publicKey)
    ? null
    : `the key in your home (${key.fingerprint}) is not the one that your decisions name: it was replaced`;
}

const RANK = { ask: 0, passphrase: 1, passkey: 2 } as const;

/** Of a ledger and the files it covers. Pure: the same state gives the same blocks and the same faults to every face. */
export function standing(
  ledger: LedgerInput,
  home: HomeState,
  /** The files that it covers: an empty text where there is none, null of one that is not scanned. */
  files: { names: readonly string[]; textOf(file: string): string | null },
  tools: Tools,
): Standing {
  const decided = decidedIn(
    ledger,
    ledger.chains.map((chain) => checkChain(chain, tools)),
    home,
    tools,
  );
  const tell = teller(ledger, tools.sha256, decided.faults);
  const about = byFile(decided.decisions);
  const found = new Map<string, StandingFile>();
  for (const file of new Set([...files.names, ...about.keys()])) {
    const text = files.textOf(file);
    const its = standingOf(text, about.get(file) ?? [], tools.sha256);
    const { gone } = its;
    found.set(file, its);
    const count = gone.length === 1 ? 'an accepted block' : `${gone.length} accepted blocks`;
    const problem = `${count} of ${file} can't be found there any more: bearings review`;
    if (gone.length > 0) tell('block_gone', problem, { state: canonicalLine([...gone].sort()) });
    // Else a file would only have to grow for its decisions to be forgotten in silence.
    if (text === null && its.accounts.origins.size > 0)
      tell('block_gone', `${file} is too long to be compared with what was decided in it: make it shorter`);
  }
  const faults = unsettled(decided.faults, home);
  return { ...decided, faults, cuts: cutsIn(faults, ledger), files: found };
}

/** One file with what was decided on it. Null: it is too long to be compared, so nobody knows which blocks are there. */
export function standingOf(text: string | null, decisions: Decision[][], sha256: Sha256) {
  const accounts = accountsOf(decisions, sha256);
  const blocks = text === null ? [NOT_SCANNED] : blocksWith(text, accounts, sha256);
  /** Fingerprints of blocks that were decided on and are nowhere in the file. */
  const isMerged = decisions.filter((chain) => chain.length > 0).length > 1;
  const gone = text === null ? [] : goneFrom(blocks, accounts, isMerged);
  return { blocks, gone, isCompared: text !== null, decisions, accounts };
}

function byFile(chains: readonly Decision[][]): Map<string, Decision[][]> {
  const files = new Map<string, Decision[][]>();
  for (const [at, decisions] of chains.entries())
    for (const decision of decisions) {
      const file = fileOf(decision.entry);
      if (file === null) continue;
      const own = files.get(file) ?? chains.map((): Decision[] => []);
      own[at]?.push(decision);
      files.set(file, own);
    }
  return files;
}

/** Ledgers that the home's chain names and that are nowhere: a workspace that the person removed is not named any more. */
export function goneLedgers(home: HomeState, isGone: (one: Registration) => boolean, sha256: Sha256): Fault[] {
  const faults: Fault[] = [];
  for (const { about, place } of home.registrations.filter(isGone)) {
    const label = about.replace(/^workspace /, '').replace(/ [0-9a-f]{16}$/, '');
    const tell = teller({ label, mayBeBranch: false }, sha256, faults);
    if (about === 'tastes')
      tell('ledger_gone', 'decisions were made in another folder than the one that the settings name', {
        state: place,
      });
    else tell('workspace_gone', 'decisions were made in it, and its folder is not here any more', { state: place });
  }
  return unsettled(faults, home);
}

/** A file that is too large, or has too many blocks: the whole of it is unaccounted. */
const NOT_SCANNED: StandingBlock = { first_line: 1, last_line: 1, fingerprint: '', origin: null, text: '' };

function unsettled(faults: readonly Fault[], { settled }: HomeState): Fault[] {
  return faults.filter(({ id, kind }) => !settled.has(id) || ALWAYS_TOLD.has(kind));
}

const CUTS = new Set<Fault['kind']>([
  'ledger_gone',
  'mark_gone',
  'chain_short',
  'unreadable',
  'key_replaced',
  'left_out',
]);

/** A line that is too much, after all that this home has seen, takes nothing away. */
function cutsIn(faults: readonly Fault[], { marks }: LedgerInput): Fault[] {
  const seen = (chain: string | null) => marks.get(chain ?? '')?.seq ?? 0;
  return faults.filter(({ kind, chain, entry }) => CUTS.has(kind) || (entry !== null && entry <= seen(chain)));
}

/** Whatever was settled before: a mark is written again when its absence is settled, so that it is gone once more. */
const ALWAYS_TOLD: ReadonlySet<Fault['kind']> = new Set(['key_replaced', 'level_lowered', 'mark_gone']);

// What of a ledger counts: each chain up to its last good entry, by keys that count, in a folder that is the person's.
function decidedIn(ledger: LedgerInput, chains: readonly CheckedChain[], home: HomeState, tools: Tools) {
  const faults: Fault[] = [];
  const tell = teller(ledger, tools.sha256, faults);
  const place = home.registrations.find(({ about, place }) => about === ledger.name && place === ledger.place) ?? null;
  const names = new Set([ledger.name, ...(place?.was ?? [])]);
  const reports: (() => EntryReport[])[] = [];
  const counting: { chain: string; decisions: Omit<Decision, 'said'>[] }[] = [];
  for (const chain of chains) {
    // A first line that a crash left half written was never believed, and the next one takes its place.
    const isNothing = chain.broken?.kind === 'torn' && chain.lines === 0 && !ledger.marks.has(chain.name);
    if (chain.broken && !isNothing) {
      const { kind, entry, problem } = chain.broken;
      tell(kind, problem, { chain: chain.name, entry, state: chain.head.hash });
    }
    const foreignTo = chain.entries.findIndex(({ entry }) => !names.has(entry.ledger));
    if (foreignTo !== -1)
      tell('copied', 'it is a decision on something else, copied here', { chain: chain.name, entry: foreignTo + 1 });
    const isClone = ledger.isWorkspace && (place === null || place.except.has(chain.name));
    const ownerOf = ownersIn(chain, home, tools.fingerprintOf);
    const own = foreignTo === -1 ? chain.entries : chain.entries.slice(0, foreignTo);
    const fits = own.map((each, index) => ({ ...each, owner: ownerOf(each.entry, index) }));
    const counted = fits.flatMap(({ entry, line, hash, owner }): Omit<Decision, 'said'>[] => {
      if (owner === null || owner === 'retired') return [];
      const known = owner === 'trusted' ? 'a key you trust' : 'you';
      return [{ entry, owner: home.isDisputed ? NOT_IN_HOME : known, line, hash }];
    });
    tellOwners(tell, chain.name, fits, home);
    const came = `${decisionCount(counted.length)} came with this folder: yours once you say so in bearings review`;
    if (isClone && counted.length > 0) tell('clone', came, { chain: chain.name, state: chain.entries[0]?.hash });
    if (!isClone) counting.push({ chain: chain.name, decisions: counted });
    // Asked for by `verify` alone: a clone may bring a hundred thousand lines.
    reports.push(() =>
      Array.from({ length: chain.lines }, (_, index) => {
        const { entry = { seq: index + 1 } } = chain.entries[index] ?? {};
        const fit = fits[index];
        return reportOf(chain.name, entry, fit ? statusOf(fit.owner, isClone) : 'broken');
      }),
    );
  }
  const { leftOut: unread = 0 } = ledger;
  const beyond = `${unread === 1 ? 'a file of it is' : `${unread} files of it are`} not read: there are too many in its folder ledger`;
  if (unread > 0) tell('left_out', beyond);
  tellMarks(tell, ledger, withCheckpoints(ledger, home), { chains, place });
  const erasures = counting.flatMap((each) => each.decisions).filter(({ entry }) => entry.decision === 'erase');
  const erased = new Set(erasures.flatMap(({ entry }) => entry.hashes ?? []));
  // What was erased covers nothing any more, also where an older checkout brought its record back.
  const back = [...erased].filter((hash) => ledger.texts.has(hash));
  const texts = back.length === 0 ? ledger.texts : new Map([...ledger.texts].filter(([hash]) => !erased.has(hash)));
  if (back.length > 0)
    tell('erased_back', 'a text that was erased is next to the chain again: bearings erase', {
      state: back.sort().join(),
    });
  for (const { chain, decisions } of counting)
    for (const { entry } of decisions) {
      const missing = hashesOf(entry).filter((hash) => !texts.has(hash) && !erased.has(hash)).length;
      if (missing === 0) continue;
      const what = missing === 1 ? 'a text' : `${missing} texts`;
      tell('text_missing', `${what} of it can't be found next to the chain`, { chain, entry: entry.seq });
    }
  const decisions = counting.map((each) =>
    each.decisions.map((decision): Decision => ({ ...decision, said: textsOf(decision.entry, texts) })),
  );
  const isSound = ({ name }: CheckedChain) =>
    counting.some(({ chain, decisions }) => chain === name && decisions.length > 0) &&
    !faults.some(({ chain }) => chain === name);
  return {
    // One list for each chain: what the person, and those they trust, decided.
    ...{ label: ledger.label, decisions, faults },
    /** The home knows of decisions here. */
    isKnown: place !== null || ledger.marks.size > 0,
    entries: () => reports.flatMap((report) => report()),
    // Of chains that count and have no fault: from now on this home knows them.
    ends: new Map(chains.filter(isSound).map(({ name, head }) => [name, head])),
  };
}

function statusOf(owner: Owner, isClone: boolean): EntryStatus {
  if (owner === null) return 'foreign';
  return isClone && owner !== 'retired' ? 'clone' : owner;
}

// Of a line that is no entry only its number is known.
function reportOf(chain: string, entry: Partial<LedgerEntry> & Pick<LedgerEntry, 'seq'>, status: EntryStatus) {
  const text = (name: 'at' | 'decision' | 'level' | 'key' | 'who'): string => String(entry[name] ?? '');
  const file = fileOf({ file: entry.file ?? null });
  return {
    ...{ chain, seq: entry.seq, status, file: typeof file === 'string' ? file : null, key: text('key') },
    ...{ who: text('who'), at: text('at'), decision: text('decision'), level: text('level') },
    /** Of `erase`: how many records next to the chain went. */
    ...(entry.decision === 'erase' && { erased: entry.hashes?.length ?? 0 }),
  };
}

type Tell = ReturnType<typeof teller>;

const CALM: ReadonlySet<Fault['kind']> = new Set(['clone', 'workspace_gone']);

function teller({ label, mayBeBranch }: Pick<LedgerInput, 'label' | 'mayBeBranch'>, sha256: Sha256, faults: Fault[]) {
  /** Where it is, and what a later state of the same fault differs by. */
  type About = { chain?: string | null; entry?: number | null; state?: string | undefined };
  return (kind: Fault['kind'], problem: string, { chain = null, entry = null, state = '' }: About = {}): void => {
    const id = sha256(canonicalLine({ kind, label, chain, entry, problem, state })).slice(0, 16);
    const calm = CALM.has(kind) || (kind === 'chain_short' && mayBeBranch);
    const message = entry === null ? problem : `entry ${entry}: ${problem}`;
    faults.push({ kind, ledger: label, chain, entry, message, id, ...(calm && { calm: true as const }) });
  };
}

// A cloned ledger may hold thousands of entries by one key: one fault tells it.
function tellOwners(tell: Tell, chain: string, entries: readonly (ChainEntry & { owner: Owner })[], home: HomeState) {
  const unknown = new Map<string, number>();
  for (const { entry, owner } of entries) if (owner === null) unknown.set(entry.key, (unknown.get(entry.key) ?? 0) + 1);
  for (const [key, count] of unknown)
    tell('foreign_key', `${decisionCount(count)} by a key you do not know (${key})`, { chain });
  for (const { entry, owner } of entries) {
    if (owner !== 'retired') continue;
    const until = home.earlier.get(entry.public_key)?.until.slice(0, 10);
    const problem = `it is signed by the key you gave up on ${until}, and was not there then`;
    tell('retired_key', problem, { chain, entry: entry.seq });
  }
}

function decisionCount(count: number): string {
  return count === 1 ? 'a decision' : `${count} decisions`;
}

// What the person signed of the ends of chains is a mark that nobody can take back.
function withCheckpoints({ name, marks }: LedgerInput, { entries }: HomeState): Map<string, LedgerHead> {
  const all = new Map(marks);
  for (const line of entries.flatMap(({ entry }) => (entry.decision === 'checkpoint' ? (entry.hashes ?? []) : []))) {
    const [, ledger, chain = '', seq, hash = ''] = /^(.*) (\S+) (\d+) ([0-9a-f]{64})$/.exec(line) ?? [];
    if (ledger === name && Number(seq) > (all.get(chain)?.seq ?? 0)) all.set(chain, { seq: Number(seq), hash });
  }
  return all;
}

function tellMarks(
  tell: Tell,
  ledger: LedgerInput,
  known: ReadonlyMap<string, LedgerHead>,
  { chains, place }: { chains: readonly CheckedChain[]; place: Registration | null },
): void {
  const byName = new Map(chains.map((chain) => [chain.name, chain]));
  for (const [name, mark] of known) {
    const chain = byName.get(name);
    const there = chain?.entries[mark.seq - 1];
    if (there?.hash === mark.hash || (chain?.broken && chain.entries.length < mark.seq)) continue;
    const state = mark.hash;
    const replaced = 'this is not the entry that this home has seen here: the ledger was replaced';
    if (there) tell('chain_replaced', replaced, { chain: name, entry: mark.seq, state });
    else {
      const missing = mark.seq - (chain?.entries.length ?? 0);
      const short = ledger.mayBeBranch
        ? `${decisionCount(missing)} of ${name} ${missing === 1 ? 'is' : 'are'} not in this checkout: another branch, or cut off`
        : `the chain ${name} ends at entry ${mark.seq - missing}, but entry ${mark.seq} was written: its end is cut off`;
      tell('chain_short', short, { chain: name, state });
    }
  }
  // A checkpoint does not stand in for the mark: decisions since then would go in silence.
  if (place === null || ledger.marks.has(place.chain)) return;
  const about = { chain: place.chain };
  if (byName.has(place.chain)) tell('mark_gone', MARK_GONE, about);
  else tell('ledger_gone', 'decisions were made here, and the ledger is gone', about);
}

/** Fingerprints of blocks that were decided on and that a change takes out of their place. */
export function movedBy(before: string, after: string, accounts: Accounts, sha256: Sha256): Set<string> {
  const displacedIn = (text: string) => {
    const blocks = blocksWith(text, accounts, sha256).filter(({ origin }) => origin === null);
    return blocks.map(({ fingerprint }) => fingerprint).filter((print) => accounts.origins.has(print));
  };
  const known = new Set(displacedIn(before));
  return new Set(displacedIn(after).filter((print) => !known.has(print)));
}

/** Every block of a text, with the decision behind it: on what it says and, as far as it is known, on where it stands. */
function blocksWith(text: string, accounts: Accounts, sha256: Sha256): StandingBlock[] {
  const blocks = fileBlocks(text).flatMap(({ firstLine, lines }) => {
    const { parts, mixed } = accountBlock({ lines }, accounts, sha256);
    return parts.map(({ fingerprint, from, to, origin, text }) => {
      const place = { first_line: firstLine + from, last_line: firstLine + to - 1 };
      const block: StandingBlock = { ...place, fingerprint, origin, text };
      if (mixed) block.made_of = mixed.map((shape) => shape.fingerprint);
      return block;
    });
  });
  for (const block of accounts.displacedAmong(blocks)) block.origin = null;
  for (const block of blocks) {
    const watch = block.origin === null ? undefined : accounts.watched.get(block.fingerprint);
    if (watch) block.watch = watch;
  }
  return blocks;
}

// Not there as a block of its own. Where branches were merged, git kept lines that both had only once: what is in other
// blocks that were decided on is no loss. A block of which only the fingerprint is known can't be told apart from such lines.
function goneFrom(blocks: readonly StandingBlock[], { origins, texts }: Accounts, isMerged: boolean): string[] {
  const seen = new Set(blocks.flatMap(({ fingerprint, made_of = [] }) => [fingerprint, ...made_of]));
  const missing = [...origins.keys()].filter((block) => !seen.has(block) && texts.has(block));
  if (!isMerged || missing.length === 0) return missing;
  const known = blocks.filter(({ origin, made_of }) => origin !== null || made_of !== undefined);
  const lines = new Set(known.flatMap(({ text }) => linesIn(text)));
  return missing.filter((block) => linesIn(texts.get(block) ?? '').some((line) => !lines.has(line)));
}

function linesIn(text: string): string[] {
  return text.split(ANY_LINE_END).map((line) => line.trim());
}
