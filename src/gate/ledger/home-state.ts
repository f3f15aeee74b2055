import type { ChainEntry, CheckedChain } from './chain.ts';
import type { ConfirmLevel, LedgerEntry } from './entry.ts';

/** Whose key signed an entry; null: nobody's that counts. */
export type Owner = 'yours' | 'earlier' | 'trusted' | 'retired' | null;

export const isPersons = (owner: string | null): boolean => owner === 'yours' || owner === 'earlier';

/** A folder that the person said a ledger belongs to. */
export interface Registration {
  about: string;
  place: string;
  /** The chain that the first decision is in. */
  chain: string;
  /** Names that the ledger had before. */
  was: ReadonlySet<string>;
  /** Chains that came with the folder and do not count. */
  except: ReadonlySet<string>;
}

interface EarlierKey {
  until: string;
  /** Hashes of the ends of all chains at that time. */
  sealed: ReadonlySet<string>;
  /** From 0; the keys of one time share it. */
  generation: number;
}

/** What the home's own chains say: which keys count, what may run, which folders are the person's. `isDisputed`: the key in the home is not one of these, and nobody can say whose record this is. */
export type HomeState = ReturnType<typeof homeState> & { isDisputed?: boolean };

interface Keys {
  /** Public keys in force: one, or one for each authenticator. None: the chains contradict each other. */
  keys: ReadonlySet<string>;
  level: ConfirmLevel;
  /** Keys that the person gave up: they count for what was on the chains by then. */
  earlier: ReadonlyMap<string, EarlierKey>;
  /** More than one key claims to be the first, or to come after the same one. */
  isForked: boolean;
}

// Pure, and from signed entries alone: which key comes after which, then what the keys that count have said.
export function homeState(read: readonly CheckedChain[], fingerprintOf: (publicKey: string) => string) {
  const chains = read.map((chain) => ({ ...chain, entries: signedForHome(chain.entries) }));
  const keys = keysIn(chains);
  const named = { ...keys, trusted: new Set<string>() };
  const counted = inOrder(
    chains.map((chain) => {
      const ownerOf = ownersIn(chain, named, fingerprintOf);
      return chain.entries.filter(({ entry }, index) => isPersons(ownerOf(entry, index)));
    }),
  );
  const trusted = new Set<string>();
  const registrations = new Map<string, Registration>();
  const settled = new Set<string>();
  for (const { entry } of counted) {
    const { decision, subject } = entry;
    if (decision === 'trust' && subject) trusted.add(subject);
    if (decision === 'untrust' && subject) trusted.delete(subject);
    if (decision === 'settle' && subject) settled.add(subject);
    // Trusting a key where it was met says whose folder that is, too.
    if (decision === 'workspace' || decision === 'trust') register(registrations, entry);
  }
  return {
    ...keys,
    /** Nothing was signed in this home yet. */
    isNew: read.every(({ entries }) => entries.length === 0),
    /** `trusted`: fingerprints. `settled`: ids of faults. `entries`: those that count, the oldest first. */
    ...{
      trusted: trusted as ReadonlySet<string>,
      registrations: [...registrations.values()] as readonly Registration[],
    },
    ...{ settled: settled as ReadonlySet<string>, entries: counted as readonly ChainEntry[] },
  };
}

// What was signed for another ledger ends a chain here, as it does there.
function signedForHome(entries: ChainEntry[]): ChainEntry[] {
  const other = entries.findIndex(({ entry }) => entry.ledger !== 'home');
  return other === -1 ? entries : entries.slice(0, other);
}

function register(known: Map<string, Registration>, { about, place, chain, was, subject, hashes }: LedgerEntry): void {
  if (!about || !place) return;
  if (!chain) {
    known.delete(`${about} ${place}`);
    return;
  }
  const before = known.get(`${about} ${place}`);
  const renamed = was ? [...known.values()].filter((each) => each.about === was) : [];
  // A folder that moved: one that is made in its old place begins from scratch.
  if (was && subject && subject !== place) known.delete(`${was} ${subject}`);
  known.set(`${about} ${place}`, {
    about,
    place,
    chain,
    was: new Set([...(before?.was ?? []), ...(was ? [was] : []), ...renamed.flatMap((each) => [...each.was])]),
    except: new Set(hashes ?? []),
  });
}

// A key hands over once. A copy of one that was given up could name another: then two come after it, and none counts.
function keysIn(chains: readonly CheckedChain[]): Keys {
  const none: Keys = { keys: new Set(), level: 'ask', earlier: new Map(), isForked: true };
  const all = chains.flatMap(({ entries }) => entries);
  const named = all.filter(({ entry }) => entry.decision === 'key' && entry.subject === entry.public_key);
  const roots = new Set(named.map(({ entry }) => entry.public_key));
  const handovers = all.filter(({ entry }) => entry.decision === 'level' && entry.subject && entry.to);
  const [root] = roots;
  if (root === undefined) return all.length === 0 ? { ...none, isForked: false } : none;
  if (roots.size > 1) return none;
  const earlier = new Map<string, EarlierKey>();
  let group = withAdded(all, root);
  let level: ConfirmLevel = 'ask';
  for (let generation = 0; ; generation += 1) {
    const leaving = handovers.filter(({ entry }) => group.has(entry.public_key) && !group.has(entry.subject ?? ''));
    const next = leaving[0]?.entry;
    if (next === undefined) return { keys: group, level, earlier, isForked: false };
    if (leaving.length > 1 || earlier.has(next.subject ?? '')) return none;
    // With its own word: that one could not name itself.
    const sealed = new Set([...(next.hashes ?? []), leaving[0]?.hash ?? '']);
    for (const key of group) earlier.set(key, { until: next.at, sealed, generation });
    group = withAdded(all, next.subject ?? '');
    level = next.to ?? level;
  }
}

/** A key with the authenticators that it, or one of them, added. A copy of a given-up one could add its successor and be back: such a word is none. */
function withAdded(all: readonly ChainEntry[], first: string): Set<string> {
  const claimed = reached(all, first, new Set());
  const successors = all.flatMap(({ entry: { decision, public_key, subject } }) =>
    decision === 'level' && claimed.has(public_key) && subject && subject !== public_key ? [subject] : [],
  );
  return reached(all, first, new Set(successors));
}

function reached(all: readonly ChainEntry[], first: string, except: ReadonlySet<string>): Set<string> {
  const group = new Set([first]);
  for (const key of group)
    for (const { entry } of all)
      if (entry.decision === 'key' && entry.public_key === key && entry.subject && !except.has(entry.subject))
        group.add(entry.subject);
  return group;
}

/** Whose key signed each entry of a chain. One that was given up counts up to what was sealed, or to where a later key of the person's goes on. */
export function ownersIn(
  { entries }: Pick<CheckedChain, 'entries'>,
  { keys, earlier, trusted }: Pick<HomeState, 'keys' | 'earlier' | 'trusted'>,
  fingerprintOf: (publicKey: string) => string,
): (entry: LedgerEntry, index: number) => Owner {
  const ageOf = (key: string) => (keys.has(key) ? earlier.size : (earlier.get(key)?.generation ?? -1));
  const sealedUpTo = (key: string): number =>
    entries.findLastIndex(
      ({ entry, hash }, index) =>
        earlier.get(key)?.sealed.has(hash) ||
        // A later key counts itself, by the same rule.
        (ageOf(entry.public_key) > ageOf(key) && ownerOf(entry, index) !== 'retired'),
    );
  const sealed = new Map<string, number>();
  const ownerOf = ({ public_key }: LedgerEntry, index: number): Owner => {
    if (keys.has(public_key)) return 'yours';
    if (trusted.has(fingerprintOf(public_key))) return 'trusted';
    if (!earlier.has(public_key)) return null;
    if (!sealed.has(public_key)) sealed.set(public_key, sealedUpTo(public_key));
    return index <= (sealed.get(public_key) ?? -1) ? 'earlier' : 'retired';
  };
  return ownerOf;
}

/** Entries of several chains by time, each chain in its own order whatever its clock said. */
export function inOrder<T extends { entry: { at: string } }>(chains: readonly (readonly T[])[]): T[] {
  const [only] = chains;
  if (only && chains.length === 1) return [...only];
  const timed = chains.flatMap((entries) => {
    let latest = '';
    return entries.map((item) => {
      latest = item.entry.at > latest ? item.entry.at : latest;
      return { item, at: latest };
    });
  });
  return timed.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)).map(({ item }) => item);
}
