import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { put, tempFolder } from '../../test/support/temp-folder.ts';
import { withFile } from './read-file.ts';

const folder = tempFolder();
const at = (name: string) => join(folder, name);
put(folder, { 'in/file': 'text', 'inside-not/file': 'secret', outside: 'secret' });
const read = (name: string, scope: string | null = null) => withFile(at(name), scope, ({ size }) => size);

describe('withFile', () => {
  it('M12 opens a regular file', () => expect(read('in/file')).toEqual({ status: 'ok', value: 4 }));

  it('M12 tells missing from unreadable', async () => {
    expect(read('none')).toEqual({ status: 'missing' });
    expect(read('none/none')).toEqual({ status: 'missing' });
    mkdirSync(at('folder'));
    expect(read('folder')).toEqual({ status: 'unreadable', reason: 'it is a directory' });
    execFileSync('mkfifo', [at('fifo')]);
    expect(read('fifo')).toEqual({ status: 'unreadable', reason: 'it is not a regular file' });
    expect(withFile('/dev/zero', null, () => 0)).toEqual({ status: 'unreadable', reason: 'it is not a regular file' });
    expect(read('in/file/x')).toEqual({ status: 'unreadable', reason: 'there is a file where a folder should be' });
    expect(read('x'.repeat(300))).toEqual({ status: 'unreadable', reason: 'its name is too long' });
    symlinkSync('nowhere', at('dangling'));
    expect(read('dangling')).toEqual({ status: 'unreadable', reason: 'its link leads nowhere' });
    symlinkSync('circle', at('circle'));
    expect(read('circle')).toEqual({ status: 'unreadable', reason: 'its links form a loop' });
    const server = createServer().listen(at('socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    expect(read('socket').status).toBe('unreadable');
    server.close();
  });

  it('M9 follows no link out of the scope, also not to a sibling with the same beginning', () => {
    symlinkSync('../outside', at('in/out'));
    symlinkSync('../inside-not/file', at('in/sibling'));
    symlinkSync('file', at('in/alias'));
    symlinkSync('..', at('in/up'));
    const refused = { status: 'unreadable', reason: 'its link leads out of the folder' };
    expect(read('in/out', at('in'))).toEqual(refused);
    expect(read('in/sibling', at('in'))).toEqual(refused);
    expect(read('in/up/outside', at('in'))).toEqual(refused);
    expect(read('in/alias', at('in'))).toEqual({ status: 'ok', value: 4 });
    expect(read('in/out')).toEqual({ status: 'ok', value: 6 });
    symlinkSync('in', at('scope-link'));
    expect(read('scope-link/file', at('scope-link'))).toEqual({ status: 'ok', value: 4 });
  });

  it('M9 reads a hard link: it is a name of the file itself, and only its owner could make it', () => {
    linkSync(at('outside'), at('in/hard'));
    expect(read('in/hard', at('in'))).toEqual({ status: 'ok', value: 6 });
  });

  it('M31 hides raw system text of what fails while reading', () => {
    const result = withFile(at('in/file'), null, () => {
      throw Object.assign(new Error(`EIO: ${folder}`), { code: 'EIO' });
    });
    expect(result).toEqual({ status: 'unreadable', reason: 'the disk reported an error' });
  });
});
