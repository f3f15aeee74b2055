// In the process of the tests: which fault is on, and which places were reached.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const work = process.env.BEARINGS_MUTATION;
const active = readFileSync(join(work, 'active'), 'utf8');
const reached = new Set();
const on = Number(active);

globalThis.__fault = active === 'cover' ? (id) => void reached.add(id) : (id) => id === on;
if (active === 'cover') afterAll(() => writeFileSync(join(work, 'hits.json'), JSON.stringify([...reached])));
