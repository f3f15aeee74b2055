import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { bringNode24 } from '../../scripts/testing/tools.mjs';
import { put, tempFolder } from '../../test/support/temp-folder.ts';
import { lockAt, tryHold } from './lock.ts';

const folder = tempFolder();
const at = (name: string) => join(folder, name);
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const libsql = createRequire(import.meta.url).resolve('libsql');

const script = (path: string) => fileURLToPath(new URL(path, import.meta.url));
// For a user without a network the tests on Node 24 are left out and named; in CI they fail.
const node24 = bringNode24() ?? '';
const hasNode24 = node24 !== '' || process.env.CI === 'true';

// Another process that holds the lock until it is killed or told to end.
function holder(path: string) {
  const code = `const Database = require(${JSON.stringify(libsql)}); const db = new Database(${JSON.stringify(path)});
    db.exec('BEGIN EXCLUSIVE'); console.log('held'); process.stdin.on('data', () => { db.close(); process.exit(0); });`;
  const child = spawn(process.execPath, ['-e', code], { stdio: ['pipe', 'pipe', 'inherit'] });
  const held = new Promise((resolve) => child.stdout.once('data', resolve));
  const gone = new Promise((resolve) => child.once('close', resolve));
  return { child, held, gone };
}

describe('lockAt', () => {
  it('M2 lets one at a time do its work, in one process and through many doors', async () => {
    writeFileSync(at('count'), '0');
    const work = async () => {
      const count = Number(readFileSync(at('count'), 'utf8'));
      await sleep(1);
      writeFileSync(at('count'), String(count + 1));
    };
    const one = lockAt(at('lock'), sleep);
    const app = Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? one : lockAt(at('lock'), sleep)));
    await Promise.all(app.map((door) => door.run(work)));
    expect(readFileSync(at('count'), 'utf8')).toBe('12');
    expect(statSync(at('lock')).size).toBe(0);
  });

  it('M2 frees the lock when the work fails, and passes its error on', async () => {
    const lock = lockAt(at('failing'), sleep);
    await expect(lock.run(() => Promise.reject(new Error('mine')))).rejects.toThrow('mine');
    await expect(lock.run(() => 'next')).resolves.toBe('next');
  });

  it('M2 waits for another process', async () => {
    const { child, held, gone } = holder(at('shared'));
    await held;
    let done = false;
    const mine = lockAt(at('shared'), sleep).run(() => {
      done = true;
    });
    await sleep(150);
    expect(done).toBe(false);
    child.stdin.write('end');
    await mine;
    await gone;
  });

  it('M2 takes the lock of a process that was killed', async () => {
    const { child, held, gone } = holder(at('killed'));
    await held;
    child.kill('SIGKILL');
    await gone;
    await expect(lockAt(at('killed'), sleep).run(() => 'mine')).resolves.toBe('mine');
  });

  it('M31 gives up with a sentence after a minute of waiting', async () => {
    const { child, held, gone } = holder(at('endless'));
    await held;
    let waited = 0;
    const hasty = lockAt(at('endless'), async (ms) => {
      waited += ms;
    });
    await expect(hasty.run(() => 'never')).rejects.toMatchObject({
      code: 'io_error',
      message: 'Another program has held the lock for a minute.',
      hint: 'Close other bearings commands, then try again.',
    });
    expect(waited).toBeGreaterThanOrEqual(60_000);
    child.stdin.write('end');
    await gone;
  });

  it('M31 fails where its file can be none', async () => {
    mkdirSync(at('folder'));
    put(folder, { blocked: '' });
    await expect(lockAt(at('folder'), sleep).run(() => 'never')).rejects.toThrow();
    await expect(lockAt(at('blocked/lock'), sleep).run(() => 'never')).rejects.toThrow();
  });

  it.runIf(hasNode24)("M2 Node's own SQLite and libsql exclude each other (needs Node 24 from npm)", async () => {
    writeFileSync(at('total'), '0');
    const worker = nodeWorker('many', 'total', '100');
    const lock = lockAt(at('many'), sleep);
    const count = async () => {
      const before = Number(readFileSync(at('total'), 'utf8'));
      await sleep(1);
      writeFileSync(at('total'), String(before + 1));
    };
    // Both are under way before the first count, so that they meet.
    await worker.said('ready');
    for (let times = 0; times < 100; times += 1) await lock.run(count);
    expect(await worker.gone).toBe(0);
    expect(worker.text()).toMatch(/ready\nv24\.\d+\.\d+ node:sqlite\n$/);
    expect(readFileSync(at('total'), 'utf8')).toBe('200');
    expect(statSync(at('many')).size).toBe(0);
  });

  it.runIf(hasNode24)('M2 the lock of a killed process on Node 24 is free (needs Node 24 from npm)', async () => {
    const worker = nodeWorker('ended', 'none', 'for ever');
    await worker.said('held');
    const mine = lockAt(at('ended'), sleep);
    await expect(tryHold(at('ended'))).resolves.toBeNull();
    worker.child.kill('SIGKILL');
    await worker.gone;
    await expect(mine.run(() => 'mine')).resolves.toBe('mine');
  });

  // Our own code on Node 24, which reads TypeScript as it is.
  function nodeWorker(lock: string, file: string, times: string) {
    const args = [script('../../test/support/lock-worker.ts'), at(lock), at(file), times];
    const child = spawn(node24, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    const gone = new Promise<number | null>((resolve) => child.once('close', resolve));
    const said = (word: string) =>
      new Promise<void>((resolve) => {
        child.stdout.setEncoding('utf8').on('data', (part: string) => {
          text += part;
          if (text.includes(word)) resolve();
        });
      });
    return { child, gone, said, text: () => text };
  }
});
