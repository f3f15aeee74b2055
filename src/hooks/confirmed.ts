import { join } from '../files/paths.ts';
import { readText } from '../files/read-file.ts';
import { cameWithClone, faultWarning } from '../gate/accounting/unaccounted.ts';
import { goneFrom, servedFiles } from '../gate/domains/accounted-files.ts';
import { standings } from '../gate/io/read-standing.ts';
import { NOT_IN_HOME, type Origin } from '../gate/standing/accounts.ts';
import { BRIEF, parseBrief } from '../memory/brief-and-notes.ts';
import { type Rule, rulesIn } from '../memory/rules.ts';
import type { AppContext, Settings } from '../settings/app-context.ts';
import type { Workspace } from '../settings/io/workspace-folders.ts';
import type { NoteText } from './relevant-notes.ts';

/** A block of notes or of a taste with a signed decision behind it. */
export interface Confirmed extends NoteText {
  fingerprint: string;
  /** `notes` or `tastes/NAME`. */
  from: string;
  /** When the person, or somebody whose key they trust, said yes. */
  at: string;
  by: Origin['signed_by'];
}

export interface SignedRule extends Rule {
  from: string;
  /** Null: the record of it is gone. */
  at: string | null;
  by?: Origin['signed_by'];
}

/** What the one truth says of notes and tastes: nothing that lacks a signature of this home, or of a key it trusts, is here. */
export function confirmedIn(
  app: AppContext,
  settings: Settings,
  workspace: Workspace | null,
  from = app.cwd,
): { blocks: Confirmed[]; rules(): SignedRule[]; missing(): string[]; faults(): string[] } {
  const { home, of } = standings(app);
  const { decided, state } = home();
  const brief = workspace && readText(join(workspace.folder, BRIEF), workspace.scope);
  const genres = brief?.status === 'ok' ? parseBrief(brief.value.text).brief.tastes : [];
  // The brief says what the work is about: no rule, and no note.
  const places = servedFiles(settings, workspace, genres).filter(
    ({ file, kind }) => kind === 'taste' || file !== BRIEF,
  );
  const blocks: Confirmed[] = [];
  const cut = new Set(decided.cuts);
  const told = new Set(decided.faults);
  const gone: (Omit<SignedRule, keyof Rule> & { text: string })[] = [];
  for (const place of places) {
    const from = place.kind === 'taste' ? place.target.slice(0, -'.md'.length) : 'notes';
    const { files, cuts, faults, isKnown } = of(place.at);
    for (const fault of faults) told.add(fault);
    const isOwn = isKnown || !cameWithClone(settings, place);
    const isLost = isOwn && cuts.length + decided.cuts.length > 0;
    for (const fault of isOwn ? cuts : []) cut.add(fault);
    const file = files.get(place.file);
    for (const { fingerprint, origin, text, watch } of file?.blocks ?? []) {
      // What is of a key that nobody knows is nobody's word to an agent.
      const decision = origin?.signed_by === NOT_IN_HOME ? null : origin;
      // Where decisions are missing, this may be one of them.
      if (decision === null && isLost) gone.push({ text, from, at: null });
      // Decided on, and no longer where it was put.
      const moved = origin === null ? file?.accounts.origins.get(fingerprint) : undefined;
      if (moved) gone.push({ text: file?.accounts.texts.get(fingerprint) ?? text, from, at: moved.at });
      if (decision === null || text === '') continue;
      // White space is no part of a decision, but makes a line a list item or the end of a sentence: what holds is as it was signed.
      const signed = file?.accounts.texts.get(fingerprint) ?? text;
      const cited = (watch?.anchors ?? []).map(({ path }) => path).filter((path) => path.includes('/'));
      const paths = [...new Set([...(watch?.paths ?? []), ...cited])];
      blocks.push({ fingerprint, text: signed, from, at: decision.at, by: decision.signed_by, paths });
    }
    if (!file) continue;
    const { origins, texts } = file.accounts;
    // Of what a merge mixed nobody can say how it reads now.
    const mixed = file.blocks.flatMap(({ made_of = [] }) => made_of);
    for (const print of file.isCompared ? [...file.gone, ...mixed] : origins.keys())
      gone.push({ text: texts.get(print) ?? '', from, at: origins.get(print)?.at ?? null });
  }
  const rulesOf = ({ text, ...of }: Omit<SignedRule, keyof Rule> & { text: string }) =>
    rulesIn(text).map((rule): SignedRule => ({ ...rule, from: of.from, at: of.at, by: of.by }));
  return {
    blocks,
    /** By what decisions are missing, and rules may be: another branch is no such thing. */
    missing: () => faultWarning([...[...cut].filter(({ calm }) => !calm), ...goneFrom(settings, state, from)]),
    /** What \`read\` tells of the record: whoever gets a note of it hears that too. */
    faults: () => faultWarning([...told, ...goneFrom(settings, state, from)]),
    rules: () => [
      ...blocks.flatMap(rulesOf),
      // A rule that was taken out past the gate, itself or its decision, still asks, until the person has settled it.
      ...gone.flatMap(rulesOf).map((rule) => ({ ...rule, decision: 'ask' as const })),
    ],
  };
}
