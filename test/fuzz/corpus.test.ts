import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { removeScratch } from './scratch.ts';
import { TARGETS } from './targets.ts';

afterAll(removeScratch);

const corpus = join(import.meta.dirname, 'corpus');

// Each former finding is a file with a name; the others, named by a hash, are inputs that reach far into a reader.
describe('M12 M31 L18 T7 kept inputs break no promise of', () => {
  it.each(TARGETS.map((target) => [target.name, target] as const))('%s', async (name, target) => {
    const folder = join(corpus, name);
    const cases = existsSync(folder)
      ? readdirSync(folder).map((file) => [file, readFileSync(join(folder, file))] as const)
      : [];
    const seeds = target.seeds.map((seed, index) => [`seed ${index}`, Buffer.from(seed)] as const);
    for (const [label, bytes] of [...seeds, ...cases]) {
      const broken = await Promise.resolve()
        .then(() => target.run(bytes))
        .then(() => null)
        .catch((error: unknown) => String(error));
      expect({ label, broken }).toEqual({ label, broken: null });
    }
  });

  it('M12 every folder of the corpus belongs to a target', () => {
    const names = new Set(TARGETS.map(({ name }) => name));
    expect(readdirSync(corpus).filter((folder) => !names.has(folder))).toEqual([]);
  });
});
