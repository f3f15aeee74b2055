import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareCodePoints } from '../../code-points.ts';
import { codeOf, conflict, orNull, reasonOf } from '../../errors.ts';
import { sha256 } from '../../files/file-fingerprint.ts';
import { namesIn } from '../../files/paths.ts';
import { readPlainFile, textOf, whyNotWritable } from '../../files/read-file.ts';
import { atomicWrite } from '../../files/write-file.ts';
import { canonicalLine } from '../../json.ts';
import { checkedProposal, isForBrief, type Proposal } from '../proposals/proposal.ts';

/** One proposal on disk and the file that holds it. */
export interface StoredProposal {
  proposal: Proposal;
  path: string;
  /** The session's folder name. */
  session: string;
}

/** A proposal as its file has it, with what says who made it. */
type Sealed = { proposal: Proposal; seal: unknown };

export type PendingFolder = ReturnType<typeof pendingFolder>;

const DISCARDED = 'discarded';
// Several times the longest proposal: a larger file is none.
const MAX_FILE_BYTES = 1024 * 1024;

// `sessions/<session>/<proposal>.json`: on disk from the moment `propose` answers, gone when decided. A file belongs to
// the workspace it lies in, whatever it says of itself; links are not followed.
export function pendingFolder(
  sessions: string,
  owner: { imageId: string | null; scope: string | null; home: string; takesBrief?: boolean },
) {
  const read = (path: string) => {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat?.isFile() && stat.size <= MAX_FILE_BYTES ? parse(path, owner.scope, owner.imageId) : null;
  };
  // What came with the repository is shown to nobody: nobody here proposed it.
  const isOurs = ({ proposal, seal }: Sealed): boolean => owner.scope === null || isSealed(owner.home, proposal, seal);
  const isTaken = ({ proposal }: Sealed): boolean => owner.takesBrief === true || !isForBrief(proposal);
  const mayUse = (path: string): boolean => whyNotWritable(owner.scope, path) === null;
  // Transcripts are beside the folders of their sessions.
  const sessionNames = (): string[] => {
    if (!mayUse(sessions)) return [];
    const names = namesIn(sessions).filter((name) => !name.endsWith('.jsonl') && !name.startsWith('.'));
    return names.filter((name) => lstatSync(`${sessions}/${name}`, { throwIfNoEntry: false })?.isDirectory());
  };
  const placesIn = (inside: (session: string) => string) =>
    sessionNames().flatMap((session) => {
      const folder = inside(session);
      const names = mayUse(folder) ? namesIn(folder).filter((name) => name.endsWith('.json')) : [];
      return names.map((name) => {
        const path = `${folder}/${name}`;
        const file = read(path);
        const isNamedSo = name === `${file?.proposal.proposal_id}.json`;
        return { name, path, found: file !== null && isNamedSo ? { ...file, path, session } : null };
      });
    });
  const filesIn = (inside: (session: string) => string) => placesIn(inside).flatMap(({ found }) => found ?? []);
  const list = (inside: (session: string) => string): StoredProposal[] =>
    inOrder(filesIn(inside).filter((file) => isOurs(file) && isTaken(file)));
  const folderOf = (session: string) => join(sessions, session);
  return {
    add(session: string, proposal: Proposal): void {
      mkdirSync(folderOf(session), { recursive: true, mode: 0o700 });
      atomicWrite(
        join(folderOf(session), `${proposal.proposal_id}.json`),
        `${JSON.stringify(owner.scope === null ? proposal : { ...proposal, seal: sealOf(owner.home, proposal) }, null, 2)}\n`,
        0o600,
        owner.scope,
      );
    },
    pending: () => list(folderOf),
    find: (proposalId: string) => list(folderOf).find(({ proposal }) => proposal.proposal_id === proposalId) ?? null,
    /** Why what lies here can't be listed; null when it can, or when there is nothing. */
    unreadable(): string | null {
      const folders = () => [sessions, ...sessionNames().map(folderOf)];
      return whyNotWritable(owner.scope, sessions) ?? folders().map(whyNotListed).find(Boolean) ?? null;
    },
    /** How many are not listed: that this home did not make, and that are named like proposals and are none, as when somebody edits one. */
    unlisted() {
      const places = placesIn(folderOf);
      return {
        foreign: places.filter(({ found }) => found !== null && !isOurs(found)).length,
        spoilt: places.filter(({ name, path, found }) => !found && name.startsWith('p_') && existsSync(path)).length,
      };
    },
    discarded: () => list((session) => join(folderOf(session), DISCARDED)),
    /** False: it was decided in the meantime. */
    remove({ path }: StoredProposal): boolean {
      const there = existsSync(path);
      rmSync(path, { force: true });
      return there;
    },
    /** Aside, with its full text: the person may revive it. False: it was decided in the meantime. */
    discard({ path, session, proposal }: StoredProposal): boolean {
      if (!existsSync(path)) return false;
      const aside = join(folderOf(session), DISCARDED);
      mkdirSync(aside, { recursive: true, mode: 0o700 });
      const reason = whyNotWritable(owner.scope, aside);
      if (reason !== null) throw conflict(`The proposal can't be set aside: ${reason}.`);
      renameSync(path, join(aside, `${proposal.proposal_id}.json`));
      return true;
    },
    revive({ path, session, proposal }: StoredProposal): void {
      renameSync(path, join(folderOf(session), `${proposal.proposal_id}.json`));
    },
  };
}

/** When a file got its place; 0 where it is gone. */
export function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0;
}

/** Oldest first. */
export function inOrder(proposals: StoredProposal[]): StoredProposal[] {
  return proposals.sort(
    (a, b) =>
      compareCodePoints(a.proposal.created_at, b.proposal.created_at) ||
      compareCodePoints(a.proposal.proposal_id, b.proposal.proposal_id),
  );
}

function whyNotListed(folder: string): string | null {
  try {
    readdirSync(folder);
    return null;
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? null : reasonOf(error);
  }
}

// A file that is no proposal is left alone and not listed.
function parse(path: string, scope: string | null, imageId: string | null): Sealed | null {
  return orNull(() => {
    const value = JSON.parse(textOf(path, scope) ?? '');
    const proposal = checkedProposal(value, imageId, sha256);
    return proposal && { proposal, seal: value.seal };
  });
}

// A repository may bring files that look like proposals. Those that this home made carry its seal, by a secret that never
// leaves it.
function sealOf(home: string, proposal: Proposal): string {
  const { image_id: _id, content_sha256: _hash, ...said } = proposal;
  return createHmac('sha256', secretOf(home)).update(canonicalLine(said)).digest('hex');
}

function isSealed(home: string, proposal: Proposal, seal: unknown): boolean {
  if (typeof seal !== 'string' || !/^[0-9a-f]{64}$/.test(seal)) return false;
  return timingSafeEqual(Buffer.from(seal), Buffer.from(sealOf(home, proposal)));
}

function secretOf(home: string): string {
  const path = join(home, 'proposals.key');
  // There already, by this process or another; a home that refuses is told by the next line.
  orNull(() => {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    writeFileSync(path, `${randomBytes(32).toString('hex')}\n`, { flag: 'wx', mode: 0o600 });
  });
  return readPlainFile(path).toString('utf8');
}
