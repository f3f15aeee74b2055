import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../memory/records.ts';
import type { Proposal } from '../proposals/proposal.ts';
import { whyNotId } from '../safety/names.ts';
import { atomicWrite } from './atomic-write.ts';

/** One proposal on disk and the file that holds it. */
export interface StoredProposal {
  proposal: Proposal;
  path: string;
  /** The session's folder name. */
  session: string;
}

export interface PendingFolder {
  add(session: string, proposal: Proposal): void;
  pending(): StoredProposal[];
  /** One of them, without reading the others. */
  find(proposalId: string): StoredProposal | null;
  discarded(): StoredProposal[];
  /** False: it was decided in the meantime. */
  remove(stored: StoredProposal): boolean;
  /** Aside, with its full text: the person may revive it. False: it was decided in the meantime. */
  discard(stored: StoredProposal): boolean;
  revive(stored: StoredProposal): void;
}

const DISCARDED = 'discarded';

// `sessions/<session>/<proposal>.json`: on disk from the moment `propose` answers, gone when decided.
export function pendingFolder(sessions: string): PendingFolder {
  // Files are written once under a name of their own, so inode, size and time say whether what we hold is still it.
  const held = new Map<string, { stat: Stats; proposal: Proposal | null }>();
  const read = (path: string): Proposal | null => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat?.isFile()) return null;
    const known = held.get(path);
    if (known && known.stat.ino === stat.ino && known.stat.mtimeMs === stat.mtimeMs && known.stat.size === stat.size)
      return known.proposal;
    const proposal = parse(path);
    held.set(path, { stat, proposal });
    return proposal;
  };
  const list = (inside: (session: string) => string): StoredProposal[] => {
    const found: StoredProposal[] = [];
    for (const session of sessionNames(sessions)) {
      const folder = inside(session);
      for (const name of namesIn(folder)) {
        if (!name.endsWith('.json')) continue;
        const path = `${folder}/${name}`;
        const proposal = read(path);
        if (proposal && name === `${proposal.proposal_id}.json`) found.push({ proposal, path, session });
      }
    }
    return found.sort(
      (a, b) =>
        compare(a.proposal.created_at, b.proposal.created_at) ||
        compare(a.proposal.proposal_id, b.proposal.proposal_id),
    );
  };
  const folderOf = (session: string) => join(sessions, session);
  return {
    add(session, proposal) {
      mkdirSync(folderOf(session), { recursive: true, mode: 0o700 });
      atomicWrite(
        join(folderOf(session), `${proposal.proposal_id}.json`),
        `${JSON.stringify(proposal, null, 2)}\n`,
        0o600,
      );
    },
    pending: () => list(folderOf),
    find(proposalId) {
      if (whyNotId(proposalId) !== null) return null;
      for (const session of sessionNames(sessions)) {
        const path = join(folderOf(session), `${proposalId}.json`);
        const proposal = read(path);
        if (proposal?.proposal_id === proposalId) return { proposal, path, session };
      }
      return null;
    },
    discarded: () => list((session) => join(folderOf(session), DISCARDED)),
    remove({ path }) {
      const there = existsSync(path);
      rmSync(path, { force: true });
      return there;
    },
    discard({ path, session, proposal }) {
      if (!existsSync(path)) return false;
      const aside = join(folderOf(session), DISCARDED);
      mkdirSync(aside, { recursive: true, mode: 0o700 });
      renameSync(path, join(aside, `${proposal.proposal_id}.json`));
      return true;
    },
    revive({ path, session, proposal }) {
      renameSync(path, join(folderOf(session), `${proposal.proposal_id}.json`));
    },
  };
}

/** When a file got its place; 0 where it is gone. */
export function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

// Transcripts stand beside the folders of their sessions.
function sessionNames(sessions: string): string[] {
  return namesIn(sessions).filter((name) => !name.endsWith('.jsonl') && !name.startsWith('.'));
}

// A file that is no proposal is left alone and not listed.
function parse(path: string): Proposal | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isProposal(value) ? value : null;
  } catch {
    return null;
  }
}

function isProposal(value: unknown): value is Proposal {
  if (!isRecord(value) || value.version !== 1 || (value.kind !== 'taste' && value.kind !== 'notes')) return false;
  const texts = [
    value.proposal_id,
    value.file,
    value.content,
    value.content_sha256,
    value.session_id,
    value.client,
    value.created_at,
  ];
  if (!texts.every((text) => typeof text === 'string')) return false;
  const maybe = [value.image_id, value.category, value.reason, value.replaces];
  return (
    maybe.every((text) => text === null || typeof text === 'string') && whyNotId(String(value.proposal_id)) === null
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
