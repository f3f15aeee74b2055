import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { BearingsError } from '../../errors.ts';
import { removeQuietly } from '../../files/atomic-write.ts';
import { readText } from '../../files/read-text.ts';
import { codeOf, reasonOf } from '../../files/system-error.ts';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

// 256 bits that only the person's account can read; made once, so that clients stay set up.
export function tokenFile(path: string): string {
  return readToken(path) ?? createToken(path);
}

function readToken(path: string): string | null {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return null;
  if (!found.isFile()) throw unusable('it is not a regular file');
  const file = readText(path, null);
  if (file.status !== 'ok') throw unusable(file.status === 'missing' ? 'it is not there' : file.reason);
  const token = file.value.text.trim();
  if (!TOKEN.test(token)) throw unusable('it holds no token of ours');
  // Whoever could read it until now may know it.
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) {
    chmodSync(path, 0o600);
    throw unusable('others could read it (it is closed now)');
  }
  return token;
}

function createToken(path: string): string {
  const token = randomBytes(32).toString('base64url');
  // Two servers may be the first at once: a link never replaces, so one token wins and both use it.
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${token}\n`, { mode: 0o600, flag: 'wx', flush: true });
    linkSync(draft, path);
    return token;
  } catch (error) {
    const winner = codeOf(error) === 'EEXIST' ? readToken(path) : null;
    if (winner) return winner;
    throw new BearingsError('io_error', `The token in the home can't be made: ${reasonOf(error)}.`, {
      hint: 'Check the permissions of the home; bearings doctor looks at them.',
      cause: error,
    });
  } finally {
    removeQuietly(draft);
  }
}

function unusable(why: string): BearingsError {
  return new BearingsError('io_error', `The token in the home (mcp-token) can't be used: ${why}.`, {
    hint: 'Remove the file mcp-token; the next start makes another, which your clients then need.',
  });
}
