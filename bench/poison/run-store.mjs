// One store in a process of its own, started by bench/poison.mjs: NAME FOLDER WORK.json OUT.json
import { readFileSync, writeFileSync } from 'node:fs';
import { poison } from './measure.mjs';
import { toolsIn } from './peers.mjs';

const [name, folder, work, out] = process.argv.slice(2);
const { openStore } = await import(`./stores/${name}.mjs`);
const store = await openStore(toolsIn(folder));
const { payloads, channels } = JSON.parse(readFileSync(work, 'utf8'));
writeFileSync(out, JSON.stringify(await poison(store, payloads, channels)));
// Some peers leave timers and servers behind.
process.exit(0);
