import { join } from 'node:path';
import { type FileFacts, type FileMemo, statsOf } from '../../../files/file-memo.ts';
import { gitFolderOf } from '../../../files/git-folder.ts';
import { withFile } from '../../../files/open-file.ts';
import { lstatOf } from '../../../files/path-scope.ts';
import { decode, readRange } from '../../../files/read-text.ts';
import { sha256 } from '../../../files/sha256.ts';
import { whyPrivate } from '../../../matching/text/paths.ts';
import { listProject } from '../../../project/io/project-listing.ts';
import type { AppContext } from '../../../settings/app-context.ts';
import { type Code, codeOf } from '../../ledger/cited-definition.ts';
import type { CodeChange } from '../../ledger/code-change.ts';
import type { Anchor } from '../../ledger/entry.ts';

export type ProjectCode = ReturnType<typeof openCode>;

type Stats = ReturnType<typeof statsOf>;
type Elsewhere = Pick<CodeChange, 'how' | 'to'>;

/** What was worked out of a project's files, for as long as they stay as they are. */
export interface CodeMemo {
  code: FileMemo<Code>;
  /** What became of what is no longer at its place. */
  elsewhere: FileMemo<Elsewhere>;
  same: FileFacts<Anchor>;
}

const MOST_FILES = 20_000;
const MOST_BYTES = 1024 * 1024;
const MOST_REMEMBERED = 512;

export function codeMemo(app: Pick<AppContext, 'memo' | 'facts'>): CodeMemo {
  return {
    code: app.memo('code', MOST_REMEMBERED),
    elsewhere: app.memo('code elsewhere', MOST_REMEMBERED),
    same: app.facts('code'),
  };
}

/** For one read: each file, and the state of git, is asked for once. */
export function openCode(root: string, memo: CodeMemo) {
  let listing: Promise<readonly string[]> | undefined;
  let gitState: Stats | undefined;
  // Several notes cite the same file: it is asked for once.
  const seen = new Map<string, Stats>();
  const statsAt = (path: string): Stats => {
    let stats = seen.get(path);
    if (!stats) {
      stats = statsOf([`${root}/${path}`]);
      seen.set(path, stats);
    }
    return stats;
  };
  const read = <T>(path: string, use: (bytes: Buffer) => T): T | null => {
    if (whyPrivate(path) !== null) return null;
    const file = withFile(join(root, path), root, ({ fd, size }) =>
      size > MOST_BYTES ? null : use(readRange(fd, 0, size)),
    );
    return file.status === 'ok' ? file.value : null;
  };
  return {
    stands(path: string): 'file' | 'folder' | null {
      const stat = statsAt(path)[0] ?? lstatOf(join(root, path));
      return stat?.isFile() || stat?.isSymbolicLink() ? 'file' : stat?.isDirectory() ? 'folder' : null;
    },
    /** Null: not there, not a text, or larger than any code that people write. */
    code(path: string): Code | null {
      const stats = statsAt(path);
      const known = memo.code.get(stats, path);
      if (known) return known;
      const code = read(path, (bytes) => (bytes.includes(0) ? null : codeOf(path, decode(bytes).text, sha256)));
      if (code) memo.code.put(stats, code, path);
      return code;
    },
    hash: (path: string) => read(path, sha256),
    /** Whether a file holds these characters, without parsing it. */
    holds: (path: string, text: string) => read(path, (bytes) => bytes.includes(text)) ?? false,
    list(): Promise<readonly string[]> {
      listing ??= listProject(root).then((paths) =>
        paths.filter((path) => whyPrivate(path) === null).slice(0, MOST_FILES),
      );
      return listing;
    },
    /** What was found of a missing anchor before, as long as neither its file nor git's list of files changed. */
    found(anchor: Anchor) {
      gitState ??= gitStateOf(root);
      const stats = [...statsAt(anchor.path), ...gitState];
      const name = JSON.stringify(anchor);
      return {
        get: () => memo.elsewhere.get(stats, name),
        put: (found: Elsewhere) => memo.elsewhere.put(stats, found, name),
      };
    },
    /** Whether it was found as it was before, and its file has not changed since. */
    wasSame: (anchor: Anchor) => memo.same.holds(anchor, statsAt(anchor.path)[0]),
    rememberSame: (anchor: Anchor) => memo.same.put(anchor, statsAt(anchor.path)[0]),
  };
}

function gitStateOf(root: string): Stats {
  const own = gitFolderOf(root)?.own;
  return own === undefined ? [] : statsOf([join(own, 'index'), join(own, 'HEAD')]);
}
