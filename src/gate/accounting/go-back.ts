import { invalidInput, notFound, stale } from '../../errors.ts';
import { sha256 } from '../../files/file-fingerprint.ts';
import { shownName } from '../../safety/hidden-characters.ts';
import type { AppContext, Settings, TargetLike } from '../../settings/app-context.ts';
import { type AccountedFile, accountedFiles, ledgersOf, nameOf, tastesLedger } from '../domains/accounted-files.ts';
import { type Domains, standingFile, standingFor } from '../domains/domains.ts';
import { standings } from '../io/read-standing.ts';
import { currentText } from '../io/target-text.ts';
import { saidBy, targetOf } from '../proposals/proposal.ts';
import { recordedProposals } from '../sessions/sessions.ts';
import { accountsOf, NOT_IN_HOME, type SignedEntry } from '../standing/accounts.ts';
import {
  type Change,
  earlierText,
  type HistoryBlock,
  type HistoryEntry,
  historyOf,
  orderOf,
  standsIn,
} from '../standing/history.ts';
import { accountedFileNamed } from './blame.ts';
import { archived, changedSince, type HandEdit, ownEdits, storedBlock } from './hand-edits.ts';
import { faultWarning } from './unaccounted.ts';

/** Every decision on a file, the newest first. */
export type FileHistory = Awaited<ReturnType<ReturnType<typeof goBackUseCases>['history']>>;

/** An earlier text as it would be written. Nothing is written until the person has seen it and said yes. */
export type ShownEarlier = ReturnType<typeof shownEarlier>;

export type WentBack = Awaited<ReturnType<ReturnType<typeof goBackUseCases>['goBack']>>;

const SHORTEST_ID = 4;

// Nothing is final: every decision on a file, and the way back from each.
export function goBackUseCases(app: AppContext, domains: Domains) {
  const byHand = ownEdits(app, domains);

  return {
    /** Of `notes.md`, `brief.md` or `tastes/NAME.md`. */
    async history(settings: Settings, file: string, target: TargetLike = {}) {
      const place = accountedFileNamed(settings, file, target);
      await domains.settle(domains.of(settings, place));
      const decisions = historyOf(standingFile(place).decisions).reverse();
      const isDeclined = ({ decision }: HistoryEntry): boolean => decision === 'decline';
      const texts = decisions.some(isDeclined) ? declinedTexts(app, settings) : [];
      const withText = (entry: HistoryEntry): HistoryEntry & { declined?: string } => {
        const said = isDeclined(entry) && texts.find(({ proposal_id }) => proposal_id === entry.proposal_id);
        return said ? { ...entry, declined: said.content } : entry;
      };
      return {
        ...{ target: place.target, image_id: place.image_id, file: place.file, decisions: decisions.map(withText) },
        /** What is wrong with the record, and whose decisions in it do not count. */
        warnings: faultWarning(standingFor(place).faults),
      };
    },

    /** Without a name: the person's last decision that changed a text and is still in force. */
    async showUndo(settings: Settings, decision?: string): Promise<ShownEarlier> {
      await domains.settleAll(settings);
      const places = accountedFiles(settings, 'all', standingFor({ at: tastesLedger(settings) }));
      const all = places.flatMap((place) => {
        const history = historyOf(standingFile(place).decisions);
        return history.map((entry) => ({ place, history, entry }));
      });
      const wanted = decision === undefined ? null : named(all, decision);
      if (wanted && !wanted.entry.changed_text)
        throw invalidInput('This decision changed no text: there is nothing to undo.', SEE_HISTORY);
      const own = all.filter(({ entry }) => !entry.undone && entry.decision !== 'undo' && entry.signed_by === 'you');
      own.sort((a, b) => (a.entry.at < b.entry.at ? 1 : a.entry.at > b.entry.at ? -1 : b.entry.seq - a.entry.seq));
      for (const { place, history, entry } of wanted ? [wanted] : own) {
        const plan = entry.changed_text && undoPlan(place, history, entry);
        if (plan && plan.after !== (plan.before ?? '')) return plan;
      }
      if (!wanted) throw notFound('There is no decision to undo.', SEE_HISTORY);
      throw stale(`What this decision wrote is no longer in ${wanted.place.target}.`, SEE_HISTORY);
    },

    /** As it was after a decision; without one, with every block that was decided on and is gone. */
    async showRestore(settings: Settings, file: string, at?: string, target: TargetLike = {}): Promise<ShownEarlier> {
      const place = accountedFileNamed(settings, file, target);
      await domains.settle(domains.of(settings, place));
      const chains = standingFile(place).decisions;
      const history = historyOf(chains).map((entry) => ({ entry }));
      return restorePlan(place, chains, at === undefined ? null : named(history, at).entry);
    },

    // Only after the person has seen it: exactly this text in the place of exactly that one.
    async goBack(settings: Settings, shown: ShownEarlier, edit: HandEdit) {
      return byHand(settings, shown, edit, shown.after, ({ place, target, toStored, rewrite }) => {
        const chains = standingFile(place).decisions;
        const history = historyOf(chains);
        const entry = history.find((each) => each.decision_id === shown.decision_id) ?? null;
        const isUndo = shown.decision === 'undo';
        if (isUndo && !entry) throw changedSince(place);
        const plan = isUndo && entry ? undoPlan(place, history, entry) : restorePlan(place, chains, entry);
        const { decision, before, after, put_back, taken_out } = plan;
        if (before !== shown.before || after !== shown.after || after === (before ?? '')) throw changedSince(place);
        // What comes back into the notes leaves the archive. Taken out again, because an undo was itself undone, it returns,
        // but for lines that are part of what came back.
        const isAway = (block: HistoryBlock) => !standsIn(after, block, [], sha256);
        const archive = archived(place, entry?.decision === 'undo' ? textsOf(taken_out.filter(isAway)) : []);
        rewrite(before, after, {
          ...{ decision, subject: plan.decision_id },
          blocks: put_back.map((block) => storedBlock(block, toStored)),
          replaced: taken_out.map((block) => storedBlock(block)),
          archive: archive && { ...archive, drop: textsOf(put_back) },
        });
        /** Number of the entry in the ledger. */
        return { decision, target: place.target, ledger: target.ledger.end().head.seq };
      });
    },
  };
}

const SEE_HISTORY = 'See all decisions on a file: bearings history notes.md';

function undoPlan(place: AccountedFile, history: readonly HistoryEntry[], entry: HistoryEntry): ShownEarlier {
  const before = currentText(place);
  const after = earlierText(before ?? '', entry, { order: orderOf(history), sha256 });
  return shownEarlier(place, { decision: 'undo', entry, before, after, change: entry, wanted: entry.removed });
}

// Every later decision is taken back, the newest first; then what was decided on by then and is gone comes back.
function restorePlan(place: AccountedFile, chains: readonly (readonly SignedEntry[])[], entry: HistoryEntry | null) {
  const history = historyOf(chains);
  const order = orderOf(history);
  const before = currentText(place);
  const at = history.findIndex(({ decision_id }) => decision_id === entry?.decision_id);
  const since = entry === null ? [] : history.slice(at + 1);
  const later = since.filter(({ changed_text }) => changed_text);
  const keyOf = ({ machine, seq }: { machine: string; seq: number }) => `${machine} ${seq}`;
  const gone = new Set(since.map(keyOf));
  const then = chains.map((chain) => chain.filter((each) => !gone.has(keyOf(each.entry))));
  const { origins, texts } = accountsOf(then, sha256);
  const wanted = [...origins.keys()].map((fingerprint) => ({ fingerprint, text: texts.get(fingerprint) ?? null }));
  const steps: Change[] = [...later.reverse(), ...wanted.map((block) => ({ added: [], removed: [block] }))];
  const after = steps.reduce((text, step) => earlierText(text, step, { order, sha256 }), before ?? '');
  const change = { added: later.flatMap((each) => each.added), removed: later.flatMap((each) => each.removed) };
  const all = { added: [...change.added, ...change.removed], removed: [...change.removed, ...change.added, ...wanted] };
  return shownEarlier(place, { decision: 'restore', entry, before, after, change: all, wanted });
}

function shownEarlier(
  place: AccountedFile,
  /** `entry`: the decision that is taken back, or that the file goes back to; null: the last one. `before`: null where there is no file. */
  plan: { decision: 'undo' | 'restore'; before: string | null; after: string; entry: HistoryEntry | null } & {
    change: Change;
    wanted: readonly HistoryBlock[];
  },
) {
  const { decision, before, after, entry, change, wanted } = plan;
  const others = once([...change.added, ...change.removed]);
  const stood = (block: HistoryBlock) => standsIn(before ?? '', block, others, sha256);
  const stands = (block: HistoryBlock) => standsIn(after, block, others, sha256);
  return {
    ...nameOf(place),
    ...{ decision, decision_id: entry?.decision_id ?? null, before, after },
    put_back: once(change.removed).filter((block) => stands(block) && !stood(block)),
    taken_out: once(change.added).filter((block) => stood(block) && !stands(block)),
    /** Blocks that belong there and whose text is not stored. */
    not_kept: once(wanted).filter((block) => block.text === null && !stands(block)).length,
  };
}

function textsOf(blocks: readonly HistoryBlock[]): string[] {
  return blocks.flatMap(({ text }) => (text === null ? [] : [text]));
}

function once(blocks: readonly HistoryBlock[]): HistoryBlock[] {
  return [...new Map(blocks.map((block) => [block.fingerprint, block])).values()];
}

// By the first characters of its id, by its proposal, or by its number in the ledger.
function named<T extends { entry: HistoryEntry }>(decisions: readonly T[], name: string): T {
  const wanted = name.toLowerCase();
  const isLong = wanted.length >= SHORTEST_ID;
  const found = decisions.filter(
    ({ entry }) =>
      entry.proposal_id === name || String(entry.seq) === name || (isLong && entry.decision_id.startsWith(wanted)),
  );
  const [only] = found;
  const shown = shownName(name, 70);
  if (!only) throw notFound(`There is no decision "${shown}".`, SEE_HISTORY);
  if (found.length > 1) throw invalidInput(`"${shown}" names ${found.length} decisions.`, SEE_HISTORY);
  return only;
}

/** A text the person said no to, with what they said. */
export interface DeclinedText {
  at: string;
  reason: string | null;
  content: string;
  target: string;
  proposal_id: string;
}

/** All of them, from the ledgers: only what is signed counts. The words come from a transcript, by the hash that was signed. */
export function declinedTexts(app: AppContext, settings: Settings): DeclinedText[] {
  const { of } = standings(app);
  const declined = ledgersOf(settings, 'all').flatMap((location) =>
    of(location)
      .decisions.flat()
      .filter(
        ({ entry, said, owner }) =>
          entry.decision === 'decline' && said.content_sha256 !== null && owner !== NOT_IN_HOME,
      ),
  );
  if (declined.length === 0) return [];
  const keyOf = (hash: string | null, id: string | null) => `${hash} ${id}`;
  const recorded = recordedProposals(settings);
  const proposals = new Map(recorded.map((each) => [keyOf(sha256(each.content), each.proposal_id), each]));
  return declined.flatMap(({ entry, said }) => {
    const proposal = proposals.get(keyOf(said.content_sha256, entry.proposal_id));
    if (!proposal) return [];
    const { proposal_id } = proposal;
    return [{ proposal_id, at: entry.at, reason: said.reason, content: saidBy(proposal), target: targetOf(proposal) }];
  });
}
