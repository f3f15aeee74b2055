import { BearingsError, invalidInput, notFound, stale, systemFault } from '../errors.ts';
import type { AppContext, Settings } from '../settings/app-context.ts';
import { goneFrom, ledgersOf } from './domains/accounted-files.ts';
import { type Domains, homeWord } from './domains/domains.ts';
import type { LedgerLocation } from './io/ledger-file.ts';
import { saveMarks } from './io/marks.ts';
import { fingerprintOf, knownKey } from './io/person-key.ts';
import { checkedChains, homeLedger, readHome, readStanding } from './io/read-standing.ts';
import { ownKey, type Proof, signerFor } from './keys/confirm-level.ts';
import type { CheckedChain, Fault } from './ledger/chain.ts';
import { homeState, isPersons } from './ledger/home-state.ts';
import type { Signer } from './ledger/ledger.ts';
import type { EntryReport, StandingFile } from './standing/standing.ts';

export type Verification = Awaited<ReturnType<ReturnType<typeof verificationUseCases>['verify']>>;

export function verificationUseCases(app: AppContext, domains: Domains) {
  // Keys that signed decisions here and are neither the person's nor trusted. `who` is what their entries say; only the
  // fingerprint is proven.
  const unknownKeys = (settings: Settings) => {
    const home = readHome(settings.home);
    const all = ledgersOf(settings, 'all').flatMap((location) => {
      const { entries, label: ledger } = readStanding(location, home);
      return entries().map((entry) => ({ ...entry, ledger }));
    });
    const unknown = all.filter(({ status }) => status === 'foreign' || status === 'retired');
    const last = new Map(unknown.map((entry) => [entry.key, entry]));
    return [...last.values()].map(({ key: fingerprint, who, chain: machine, ledger, at }) => ({
      ...{ fingerprint, who, machine, ledger, last: at },
      decisions: unknown.filter(({ key }) => key === fingerprint).length,
    }));
  };

  return {
    // Every ledger there is: the home's, the tastes' and each workspace's, this machine's and those that came with a merge.
    async verify(settings: Settings, passphrase: string | null = null, expected: string | null = null) {
      await domains.settleAll(settings);
      const home = readHome(settings.home);
      // One that is gone or damaged proves nothing, and is a fault of the home like any other.
      const key = knownKey(settings.home, home.state.keys);
      const signer = key === null && home.decided.faults.length > 0 ? null : provenKey(settings, passphrase);
      const own = { ...home.decided, files: new Map<string, StandingFile>() };
      const gone = goneFrom(settings, home.state).map((fault) => ({
        ...{ label: fault.ledger, entries: () => [], faults: [fault], files: own.files },
      }));
      const read = [own, ...ledgersOf(settings, 'all').map((location) => readStanding(location, home)), ...gone];
      const isProven = signer !== null || key?.level === 'passkey';
      const proven = (
        entry: EntryReport,
      ): Omit<EntryReport, 'status'> & { status: EntryReport['status'] | 'unproven' } =>
        !isProven && isPersons(entry.status) ? { ...entry, status: 'unproven' } : entry;
      const ledgers = read.map(({ label, entries, faults, files }) => ({
        /** `home`, `tastes`, or the workspace. */
        ledger: label,
        entries: entries().map(proven),
        faults,
        /** Blocks that no decision covers, by file. They are the person's right, and not a fault. */
        unaccounted: [...files]
          .map(([file, { blocks }]) => ({ file, count: blocks.filter(({ origin }) => origin === null).length }))
          .filter(({ count }) => count > 0),
      }));
      const faults = ledgers.flatMap((each) => each.faults);
      /** Of a code that was given: how many decisions came since. Null: none was given. */
      const contained = expected === null ? null : { since: sinceCode(settings, expected) };
      // Of a state that lacks decisions a code would say that nothing is missing.
      const isWhole = faults.every(({ calm, kind }) => calm && kind !== 'chain_short');
      if (signer && !home.state.isNew && isWhole)
        await checkpoint(settings, signer).catch((error: unknown) => {
          // A home that can't be written keeps the code it had.
          if (systemFault(error) === null && !(error instanceof BearingsError && error.code === 'io_error'))
            throw error;
        });
      /** The code: what a person writes down. With it the state of this moment is recognised later. Null: none was made yet. */
      return { ledgers, faults, code: lastCode(settings), contained };
    },

    // For a runner, whose home knows nobody: memory of repositories as if these keys, and no others, were trusted.
    async verifyBy(settings: Settings, keys: readonly string[]) {
      const odd = keys.find((key) => !/^[0-9a-f]{64}$/.test(key));
      if (odd !== undefined)
        throw invalidInput(
          `"${odd.slice(0, 70)}" is no fingerprint of a key: it has 64 digits and letters from a to f.`,
          'Each of the team sees their own: bearings verify key',
        );
      const shared = ledgersOf(settings, 'all').filter(({ isWorkspace, scope }) => isWorkspace && scope !== null);
      return shared.map((location) => {
        const { name: about, place } = location;
        const [first] = checkedChains(location);
        const none = { was: new Set<string>(), except: new Set<string>() };
        const registrations = first ? [{ about, place, chain: first.name, ...none }] : [];
        const state = { ...homeState([], fingerprintOf), trusted: new Set(keys), registrations };
        const { label, faults, files } = readStanding(location, { state });
        const loose = [...files].flatMap(([file, { blocks }]) =>
          blocks.flatMap(({ origin, first_line: line }) => (origin === null ? [{ file, line }] : [])),
        );
        // What this home has seen before is nothing, and so no fault.
        return { ledger: label, faults: faults.filter(({ kind }) => kind !== 'mark_gone'), unaccounted: loose };
      });
    },

    unknownKeys,

    /** The one that `verify` printed last; null: none yet. */
    lastCode,

    // Only a key that was met in a ledger: what the person can see is what they can trust.
    async trustKey(settings: Settings, fingerprint: string, proof: Proof = {}) {
      const found = unknownKeys(settings).find((key) => key.fingerprint === fingerprint);
      if (!found)
        throw notFound('No ledger here holds a decision by such a key.', 'See which keys there are: bearings verify');
      const { registrations } = readHome(settings.home).state;
      const met = ledgersOf(settings, 'all').find(({ label, isWorkspace }) => isWorkspace && label === found.ledger);
      const known = registrations.find(({ about, place }) => about === met?.name && place === met.place);
      // Of a folder that is the person's already: the chains of this key, which came with it, count from now on.
      const entries = met ? readStanding(met, readHome(settings.home)).entries() : [];
      const own = new Set(entries.flatMap(({ key, chain }) => (key === fingerprint ? [chain] : [])));
      const hashes = [...(known?.except ?? [])].filter((name) => !own.has(name));
      const isNew = met !== undefined && hashes.length !== known?.except.size;
      const folder = isNew ? { about: met.name, place: met.place, chain: known?.chain ?? found.machine, hashes } : {};
      const signer = signerFor(settings, proof);
      await homeWord(app, domains, settings, { signer, decision: 'trust', subject: fingerprint, ...folder });
      if (isNew) noteEnds(met);
      return found;
    },

    async untrustKey(settings: Settings, fingerprint: string, proof: Proof = {}): Promise<void> {
      if (!readHome(settings.home).state.trusted.has(fingerprint))
        throw invalidInput('This key is not trusted.', 'See the keys of all ledgers: bearings verify');
      const signer = signerFor(settings, proof);
      await homeWord(app, domains, settings, { signer, decision: 'untrust', subject: fingerprint });
    },

    // The person has looked at it: a clone is theirs from here on, of anything else they know.
    async settleFault(settings: Settings, shown: Pick<Fault, 'id' | 'ledger'>, proof: Proof = {}): Promise<void> {
      const home = readHome(settings.home);
      const covering = ledgersOf(settings, 'all').find(({ label }) => label === shown.ledger);
      const location = covering ?? homeLedger(settings.home);
      const own = covering ? readStanding(covering, home) : home.decided;
      const faults = [...own.faults, ...goneFrom(settings, home.state)];
      const fault = faults.find(({ id }) => id === shown.id);
      if (!fault || UNSETTLED.has(fault.kind))
        throw stale('This is no longer there to be settled.', 'Look again: bearings verify');
      const signer = signerFor(settings, proof);
      const { name: about, place } = location;
      const theirs = { decision: 'workspace', about, place, chain: fault.chain ?? '', hashes: [] } as const;
      const word =
        fault.kind === 'clone' ? theirs : ({ decision: 'settle', subject: fault.id, about: fault.ledger } as const);
      await homeWord(app, domains, settings, { signer, ...word });
      noteEnds(location);
    },
  };

  // The ends of all chains, signed: whatever is put back together later does not hold them.
  async function checkpoint(settings: Settings, signer: Signer): Promise<void> {
    const hashes = ledgersOf(settings, 'all').flatMap((location) =>
      checkedChains(location).flatMap(({ name, head: { seq, hash } }) =>
        seq > 0 ? [`${location.name} ${name} ${seq} ${hash}`] : [],
      ),
    );
    const last = readHome(settings.home).state.entries.findLast(({ entry }) => entry.decision === 'checkpoint');
    const isSame = last && JSON.stringify(last.entry.hashes) === JSON.stringify(hashes);
    if (!isSame || last.entry.public_key !== signer.publicKey)
      await homeWord(app, domains, settings, { signer, decision: 'checkpoint', hashes });
  }
}

/** The person acts on these where they are: nothing is settled by looking away. */
const UNSETTLED: ReadonlySet<Fault['kind']> = new Set(['key_replaced', 'level_lowered', 'block_gone', 'foreign_key']);

/** What the person was shown is what this home knows from now on. */
function noteEnds(location: LedgerLocation): void {
  const ends = checkedChains(location).map(({ name, head }) => [name, head] as const);
  saveMarks(location.home, location.place, ends);
}

// A locked key is proven by its passphrase; what an authenticator signed needs no secret to be checked. Null: not proven.
function provenKey(settings: Settings, passphrase: string | null): Signer | null {
  const key = ownKey(settings);
  if (key.level === 'passkey') return null;
  const signer = passphrase === null || key.level === 'passphrase' ? key.unlock(passphrase) : null;
  if (signer) return key.inForce.has(signer.publicKey) || key.inForce.size === 0 ? signer : null;
  if (passphrase === null) return null;
  throw invalidInput(
    'The passphrase does not open the key in your home.',
    'Try again. If you are sure of it, the key was replaced: restore key.json from a backup.',
  );
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
const CODE_LETTERS = 26;

/** 128 bits of the hash of a line, five to a letter. */
function codeOf(hash: string): string {
  const digits = (BigInt(`0x${hash.slice(0, 32)}`) << 2n).toString(32).padStart(CODE_LETTERS, '0');
  return [...digits].map((digit) => LETTERS[Number.parseInt(digit, 32)]).join('');
}

function lastCode({ home }: Settings): string | null {
  const last = readHome(home).state.entries.findLast(({ entry }) => entry.decision === 'checkpoint');
  return last ? codeOf(last.hash) : null;
}

// A fingerprint names the key alone; a code names a state, and everything of it must still be there.
function sinceCode(settings: Settings, expected: string): number {
  const written = expected.replace(/[\s-]/g, '').toLowerCase();
  if (/^[0-9a-f]{64}$/.test(written)) {
    if (written === ownKey(settings).fingerprint) return 0;
    throw notExpected('the key in your home is not the one you expect');
  }
  if (!new RegExp(`^[${LETTERS}]{${CODE_LETTERS}}$`).test(written))
    throw invalidInput(
      '--expect takes the 26 letters that verify printed, or a whole fingerprint: 64 digits from 0 to f.',
      'See both: bearings verify',
    );
  const { entries } = readHome(settings.home).state;
  const at = entries.findIndex(({ entry, hash }) => entry.decision === 'checkpoint' && codeOf(hash) === written);
  const { entry } = entries[at] ?? {};
  if (!entry) throw notExpected('this home does not hold the state that you wrote down');
  const chains = new Map<string, CheckedChain>();
  for (const location of ledgersOf(settings, 'all'))
    for (const chain of checkedChains(location)) chains.set(`${location.name} ${chain.name}`, chain);
  let before = 0;
  for (const line of entry.hashes ?? []) {
    const [, chain = '', seq = '', hash = ''] = /^(.*) (\d+) ([0-9a-f]{64})$/.exec(line) ?? [];
    if (chains.get(chain)?.entries[Number(seq) - 1]?.hash !== hash)
      throw notExpected(`decisions of ${chain.replace(/^workspace /, '')} that were there are not`);
    before += Number(seq);
  }
  const now = [...chains.values()].reduce((sum, { head }) => sum + head.seq, 0);
  return now - before;
}

function notExpected(what: string): BearingsError {
  return new BearingsError('io_error', `Not what you expect: ${what}. It was put back, cut off or replaced.`, {
    hint: 'Do not trust what is here. Restore the home and the workspaces from a backup.',
  });
}
