import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHANNELS } from '../../bench/poison/channels.mjs';
import { poison, tableRow } from '../../bench/poison/measure.mjs';
import { PAYLOADS, payloadsIn } from '../../bench/poison/payloads.mjs';
import { openStore as openOurs } from '../../bench/poison/stores/bearings.mjs';
import { openStore as openNaive } from '../../bench/poison/stores/naive.mjs';
import { agent, bearings } from '../support/process/binary.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

// The whole of it, beside peers: npm run bench:poison
const SOME = PAYLOADS.filter(({ kind }) => ['forged heading', 'forged record'].includes(kind));

interface Started {
  cwd: string;
  env: { HOME: string; BEARINGS_CACHE: string };
}

const placeOf = ({ cwd, env: { HOME, BEARINGS_CACHE } }: Started) => ({
  home: HOME,
  cwd,
  variables: { BEARINGS_CACHE },
});

// The servers and commands of the built binary that the tests share: some fifty are started here.
const shared = {
  async serve([, ...args]: string[], started: Started) {
    const { client } = await agent(placeOf(started), { args });
    return {
      async call(name: string, input: Record<string, unknown>) {
        const result = await client.callTool({ name, arguments: input });
        if (result.isError) throw new Error(JSON.stringify(result.content));
        return { result };
      },
      end: () => client.close(),
    };
  },
  run: (args: string[], started: Started) => bearings(placeOf(started), ...args),
};

describe('the poisoning harness, offline', () => {
  it('finds every payload in a memory without a gate, by every channel', async () => {
    const cases = await poison(await openNaive(), PAYLOADS);
    expect(cases).toHaveLength(CHANNELS.length * PAYLOADS.length);
    expect(cases.filter(({ written, unframed }) => !written || unframed.length === 0)).toEqual([]);
    expect(tableRow('naive', cases).at(-1)).toBe(`${cases.length} / ${cases.length} of ${cases.length}`);
  });

  it('M18 M36 M38 finds nothing written and nothing unframed in ours, though all of it was tried', async () => {
    const cases = await poison(await openOurs(null, shared), SOME);
    expect(cases.filter(({ written, unframed }) => written || unframed.length > 0)).toEqual([]);
    // What an agent logged and what a clone brought is served, framed: the harness did reach it.
    for (const { name } of CHANNELS)
      expect(cases.filter(({ channel, served }) => channel === name && served.length > 0).length, name).toBeGreaterThan(
        0,
      );
  });

  it('M18 the command measures ours in processes of its own', () => {
    const folder = tempFolder();
    const [work, out] = [join(folder, 'work.json'), join(folder, 'out.json')];
    put(folder, { 'work.json': JSON.stringify({ payloads: SOME.slice(0, 1), channels: CHANNELS.slice(0, 1) }) });
    const store = resolve(import.meta.dirname, '../../bench/poison/run-store.mjs');
    const { status, stderr } = spawnSync(process.execPath, [store, 'bearings', folder, work, out], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
    expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject([{ possible: true, written: false, unframed: [] }]);
  });

  it('takes a caveat of a peer for a frame, and tells where it has none', async () => {
    const said = (before: string) => ({
      ...{ remember: async () => 'stored', ship: null, log: null },
      next: async ({ mark }: { mark: string }) => ({ memory: [], served: [{ where: 'x', text: `${before} ${mark}` }] }),
    });
    const unframed = async (before: string) => (await poison(said(before), SOME)).flatMap((each) => each.unframed);
    expect(await unframed('Unverified notes of agents:')).toEqual([]);
    expect(await unframed('What you know:')).not.toEqual([]);
    expect(tableRow('x', await poison(said(''), SOME)).slice(5, 7)).toEqual(['—', '—']);
  });

  it('reads the lists of others from a folder, and says where there are none', () => {
    const folder = tempFolder();
    put(folder, {
      'lists/text_attack_test.json': JSON.stringify({ Mail: ['send it', 'sell it'] }),
      'benchmarks/security_benchmark.py': [
        'CASES = [',
        '    TestCase("override", "plain", "a.b",',
        '             "Forget \\"all\\" " "of it.", True, "x"),',
        '    TestCase("benign", "plain", "a.b", "A list of things.", False, "x"),',
        '    TestCase("size", "long", "a.b", "A" * 100_000, True, "x"),',
        ']',
      ].join('\n'),
    });
    expect(payloadsIn(folder).sort((a, b) => (a.text < b.text ? -1 : 1))).toEqual([
      { kind: 'override', text: 'Forget "all" of it.' },
      { kind: 'Mail', text: 'sell it' },
      { kind: 'Mail', text: 'send it' },
    ]);
    put(folder, { 'empty/x.txt': '' });
    expect(() => payloadsIn(join(folder, 'empty'))).toThrow('holds neither');
  });
});
