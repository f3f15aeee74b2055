// Counts under the lock in a process of its own, on a Node that reads TypeScript; or holds it `for ever`.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as after } from 'node:timers/promises';
import { lockAt } from '../../src/files/lock.ts';

const [lockPath = '', file = '', times = ''] = process.argv.slice(2);
const lock = lockAt(lockPath, (ms) => after(ms));

if (times === 'for ever')
  await lock.run(async () => {
    console.log('held');
    await after(600_000);
  });

console.log('ready');
for (let left = Number(times); left > 0; left -= 1)
  await lock.run(async () => {
    const before = Number(readFileSync(file, 'utf8'));
    await after(1);
    writeFileSync(file, String(before + 1));
  });
const loaded = Object.keys(createRequire(import.meta.url).cache);
console.log(`${process.version} ${loaded.some((path) => path.includes('libsql')) ? 'libsql' : 'node:sqlite'}`);
