import { codePointLength } from '../../code-points.ts';
import { invalidInput } from '../../errors.ts';
import { isRecord, type JsonRecord } from '../../json.ts';
import { BRIEF } from '../../memory/brief-and-notes.ts';
import {
  describeCodePoint,
  findHiddenCharacter,
  whyNotId,
  whyNotPath,
  whyNotTasteName,
} from '../../safety/hidden-characters.ts';
import { findCertainSecret } from '../../safety/secrets.ts';
import type { Sha256 } from '../ledger/entry.ts';
import { normalised } from '../ledger/text-blocks.ts';

export const CATEGORIES = ['appearance', 'process', 'value'] as const;
type Category = (typeof CATEGORIES)[number];

const MAX_CONTENT_CHARS = 20_000;
const MAX_REASON_CHARS = 500;

/** The client of what a person imports: one group, however many. */
export const IMPORT_CLIENT = 'import';

/** A change that waits for the person. Written once, never changed, gone when decided. */
export interface Proposal {
  version: 1;
  proposal_id: string;
  kind: 'taste' | 'notes';
  /** Null: a taste proposed outside of any workspace. */
  image_id: string | null;
  /** `notes.md` or `brief.md`, or a file of the tastes folder. */
  file: string;
  content: string;
  content_sha256: string;
  category: Category | null;
  reason: string | null;
  /** The exact block that the content takes the place of; without content: one that no longer holds. */
  replaces: string | null;
  session_id: string;
  client: string;
  created_at: string;
  /** A date to look at it again, as proposed; the person may choose another. */
  until?: string | undefined;
  /** An earlier one of the same session that this one takes the place of. */
  supersedes?: string | undefined;
  /** Paths and globs of the files it belongs to. */
  paths?: readonly string[] | undefined;
}

export interface ProposalInput {
  kind: Proposal['kind'];
  content?: string | undefined;
  category?: string | undefined;
  file?: string | undefined;
  reason?: string | undefined;
  replaces?: string | undefined;
  /** A block that no longer holds, in place of `replaces` and `content`. */
  retires?: string | undefined;
  /** When to review it again: a date, or a span such as `6 months`. */
  until?: string | undefined;
  /** The id of an earlier proposal of this session, which this one takes the place of. */
  supersedes?: string | undefined;
  /** Paths and globs of the files it belongs to, such as `src/api/**`. */
  paths?: readonly string[] | undefined;
}

/** What a person was shown; a decision holds for exactly this. */
export interface Shown {
  proposal_id: string;
  content_sha256: string;
  target: string;
  /** The lines that would go. */
  replaces: string | null;
}

export type Draft = Pick<Proposal, 'kind' | 'file' | 'content' | 'category' | 'reason' | 'replaces'>;

export function isForBrief({ kind, file }: Pick<Proposal, 'kind' | 'file'>): boolean {
  return kind === 'notes' && file === BRIEF;
}

export function targetOf(proposal: Pick<Proposal, 'kind' | 'file' | 'image_id'>): string {
  return proposal.kind === 'notes' ? `${proposal.file} of ${proposal.image_id}` : `tastes/${proposal.file}`;
}

/** As a person types it. */
export function shownFile({ kind, file }: Pick<Proposal, 'kind' | 'file'>): string {
  return kind === 'taste' ? `tastes/${file}` : file;
}

export function shownOf(proposal: Proposal): Shown {
  const { proposal_id, content_sha256, replaces } = proposal;
  return { proposal_id, content_sha256, target: targetOf(proposal), replaces };
}

export function isSameShown(a: Shown, b: Shown): boolean {
  return (['proposal_id', 'content_sha256', 'target', 'replaces'] as const).every((name) => a[name] === b[name]);
}

// Everything that can be said of an input without looking at the disk.
export function draftProposal(input: ProposalInput): Draft {
  const { kind, content = '', reason, retires } = input;
  if (retires !== undefined && (content !== '' || input.replaces !== undefined))
    throw invalidInput('retires goes alone.', 'To put a text in the place of a block: replaces.', { field: 'retires' });
  assertText('content', content, MAX_CONTENT_CHARS);
  if (retires === undefined && normalised(content) === '')
    throw invalidInput('content is blank.', 'Say what should be remembered.');
  if (reason !== undefined) assertText('reason', reason, MAX_REASON_CHARS);
  const replaces = input.replaces ?? retires ?? null;
  const field = retires === undefined ? 'replaces' : 'retires';
  assertText(field, replaces ?? '', MAX_CONTENT_CHARS);
  if (replaces !== null && normalised(replaces) === '')
    throw invalidInput(`${field} is blank.`, 'Leave it out to add the text.', { field });
  const shared = { kind, content, replaces, reason: reason?.trim() || null };
  if (kind === 'notes') {
    const { file = 'notes.md' } = input;
    if (file !== 'notes.md' && file !== BRIEF)
      throw invalidInput(`file must be notes.md or ${BRIEF}.`, 'A taste has a tool of its own.', { field: 'file' });
    return { ...shared, file, category: null };
  }
  const category = CATEGORIES.find((known) => known === input.category);
  if (!category)
    throw invalidInput(`category must be one of ${CATEGORIES.join(', ')}.`, 'Choose the one that fits best.');
  return { ...shared, file: tasteFile(input.file), category };
}

// An edit by the person obeys the same limits; what they can't see they can't have meant.
export function assertContent(content: string): void {
  assertText('content', content, MAX_CONTENT_CHARS);
  if (normalised(content) === '') throw invalidInput('The text is blank.', 'Decline the proposal instead.');
}

/** Memory never keeps secrets, whoever writes them. */
export function assertNoSecret(text: string | null, field?: string): void {
  const kind = findCertainSecret(text ?? '')?.kind;
  if (kind === undefined) return;
  const data = field === undefined ? {} : { field, class: kind };
  throw invalidInput(`${field ?? 'The text'} holds what looks like a secret (${kind}).`, 'Leave it out.', data);
}

// A file on disk may be anybody's work: it is a proposal only if `propose` could have made it, for this workspace.
export function checkedProposal(value: unknown, imageId: string | null, sha256: Sha256): Proposal | null {
  if (!isRecord(value) || !isStored(value)) return null;
  const { kind, proposal_id, content, file, category, reason, replaces, ...rest } = value as unknown as Proposal;
  if (kind === 'notes' && imageId === null) return null;
  if (rest.content_sha256 !== sha256(content)) return null;
  const block = replaces ?? undefined;
  const change = content === '' ? { retires: block } : { replaces: block };
  const [of, why] = [category ?? undefined, reason ?? undefined];
  const draft = draftProposal({ kind, content, file, category: of, reason: why, ...change });
  if (draft.file !== file || draft.category !== category) return null;
  const { session_id, client, created_at, until, supersedes, paths } = rest;
  return {
    ...{ version: 1, proposal_id, ...draft, image_id: imageId, content_sha256: sha256(content) },
    ...{ session_id, client, created_at, supersedes, paths: paths?.length ? paths : undefined },
    ...(until !== undefined && { until }),
  };
}

function isStored({ version, kind, content, file, paths, ...rest }: JsonRecord): boolean {
  const isId = (id: unknown): boolean => typeof id === 'string' && whyNotId(id) === null;
  const isLike = (form: RegExp, text: unknown): boolean => typeof text === 'string' && form.test(text);
  const isMaybeText = (text: unknown): boolean => text === null || typeof text === 'string';
  const { proposal_id, session_id, supersedes = session_id, client, created_at, until } = rest;
  const isDated = isLike(/^\d{4}-\d\d-\d\dT[\d:.]{8,12}Z$/, created_at) && (until === undefined || isLike(DATE, until));
  const isBy = isLike(/^[^\t\r\n]{0,200}$/, client) && !findHiddenCharacter(String(client));
  const isSaid = typeof content === 'string' && typeof file === 'string' && isLike(/^(?:taste|notes)$/, kind);
  const isWhy = [rest.reason, rest.replaces, rest.category].every(isMaybeText);
  const isWhere = paths === undefined || whyNotPaths(paths) === null;
  return (
    version === 1 && [proposal_id, session_id, supersedes].every(isId) && isDated && isBy && isSaid && isWhy && isWhere
  );
}

const MAX_PATHS = 20;

/** What a wrong list of paths is told, in words that finish "paths …". */
function whyNotPaths(value: unknown): string | null {
  if (!Array.isArray(value) || value.length > MAX_PATHS) return `is a list of at most ${MAX_PATHS} patterns`;
  const reasons = value.map((path) => {
    if (typeof path !== 'string') return 'is not text';
    const hidden = findHiddenCharacter(path);
    return hidden ? `contains ${describeCodePoint(hidden.codePoint)}` : whyNotPath(path);
  });
  return reasons.find((reason) => reason !== null) ?? null;
}

export function proposedPaths({ paths = [], retires }: ProposalInput): readonly string[] | undefined {
  const plain = paths.map((path) => path.trim().replace(/^\.\//, '').replace(/\/$/, ''));
  const reason = whyNotPaths(plain);
  if (reason) throw invalidInput(`paths ${reason}.`, 'For example: src/api/**', { field: 'paths' });
  return retires === undefined && plain.length > 0 ? plain : undefined;
}

/** A block that no longer holds, and nothing in its place. */
export function isRetirement({ content, replaces }: Pick<Proposal, 'content' | 'replaces'>): boolean {
  return replaces !== null && content === '';
}

/** In a list: a retirement says nothing but what it would end. */
export function saidBy(proposal: Pick<Proposal, 'content' | 'replaces'>): string {
  return isRetirement(proposal) ? `no longer holds: ${proposal.replaces}` : proposal.content;
}

function tasteFile(written: string | undefined): string {
  const name = (written ?? '_default.md').replace(/\.md$/, '');
  const reason = whyNotTasteName(name) ?? (name.startsWith('.') ? 'starts with a dot' : null);
  if (reason) throw invalidInput(`file ${reason}.`, 'Use the name of a taste, for example: typescript.md');
  return `${name}.md`;
}

function assertText(field: string, text: string, max: number): void {
  const length = codePointLength(text);
  if (length > max)
    throw invalidInput(`${field} has ${length} characters; at most ${max} are allowed.`, 'Shorten it.', { field });
  const hidden = findHiddenCharacter(text);
  if (!hidden) return;
  const code_point = describeCodePoint(hidden.codePoint);
  throw invalidInput(
    `${field} contains ${code_point} at character ${hidden.offset}, which a person could not see.`,
    'Send the text without it.',
    { field, code_point, offset: hidden.offset },
  );
}

const UNTIL = { field: 'until' };
const DATE = /^\d{4}-\d\d-\d\d$/;
const SPAN = /^(\d{1,3})\s*(?:(d|days?)|(w|weeks?)|(m|months?)|y|years?)$/i;

/** A day to come, `2027-03-01`, or a span from now: `6 months`, `90d`. */
export function lookAgainDate(written: string, now: Date): string {
  const text = written.trim();
  const today = now.toISOString().slice(0, 10);
  const date = DATE.test(text) ? dayOf(new Date(`${text}T00:00:00Z`)) : later(text, now);
  if (date === null || (DATE.test(text) && date !== text))
    throw invalidInput('This is not a day to review it again.', 'Give a date or a span: 2027-03-01, 90d', UNTIL);
  if (date > today) return date;
  throw invalidInput('The day to review it again must be after today.', `Today is ${today}.`, UNTIL);
}

function later(text: string, now: Date): string | null {
  const [span, count, inDays, inWeeks, inMonths] = SPAN.exec(text) ?? [];
  if (span === undefined) return null;
  const days = Number(count) * (inDays ? 1 : inWeeks ? 7 : 0);
  const month = now.getUTCMonth() + Number(count) * (inDays || inWeeks ? 0 : inMonths ? 1 : 12);
  // The last day of a month stays within the next one.
  const last = new Date(Date.UTC(now.getUTCFullYear(), month + 1, 0)).getUTCDate();
  return dayOf(new Date(Date.UTC(now.getUTCFullYear(), month, Math.min(now.getUTCDate(), last) + days)));
}

function dayOf(day: Date): string | null {
  return Number.isNaN(day.getTime()) ? null : day.toISOString().slice(0, 10);
}
