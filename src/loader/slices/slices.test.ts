import { describe, expect, it } from 'vitest';
import { loadFromMemory, type MemoryProject } from '../../../test/support/memory-project.ts';
import { EVIDENCE_LINE } from '../../memory/evidence.ts';
import type { ProjectSource } from '../../project/project-source.ts';
import type { BundleInput } from '../bundle/bundle.ts';
import { explainPath } from '../bundle/explain.ts';
import { cleanMemory } from '../io/clean-texts.ts';
import type { AdapterConfig } from '../policy/adapter-definitions.ts';
import { repoPolicy } from '../policy/policies/repo.ts';
import type { Intent, Policy } from '../policy/policy.ts';
import { cleanPayload } from './clean-payload.ts';
import type { Standing } from './matched.ts';

const NOON = Date.UTC(2026, 10, 15, 12);
const adapter = (name: string): AdapterConfig => ({ name, kind: 'file', path: 'a.json', stale_after_hours: 24 });
const policy: Policy = { ...repoPolicy, adapters: [adapter('one'), adapter('two'), adapter('three')] };
const asDefault = (intent: Intent): Intent => ({ ...intent, key: 'default', words: [] });
const files = { 'AGENTS.md': 'Be kind.', 'docs/a.md': 'a' };
const load = (project: Partial<MemoryProject>, extra: Partial<BundleInput> = {}) =>
  loadFromMemory({ files, policy, ...project }, extra);
const GAP = {
  ...{
    timestamp: 't',
    session_id: null,
    snapshot_hash: null,
    intent: null,
    missing_capability: null,
    satisfaction: null,
  },
  ...{ description: 'd' },
} as never as NonNullable<MemoryProject['tactical']>['gaps'][number];

describe('the tactical slice', () => {
  const tactical = (memory: Partial<NonNullable<MemoryProject['tactical']>>, extra: Partial<BundleInput> = {}) =>
    load(
      { tactical: { notes: '', log: [], gaps: [], ...memory }, options: { max_files: 36, max_total_chars: 90_000 } },
      extra,
    ).bundle;
  const texts = (memory: Parameters<typeof tactical>[0]) =>
    tactical(memory)
      .files.filter(({ source_class }) => source_class === 'tactical')
      .map(({ path, excerpt }) => `${path}: ${excerpt}`);

  it('L6 L15 has notes, log and gaps, each with what it holds and where it comes from', () => {
    const log = [
      { timestamp: '10:00', op: 'crop', details: {} },
      { timestamp: '11:00', op: 'tone', details: { by: 2 } },
    ];
    const gaps = [GAP, { ...GAP, intent: 'i', missing_capability: 'm', workaround: 'w' }];
    const bundle = tactical({ notes: 'Low light.', log, gaps });
    expect(texts({ notes: 'Low light.', log, gaps })).toEqual([
      [
        'tactical/memory: Low light.',
        '',
        EVIDENCE_LINE,
        '{"log":{"timestamp":"10:00","op":"crop","details":{}}}',
        '{"log":{"timestamp":"11:00","op":"tone","details":{"by":2}}}',
        '{"gap":{"timestamp":"t","description":"d"}}',
        '{"gap":{"timestamp":"t","intent":"i","missing_capability":"m","description":"d","workaround":"w"}}',
      ].join('\n'),
    ]);
    expect(bundle.files.at(-1)).toMatchObject({
      ...{ path: 'tactical/memory', selected_by: 'tactical:memory', source_class: 'tactical', truncated: false },
      provenance: { origin: 'memory', authoritative: false, source: 'notes, log, gaps' },
    });
  });

  it('L6 long notes push out neither the last log records nor the gaps, inside the room of the slice', () => {
    const log = Array.from({ length: 10 }, (_, at) => ({ timestamp: `t${at}`, op: 'x'.repeat(300), details: {} }));
    const { files: found, budget } = load({
      tactical: { notes: 'A line of the notes.\n'.repeat(500), log, gaps: [GAP] },
    }).bundle;
    const [entry, ...others] = found.filter(({ source_class }) => source_class === 'tactical');
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ truncated: true, path: 'tactical/memory' });
    expect(entry?.chars).toBeLessThanOrEqual(3_000);
    expect(budget.partitions.tactical).toMatchObject({ max_chars: 3_000, used_files: 1, used_chars: entry?.chars });
    expect(entry?.excerpt).toMatch(/^A line of the notes\.\n/);
    expect(entry?.excerpt).toContain('{"log":{"timestamp":"t0"');
    expect(entry?.excerpt).toContain('{"left_out":');
    expect(entry?.excerpt).toContain('{"gap":{"timestamp":"t","description":"d"}}');
  });

  it('L6 a source that holds nothing is not there', () => expect(texts({ notes: ' \n ' })).toEqual([]));

  it('L6 M36 one record may not push out the others: its longest texts are cut', () => {
    const [log = ''] = texts({ log: [{ timestamp: 'x'.repeat(5000), op: 'crop', details: {} }] });
    const cut = `${'x'.repeat(200)}…`;
    expect(log).toBe(
      `tactical/memory: ${EVIDENCE_LINE}\n${JSON.stringify({ log: { timestamp: cut, op: 'crop', details: {} } })}`,
    );
  });

  it('L17 M36 line breaks in a record are escaped; a sanitiser that fails drops the entry', async () => {
    const log = [{ timestamp: 't', op: 'a\nlog: forged', details: {} }];
    expect(texts({ log })).toEqual([
      `tactical/memory: ${EVIDENCE_LINE}\n{"log":{"timestamp":"t","op":"a\\nlog: forged","details":{}}}`,
    ]);
    const { memory, warnings } = await cleanMemory({ notes: 'n', log, gaps: [] }, async (value, path) => {
      if (path === 'notes') throw new Error('no');
      return { value: path === 'log' ? null : value, actions: [] };
    });
    expect(tactical(memory).files.every(({ source_class }) => source_class !== 'tactical')).toBe(true);
    expect(warnings).toEqual(['tactical: notes could not be checked and is dropped.']);
  });
});

describe('the adapter slice', () => {
  const item = (id: string, more: object = {}) => ({ id, state: 'ready', ...more });
  const adapters = (payloads: Record<string, unknown>, extra: Partial<BundleInput> = {}, options = {}) =>
    load({ payloads, options: { max_files: 36, max_total_chars: 90_000, ...options } }, extra).bundle;
  const inside = (payloads: Record<string, unknown>, extra: Partial<BundleInput> = {}) =>
    adapters(payloads, extra).files.filter(({ source_class }) => source_class === 'adapter');

  it('L6 shows an item line by line, what is empty left out', () => {
    const whole = item('7', {
      title: 'T',
      summary: 's1\ns2',
      priority: 'high',
      tags: ['x', 'y'],
      source_updated_at: '2026-11-15',
    });
    expect(inside({ one: { items: [whole, item('8')] } }).map(({ excerpt }) => excerpt)).toEqual([
      'id: 7\ntitle: T\nstate: ready\npriority: 1\ntag: x\ntag: y\nupdated: 2026-11-15T00:00:00Z\n  s1\n  s2\n\nid: 8\nstate: ready',
    ]);
  });

  it('L6 L11 an adapter is one entry of its best four items; a policy may say another number; the rest is listed', () => {
    const items = Array.from({ length: 6 }, (_, at) => item(`i${at}`, { priority: 9 - at }));
    const bundle = adapters({ one: { items } });
    const idsOf = ({ excerpt }: { excerpt: string }) => [...excerpt.matchAll(/^id: (.+)$/gm)].map(([, id]) => id);
    const [entry, ...others] = bundle.files.filter(({ source_class }) => source_class === 'adapter');
    expect([entry?.path, others]).toEqual(['adapter/one', []]);
    expect(idsOf(entry ?? { excerpt: '' })).toEqual(['i5', 'i4', 'i3', 'i2']);
    expect(entry?.provenance).toMatchObject({ items: ['i5', 'i4', 'i3', 'i2'].map((id) => ({ id })) });
    expect(bundle.adapters[0]).toMatchObject({ items: 6, selected: 4 });
    const left = bundle.dropped.filter(({ source_class }) => source_class === 'adapter');
    expect(left.map(({ path, reason }) => `${path} ${reason}`)).toEqual([
      'adapter/one/i1 budget_files',
      'adapter/one/i0 budget_files',
    ]);
    expect(bundle.budget.partitions.adapter).toMatchObject({ used_files: 1, dropped: 2 });
    const own: Policy = { ...policy, adapters: [{ ...adapter('one'), max_items: 5 }] };
    expect(load({ policy: own, payloads: { one: { items } } }).bundle.adapters[0]).toMatchObject({ selected: 5 });
  });

  it('L6 L9 where the room is small every item has its share, and with less the best one stays', () => {
    const items = ['a', 'b', 'c', 'd'].map((id) => item(id, { summary: `${id} `.repeat(2_000) }));
    const entryIn = (max_total_chars: number) =>
      adapters({ one: { items } }, {}, { max_files: 12, max_total_chars }).files.find(
        ({ source_class }) => source_class === 'adapter',
      );
    const idsIn = (max_total_chars: number) =>
      [...(entryIn(max_total_chars)?.excerpt ?? '').matchAll(/^id: (.+)$/gm)].map(([, id]) => id).join('');
    expect([idsIn(30_000), idsIn(6_100), idsIn(1_000)]).toEqual(['abcd', 'abc', 'a']);
    for (const max of [30_000, 6_100, 1_000]) {
      const entry = entryIn(max);
      expect(entry?.chars).toBeLessThanOrEqual(max / 10);
      expect(entry?.provenance).toMatchObject({ items: [...idsIn(max)].map((id) => ({ id })) });
    }
  });

  it('L9 L15 the adapter with the best item comes first', () => {
    const payloads = {
      two: { items: [item('c', { priority: 9 }), item('d', { state: 'unknown' })] },
      one: { items: [item('a', { state: 'unknown' }), item('b', { state: 'blocked' })] },
    };
    const found = inside(payloads);
    expect(found.map(({ path, selected_by }) => `${path} ${selected_by}`)).toEqual([
      'adapter/one adapter:one:blocked',
      'adapter/two adapter:two:ready',
    ]);
    // The same item from two adapters: by the adapter's name.
    expect(inside({ two: { items: [item('a')] }, one: { items: [item('a')] } }).map(({ path }) => path)).toEqual([
      'adapter/one',
      'adapter/two',
    ]);
  });

  it('L14 L15 ages are measured against --now, else against the payload’s own time, else not at all', () => {
    const old = item('a', { source_updated_at: '2026-11-14T11:00:00Z' });
    const ages = (payload: unknown, now: number | null) =>
      inside({ one: payload }, { now }).map(
        ({ provenance }) => provenance.origin === 'adapter' && [provenance.items[0]?.age_seconds, provenance.stale],
      );
    expect(ages({ items: [old] }, null)).toEqual([[null, null]]);
    expect(ages({ items: [old], fetched_at: '2026-11-14T12:00:00Z' }, null)).toEqual([[3600, false]]);
    expect(ages({ items: [old], fetched_at: '2026-11-14T12:00:00Z' }, NOON)).toEqual([[90_000, true]]);
    expect(ages({ items: [item('a')] }, NOON)).toEqual([[null, null]]);
    expect(ages({ items: [item('a', { state: 'stale' })] }, NOON)).toEqual([[null, true]]);
    expect(ages({ items: [item('a', { source_updated_at: '2026-11-14T12:00:00Z' })] }, NOON)).toEqual([
      [86_400, false],
    ]);
    expect(inside({ one: { items: [old], fetched_at: '2026-11-15' } })[0]?.provenance).toEqual({
      ...{ origin: 'adapter', authoritative: false, adapter: 'one', fetched_at: '2026-11-15T00:00:00Z' },
      ...{ updated_at: '2026-11-14T11:00:00Z', stale: false },
      items: [{ id: 'a', state: 'ready', updated_at: '2026-11-14T11:00:00Z', age_seconds: 46_800, stale: false }],
    });
    // One stale item makes the entry stale; one of unknown age leaves it unknown.
    const mixed = inside({ one: { items: [old, item('b')], fetched_at: '2026-11-15' } })[0]?.provenance;
    expect(mixed).toMatchObject({ stale: null, items: [{ stale: false }, { stale: null }] });
    const bundle = adapters({ one: { items: [old, item('b', { state: 'stale' })], fetched_at: '2026-11-15' } });
    expect(bundle.files.at(-1)?.provenance).toMatchObject({ stale: true });
    expect(bundle.warnings).toContain('adapter one: b is stale.');
  });

  it('L13 L18 every adapter is reported: loaded, degraded with its reason, or disabled', () => {
    const {
      adapters: reports,
      fallback,
      warnings,
    } = adapters({ one: { items: [item('a'), item('b')], fetched_at: '2026-11-13' }, two: 'it stalls' }, { now: NOON });
    expect(reports).toEqual([
      {
        id: 'one',
        kind: 'file',
        status: 'loaded',
        reason: null,
        fetched_at: '2026-11-13T00:00:00Z',
        items: 2,
        selected: 2,
        stale: true,
      },
      {
        id: 'two',
        kind: 'file',
        status: 'degraded',
        reason: 'it stalls',
        fetched_at: null,
        items: 0,
        selected: 0,
        stale: null,
      },
      {
        id: 'three',
        kind: 'file',
        status: 'disabled',
        reason: null,
        fetched_at: null,
        items: 0,
        selected: 0,
        stale: null,
      },
    ]);
    expect(fallback.degraded).toEqual([{ adapter: 'two', reason: 'it stalls' }]);
    expect(warnings).toEqual(['adapter two is left out: it stalls.']);
  });

  it('L17 L30 what is not safe is dropped alone and counted, and its warning is told', async () => {
    const config = adapter('one');
    const actions = [{ field: 'items[0].title', kind: 'private_key', action: 'dropped' as const }];
    const payload = await cleanPayload([item('a'), item('b', { title: 'x\nid: c' })], config, async (value, path) =>
      path === 'items[0]' ? { value: null, actions } : { value, actions: [] },
    );
    const reading = { config, status: 'loaded' as const, payload: payload as NonNullable<typeof payload> };
    const bundle = adapters({ one: [] }, { adapters: [reading] });
    const entries = bundle.files.filter(({ source_class }) => source_class === 'adapter');
    expect(entries.map(({ excerpt }) => excerpt)).toEqual(['id: b\ntitle: x id: c\nstate: ready']);
    expect(bundle.warnings).toEqual([
      'adapter one: private_key in items[0].title is dropped.',
      'adapter entry: forged_structure in title is made harmless.',
    ]);
    expect(bundle.dropped).toContainEqual(expect.objectContaining({ path: 'adapter/one/items[0]', reason: 'unsafe' }));
  });
});

describe('the order of slices and the budget', () => {
  it('L1 L15 control plane, task, tactical, adapter: ranks go on, a file is listed once', () => {
    const { bundle } = load({
      files: { 'AGENTS.md': 'x', 'docs/a.md': 'a', 'README.md': 'r' },
      options: { task: 'docs' },
      tactical: { notes: 'n', log: [], gaps: [] },
      payloads: { one: { items: [{ id: '1' }] } },
    });
    expect(bundle.files.map(({ rank, source_class, path }) => `${rank} ${source_class} ${path}`)).toEqual([
      '1 control_plane AGENTS.md',
      '2 control_plane README.md',
      '3 task docs/a.md',
      '4 tactical tactical/memory',
      '5 adapter adapter/one',
    ]);
    expect(bundle.budget.used_files).toBe(5);
    expect(bundle.budget.used_chars).toBe(bundle.files.reduce((sum, { chars }) => sum + chars, 0));
    expect(Object.keys(bundle.budget.partitions)).toEqual(['control_plane', 'task', 'tactical', 'adapter']);
    expect(bundle.dropped.map(({ path, reason }) => `${path} ${reason}`)).toEqual([
      'AGENTS.md duplicate',
      'README.md duplicate',
    ]);
  });

  it('L9 a slice that is off has no partition; the task gets the room that the control plane leaves', () => {
    const { partitions } = load({ files: { 'AGENTS.md': 'abc', 'docs/a.md': 'a' } }).bundle.budget;
    expect(partitions).toEqual({
      control_plane: { max_files: 7, max_chars: 12_000, used_files: 1, used_chars: 3, dropped: 0 },
      task: { max_files: 11, max_chars: 29_997, used_files: 1, used_chars: 1, dropped: 1 },
    });
  });

  it('L9 a task file comes in only once every required file is in; what has no room is told, and a bundle without task file too', () => {
    const required = (path: string) => ({ path, required: true, json: false, health: [] });
    const own: Policy = {
      ...policy,
      control_plane: [
        required('a.md'),
        { ...required('extra.md'), required: false },
        required('b.md'),
        required('c.md'),
      ],
    };
    const own_files = { 'a.md': 'a', 'extra.md': 'extra', 'b.md': 'b', 'c.md': 'c', 'docs/a.md': 'task' };
    const built = (max_files: number, lost: string[] = []) => {
      const there = Object.fromEntries(Object.entries(own_files).filter(([path]) => !lost.includes(path)));
      const { bundle } = load({ files: there, policy: own, options: { max_files } });
      const { control_plane, warnings } = bundle;
      return { paths: bundle.files.map(({ path }) => path).join(' '), status: control_plane.status, warnings };
    };
    const noRoom = 'c.md is required and had no room (budget_files): no task file comes in before it.';
    expect(built(2)).toEqual({
      paths: 'a.md b.md',
      status: 'incomplete',
      warnings: [noRoom, 'beyond what every task gets, no file of the project is in.'],
    });
    expect(built(3)).toEqual({
      paths: 'a.md b.md c.md',
      status: 'complete',
      warnings: ['beyond what every task gets, no file of the project is in.'],
    });
    expect(built(4)).toEqual({ paths: 'a.md b.md c.md docs/a.md', status: 'complete', warnings: [] });
    expect(built(12)).toEqual({ paths: 'a.md extra.md b.md c.md docs/a.md', status: 'complete', warnings: [] });
    // What is not there at all holds nothing back: no room would bring it in.
    expect(built(12, ['b.md'])).toEqual({
      ...{ paths: 'a.md extra.md c.md docs/a.md', status: 'incomplete' },
      warnings: ['b.md is required and missing.'],
    });
  });

  it('L1 L9 a required file goes before what is reserved for adapters and memory, by files and by characters', () => {
    const names = ['a.md', 'b.md', 'c.md'];
    const own: Policy = {
      ...policy,
      control_plane: names.map((path) => ({ path, required: true, json: false, health: [] })),
    };
    const long = 'word '.repeat(500);
    const built = (options: { max_files: number; max_total_chars?: number }) => {
      const { bundle } = load({
        ...{ files: { ...Object.fromEntries(names.map((path) => [path, long])), 'docs/a.md': 'task' }, policy: own },
        ...{
          payloads: { one: { items: [{ id: 'i', state: 'ready' }] } },
          tactical: { notes: 'n', log: [], gaps: [] },
          options,
        },
      });
      expect(bundle.control_plane.status).toBe('complete');
      return bundle.files.map(({ path }) => path).join(' ');
    };
    expect(built({ max_files: 3 })).toBe('a.md b.md c.md');
    expect(built({ max_files: 4 })).toBe('a.md b.md c.md docs/a.md');
    expect(built({ max_files: 5 })).toBe('a.md b.md c.md docs/a.md adapter/one');
    expect(built({ max_files: 6 })).toBe('a.md b.md c.md docs/a.md tactical/memory adapter/one');
    for (const max_total_chars of [5_400, 7_000])
      expect(built({ max_files: 12, max_total_chars })).toMatch(/^a.md b.md c.md/);
  });

  it('L8 tokens are counted where a limit asks for it, and the counter is named', () => {
    const { budget, files: found } = load({
      files: { 'AGENTS.md': 'one two three', 'docs/a.md': 'a b c d e f g h i j' },
      options: { max_tokens: 9 },
    }).bundle;
    expect(budget).toMatchObject({ max_tokens: 9, used_tokens: 9, tokenizer: 'words' });
    expect(found.map(({ tokens, truncated, excerpt }) => [tokens, truncated, excerpt])).toEqual([
      [3, false, 'one two three'],
      [6, true, 'a b c d e f '],
    ]);
    const { budget: uncounted, files: plain } = load({}).bundle;
    expect(uncounted).toMatchObject({ max_tokens: null, used_tokens: null, tokenizer: null });
    expect(plain[0]).not.toHaveProperty('tokens');
  });

  it('L9 a scrap of less than a tenth is worth nothing; exactly a tenth is', () => {
    const reasons = (room: number) => {
      const { bundle } = load({
        files: { 'docs/a.md': 'a'.repeat(100), 'docs/b.md': 'b'.repeat(100) },
        options: { max_total_chars: room },
      });
      return [bundle.files.map(({ chars }) => chars), bundle.dropped.map(({ reason }) => reason)];
    };
    expect(reasons(110)).toEqual([[100, 10], []]);
    expect(reasons(109)).toEqual([[100], ['budget_chars']]);
    // The first is cut to whatever is there.
    expect(reasons(5)).toEqual([[5], ['budget_chars']]);
  });

  it('L11 bad bytes are told, and unsafe and unreadable files are told apart', () => {
    const { bundle } = load({
      files: { 'docs/a.md': { unreadable: 'it is a pipe', unsafe: true }, 'docs/b.md': { unreadable: 'no right' } },
    });
    expect(bundle.dropped.map(({ path, reason }) => `${path} ${reason}`)).toEqual([
      'docs/a.md unsafe',
      'docs/b.md unreadable',
    ]);
    expect(bundle.warnings).toEqual([
      'docs/a.md is left out: it is a pipe.',
      'docs/b.md is left out: no right.',
      'beyond what every task gets, no file of the project is in.',
    ]);
  });

  it('L12 every level that was tried says what it lacked', () => {
    const tried = (present: Record<string, string>) =>
      load({ files: present, options: { fallback: 'unrestricted' } }).bundle.fallback.attempts.map(
        ({ level, success, reason }) => `${level} ${success} ${reason}`,
      );
    expect(tried(files)).toEqual(['none true a control-plane and a task file are in']);
    expect(tried({ 'docs/a.md': 'a' })).toEqual(
      ['none', 'relaxed', 'unrestricted'].map((level) => `${level} false no control-plane file is in`),
    );
    expect(tried({})[0]).toBe('none false no control-plane file is in, no task file is in');
  });

  it('L13 warnings are bounded at 100, the rest counted', () => {
    const many = (count: number) =>
      load({}, { warnings: Array.from({ length: count }, (_, at) => `w${at}`) }).bundle.warnings;
    expect(many(100)).toHaveLength(100);
    expect(many(102).slice(-2)).toEqual(['w99', 'and 2 more warnings.']);
  });
});

describe('explain', () => {
  const matched = {
    files: [{ path: 'deep/m.ts', score: 0.5, parts: { words: 0.4, names: -0.6 }, words: ['m'] }],
    history: null,
  };
  const source = {
    list: (pattern: string) => (pattern === 'docs/*test*.md' ? ['docs/t.md'] : []),
  } as unknown as ProjectSource;
  const explain = (path: string, project: Partial<MemoryProject> = {}, own: Policy = policy) => {
    const built = load({ policy: own, ...project });
    const { verdict, reasons, entry, dropped } = explainPath(path, {
      ...built,
      policy: own,
      source,
      exists: (name) => name !== 'gone.md',
    });
    return { verdict, reasons, has: [entry !== null, dropped !== null] };
  };

  it('L16 a file that is in: why, at which place, how much of it', () => {
    expect(explain('AGENTS.md')).toEqual({
      verdict: 'in',
      reasons: [
        'the policy puts it in the control plane, whatever the task',
        'it ranks 1 of 2',
        'all of its 8 characters are in',
      ],
      has: [true, false],
    });
    expect(explain('docs/a.md', { options: { task: 'docs' } }).reasons[0]).toBe(
      'the pattern docs/*.md of the task key docs selects it; the task says "doc"',
    );
    expect(explain('docs/a.md').reasons[0]).toBe(
      'the pattern docs/*.md of the task key default selects it; no word of the task names another',
    );
    expect(explain('docs/adr/1.md', { files: { 'docs/adr/1.md': 'x' } }).reasons[0]).toBe(
      'it is one of the newest active decisions',
    );
    const notes = { tactical: { notes: 'n', log: [], gaps: [] } };
    expect(explain('tactical/memory', notes).reasons[0]).toBe('it is the memory of the workspace');
    const payloads = { one: { items: [{ id: '1', state: 'ready' }, { id: '2' }] } };
    for (const path of ['adapter/one', 'adapter/one/2'])
      expect(explain(path, { payloads }).reasons[0]).toBe('the adapter one reports 1 as ready; 2 as unknown');
  });

  it('L16 a file that is cut says how far', () => {
    expect(
      explain('docs/a.md', { files: { 'docs/a.md': 'a'.repeat(30) }, options: { max_chars_per_file: 12 } }),
    ).toMatchObject({
      verdict: 'cut',
      reasons: [
        'the pattern docs/*.md of the task key default selects it; no word of the task names another',
        'it ranks 1 of 1',
        'its first 12 of 30 characters are in',
      ],
    });
  });

  it('L16 the parts that are shown add up to the score that is shown', () => {
    const [file] = matched.files;
    const parts = { words: 0.7, names: 0.16, folder: 0.105 };
    const rounded = { ...matched, files: [{ ...file, path: 'deep/m.ts', score: 0.964, parts, words: ['m'] }] };
    expect(explain('deep/m.ts', { files: { ...files, 'deep/m.ts': 'm' }, matched: rounded }).reasons).toContain(
      'made of words 0.69, names 0.16, folder 0.11',
    );
  });

  it('L7 L16 what matching chose says its score, the weightiest part first', () => {
    const project = { files: { ...files, 'deep/m.ts': 'm' }, matched };
    expect(explain('deep/m.ts', project).reasons.slice(0, 3)).toEqual([
      'what it says fits the words of the task (task key default)',
      'match 0.50: m',
      'made of names -0.6, words 0.4',
    ]);
    expect(explain('deep/m.ts', { ...project, options: { max_files: 1 } })).toEqual({
      verdict: 'dropped',
      reasons: [
        'what it says fits the words of the task (task key default)',
        'match 0.50: m',
        'made of names -0.6, words 0.4',
        'the files of its slice are used up',
      ],
      has: [false, true],
    });
  });

  it('L7 L16 where the words of the task choose, no pattern is named as the reason', () => {
    const standing = (of: Partial<Standing>) => ({
      ...matched,
      standing: () => ({ listed: true, indexed: true, words: [], ...of }),
    });
    const reasons = (of: Partial<Standing>, path = 'x.bin') => explain(path, { matched: standing(of) }).reasons;
    const chosen = 'the words of the task choose the files, not the patterns of the policy';
    const test = { ...policy, intents: policy.intents.filter(({ key }) => key === 'test').map(asDefault) };
    expect(explain('docs/t.md', { matched: standing({}) }, test).reasons).toEqual([
      `${chosen}; the pattern docs/*test*.md only raises a file that matches`,
      'matching finds no telling word of the task in it',
    ]);
    expect(reasons({ words: ['a', 'b'] })).toEqual([
      chosen,
      'it shares with the task: a, b; that is too little beside the best',
    ]);
    expect(reasons({ listed: false })[1]).toContain('matching does not look at it');
    expect(reasons({ indexed: false })[1]).toContain('matching cannot read it');
  });

  it('L16 what is out says why', () => {
    expect(explain('gone.md')).toEqual({
      verdict: 'out',
      reasons: ['there is no such file in the project'],
      has: [false, false],
    });
    for (const path of ['/etc/passwd', '../x', 'a/../b'])
      expect(explain(path).reasons).toEqual(['it lies outside of the project']);
    const old = { files: { 'docs/adr/1.md': 'Status: retired' } };
    expect(explain('docs/adr/1.md', old).reasons[0]).toContain('selects it');
    const none = { ...policy, intents: [{ key: 'default', about: '', words: [], include: [] }] };
    expect(explain('docs/adr/1.md', old, none).reasons).toEqual([
      'the control plane looks for it, but it is marked retired',
    ]);
    expect(explain('docs/t.md').reasons).toEqual([
      'the task key is default because no word of the task names another, and none of its patterns selects the file',
      expect.stringMatching(/^patterns: ARCHITECTURE\.md, /),
    ]);
    expect(explain('x.bin', {}, { ...none, match: null }).reasons).toEqual([
      'the task key is default because no word of the task names another, and none of its patterns selects the file',
      'patterns: none',
      'no pattern of the policy selects it',
    ]);
  });
});
