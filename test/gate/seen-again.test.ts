import { describe, expect, it } from 'vitest';
import { effort } from '../support/effort.ts';
import { randomSession, type SeenWorld } from '../support/seen-world.ts';
import { tempFolder } from '../support/temp-folder.ts';

const SESSIONS = effort(100, 4);
const root = tempFolder();
const TOKEN = /\bw\d+w\b/g;

describe('M49 a random session: reads, loads, proposals, decisions, hand edits and commits between', () => {
  for (let seed = 1; seed <= SESSIONS; seed += 1)
    it(`M49 seed ${seed}: every served byte is seen again, why names every line`, async () => {
      const world = await randomSession(`${root}/${seed}`, seed);
      expect(world.given.length).toBeGreaterThan(2);
      await seenAgain(world);
      await explained(world);
    });
});

/** What each session says was served, in its order, is what the client received, byte by byte. */
async function seenAgain({ bearings, given, sessionOf }: SeenWorld): Promise<void> {
  for (const by of ['client', 'hook'] as const) {
    const received = given.filter((each) => each.by === by).map(({ text }) => text);
    if (received.length === 0) continue;
    const { records, served } = await (await bearings.gate()).readSession(await sessionOf(by), 'manta');
    const hashes = records.filter(({ type }) => type === 'context_served').map(({ sha256 }) => String(sha256));
    expect(hashes.map((hash) => served[hash])).toEqual(received);
  }
}

/** `why` names for each line the file or record that it was written to, and no other; a decision where there was one. */
async function explained({ bearings, given, written }: SeenWorld): Promise<void> {
  const tokens = new Set(given.flatMap(({ text }) => text.match(TOKEN) ?? []));
  expect(tokens.size).toBeGreaterThan(4);
  for (const token of tokens) {
    const { sources, served } = await (await bearings.gate()).why(token, { id: 'manta' });
    const { kind, file, decided } = written.get(token) ?? { kind: '?', file: '?', decided: false };
    const named = [...new Set(sources.map((source) => `${source.kind} ${source.file}`))];
    expect({ token, named }).toEqual({ token, named: [`${kind} ${file}`] });
    if (decided) expect({ token, origin: sources[0]?.origin }).toMatchObject({ origin: { proposed_by: 'studio' } });
    expect(served.length).toBeGreaterThan(0);
  }
  // The whole of it, as the page shows it.
  for (const { sha256, text } of given) expect(await (await bearings.gate()).servedText(sha256)).toBe(text);
}
