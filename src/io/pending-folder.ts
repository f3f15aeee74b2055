import { type Dirent, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
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
  // Files are written once under a name of their own, so inode and time say whether what we hold is still it.
  const held = new Map<string, { key: string; proposal: Proposal | null }>();
  const read = (path: string): Proposal | null => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat?.isFile()) return null;
    const key = `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
    const known = held.get(path);
    if (known?.key === key) return known.proposal;
    const proposal = parse(path);
    held.set(path, { key, proposal });
    return proposal;
  };
  const list = (inside: (session: string) => string): StoredProposal[] => {
    const found = entries(sessions)
      .filter((entry) => entry.isDirectory())
      .flatMap(({ name: session }) =>
        entries(inside(session))
          .filter((entry) => entry.name.endsWith('.json'))
          .flatMap(({ name }) => {
            const path = join(inside(session), name);
            const proposal = read(path);
            return proposal && name === `${proposal.proposal_id}.json` ? [{ proposal, path, session }] : [];
          }),
      );
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
      for (const { name: session } of entries(sessions).filter((entry) => entry.isDirectory())) {
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

function entries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
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
