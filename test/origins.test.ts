import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { CORTEX_FILES } from './support/cortex-project.ts';
import { askingClient, filesBelow } from './support/mcp/asking-client.ts';
import { person } from './support/person.ts';
import { agent } from './support/process/binary.ts';
import { put } from './support/temp-folder.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGE = readFileSync(join(ROOT, 'docs/origins.md'), 'utf8');
interface Requirement {
  document: string;
  requirement: string;
  rules: string[];
  proof: string;
}
const ROWS: Requirement[] = readFileSync(join(ROOT, 'docs/origins.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

// The documents themselves are not part of the project; who has them beside it checks their own examples too, and each must be there.
const SEEDS = [join(ROOT, '../shared/seeds'), join(ROOT, '../../shared/seeds')].find((folder) => existsSync(folder));
const seed = (number: string): string => {
  if (SEEDS === undefined) return '';
  const name = readdirSync(SEEDS).find((each) => each.startsWith(number));
  expect(name, `document ${number}`).toBeDefined();
  return readFileSync(join(SEEDS, name ?? ''), 'utf8');
};

describe('the table of requirements', () => {
  it('names only rules that are in the contract', () => {
    const contract = ['memory', 'loader', 'tasks'].map((name) =>
      readFileSync(join(ROOT, `docs/contract/${name}.md`), 'utf8'),
    );
    const known = new Set([...contract.join('\n').matchAll(/^- \*\*([MLT]\d+)\*\*/gm)].map(([, rule]) => rule));
    expect(ROWS.flatMap(({ rules }) => rules).filter((rule) => !known.has(rule))).toEqual([]);
  });

  it('names a test that is there under that title, or a reason', () => {
    const wrong = ROWS.filter(({ proof }) => {
      const [, file, title] = /^`([^`]+)`: (.+)$/.exec(proof) ?? [];
      if (file === undefined || title === undefined) return !/^differs: .{20,}/.test(proof);
      // A proof behaves as a client does; only that nothing changes a loaded template is seen inside alone.
      if (!file.startsWith('test/') && title !== 'a loaded template cannot be changed') return true;
      return !existsSync(join(ROOT, file)) || !readFileSync(join(ROOT, file), 'utf8').includes(title);
    });
    expect(wrong).toEqual([]);
  });

  it('counts what it holds, document by document', () => {
    const differ = ROWS.filter(({ proof }) => proof.startsWith('differs:')).length;
    const ours = ROWS.filter(({ requirement }) => requirement.startsWith('(ours) ')).length;
    const written = ROWS.length - differ - ours;
    expect(PAGE).toContain(
      `${ROWS.length - ours} requirements: ${written} as written, ${differ} different with a reason; and ${ours} rows of our own`,
    );
    expect([...new Set(ROWS.map(({ document }) => document))]).toEqual(['000', '001', '002', '003', '004']);
    expect(ROWS.length).toBeGreaterThanOrEqual(187);
  });

  it('says on its page what differs and what is ours', () => {
    const missing = ROWS.filter(({ requirement, proof }) => {
      const [, reason] = /^differs: (.+)$/.exec(proof) ?? [];
      if (reason !== undefined) return !PAGE.includes(`| ${requirement} | ${reason} |`);
      return requirement.startsWith('(ours) ') && !PAGE.includes(`- ${requirement.slice(7)} (`);
    });
    expect(missing).toEqual([]);
  });
});

const W = '.bearings/workspaces/reef';
const { place, at, run } = person({ [`${W}/brief.md`]: 'Blue water.\n\nTastes: sea\n' });
const read = async () => {
  const { call } = await agent(place);
  const { texts } = await call('read_context', { image_id: 'reef' });
  return { text: texts[0] ?? '', context: JSON.parse(texts[0] ?? ''), warnings: texts.slice(1).join('\n') };
};

describe('the documents, by what a client sees', () => {
  it('M10 reads notes as the document says: 10 lines, the marker, 30 lines; 40 are raw', async () => {
    const lines = Array.from({ length: 47 }, (_, index) => `n${index}`);
    put(place.home, { [`${W}/notes.md`]: `${lines.join('\n')}\n` });
    expect((await read()).context.notes).toEqual({
      summary: `${lines.slice(0, 10).join('\n')}\n\n... [7 lines elided] ...\n\n${lines.slice(-30).join('\n')}`,
      truncated: true,
    });
    const forty = `${lines.slice(0, 40).join('\n')}\n`;
    put(place.home, { [`${W}/notes.md`]: forty });
    expect((await read()).context.notes).toEqual({ summary: forty, truncated: false });
    expect((await read()).text).toBe((await read()).text);
    if (SEEDS !== undefined) expect(seed('000')).toContain('... [N lines elided] ...');
  });

  it('M5 M11 answers with the shape of the document, key by key', async () => {
    put(place.home, {
      '.bearings/tastes/_default.md': 'calm\n',
      '.bearings/tastes/sea.md': 'blue\n',
      [`${W}/log.jsonl`]: '{"timestamp":"t","op":"warm","by":2}\n',
      [`${W}/vocabulary_gaps.jsonl`]: '{"timestamp":"t","image_id":"reef","description":"no teal"}\n',
    });
    const { text, context } = await read();
    expect(text).toBe(
      JSON.stringify({
        tastes: { default: 'calm\n', genres: { sea: 'blue\n' }, conflicts: [] },
        brief: { raw: 'Blue water.\n\nTastes: sea\n', intent: 'Blue water.', tastes: ['sea'] },
        notes: { summary: '', truncated: false },
        recent_log: [{ timestamp: 't', op: 'warm', details: { by: 2 } }],
        recent_gaps: [
          {
            ...{ timestamp: 't', image_id: 'reef', description: 'no teal', session_id: null, snapshot_hash: null },
            ...{ intent: null, intent_category: 'uncategorized', missing_capability: null, operations_involved: [] },
            ...{ vocabulary_used: [], satisfaction: null, notes: '' },
          },
        ],
      }),
    );
    const [, shape = ''] = /returns:\s*(\{[\s\S]*?\n\})\n/.exec(seed('000')) ?? [];
    const named = new Set([...shape.matchAll(/"(\w+)":/g)].map(([, key = '']) => key));
    for (const key of ['underwater', 'point', 'files']) named.delete(key);
    for (const key of named) expect(JSON.stringify(context)).toContain(`"${key}":`);
    if (SEEDS !== undefined) expect(named.size).toBeGreaterThan(20);
  });

  it('M6 M7 the default always, declared genres in their order and no other; equal lines are conflicts, nothing resolves them', async () => {
    put(place.home, {
      '.bearings/tastes/_default.md': '- one line\n',
      '.bearings/tastes/10.md': '# Head\n\n- one line\n- same\n',
      '.bearings/tastes/2.md': '# Head\n\n- same\n- one line\n- of two\n',
      '.bearings/tastes/land.md': '- of two\n',
      [`${W}/brief.md`]: 'Tastes: 10, 2\n',
    });
    const { tastes } = (await read()).context;
    expect((await read()).text.indexOf('"10":')).toBeLessThan((await read()).text.indexOf('"2":'));
    expect(Object.keys(tastes.genres).sort()).toEqual(['10', '2']);
    expect(tastes.default).toBe('- one line\n');
    expect(tastes.conflicts).toEqual([
      { point: '- one line', files: ['10', '2'] },
      { point: '- same', files: ['10', '2'] },
    ]);
    put(place.home, { [`${W}/brief.md`]: 'Nothing is declared.\n' });
    expect((await read()).context.tastes).toEqual({ default: '- one line\n', genres: {}, conflicts: [] });
  });

  it('M3 M8 the brief is its text, its intent and its declaration; an older taste.md is the default taste', async () => {
    rmSync(at('.bearings/tastes'), { recursive: true, force: true });
    put(place.home, { '.bearings/taste.md': 'old\n', [`${W}/brief.md`]: 'Before.\nTastes: [sea, land]\nAfter.\n' });
    const { tastes, brief } = (await read()).context;
    expect(brief).toEqual({
      ...{ raw: 'Before.\nTastes: [sea, land]\nAfter.\n', intent: 'Before.\nAfter.', tastes: ['sea', 'land'] },
    });
    expect(tastes.default).toBe('old\n');
    const variables = { CHEMIGRAM_TASTES_DIR: at('elsewhere') };
    put(place.home, { 'elsewhere/_default.md': 'there\n' });
    const { call } = await agent({ ...place, variables });
    expect((await call('read_context', { image_id: 'reef' })).value).toMatchObject({ tastes: { default: 'there\n' } });
  });

  it('M11 M12 the last ten records, newest first, old ones too; what is missing or unreadable is empty', async () => {
    const records = Array.from({ length: 12 }, (_, n) => JSON.stringify({ timestamp: `${n}`, op: 'o', n })).join('\n');
    put(place.home, {
      [`${W}/log.jsonl`]: `${records}\n`,
      [`${W}/vocabulary_gaps.jsonl`]: 'no json\n{"description":"d"}\n',
    });
    const { context, warnings } = await read();
    expect(context.recent_log.map(({ details }: { details: { n: number } }) => details.n)).toEqual([
      ...[11, 10, 9, 8, 7, 6, 5, 4, 3, 2],
    ]);
    expect(context.recent_gaps).toMatchObject([{ description: 'd', intent_category: 'uncategorized', notes: '' }]);
    expect(warnings).toContain('vocabulary_gaps.jsonl: 1 line');
    for (const name of ['brief.md', 'notes.md', 'log.jsonl', 'vocabulary_gaps.jsonl']) {
      rmSync(at(`${W}/${name}`), { force: true });
      mkdirSync(at(`${W}/${name}`), { recursive: true });
    }
    const empty = await read();
    expect(empty.context).toMatchObject({
      ...{ brief: { raw: '', intent: '', tastes: [] }, notes: { summary: '', truncated: false } },
      ...{ recent_log: [], recent_gaps: [] },
    });
    for (const name of ['brief.md', 'notes.md']) expect(empty.warnings).toContain(`${name} can't be read`);
  });

  it('M4 M17 M22 a note waits in a small file of its session until the person decides; all earlier bytes stay', async () => {
    put(place.home, { [`${W}/notes.md`]: 'first' });
    const { call } = await askingClient(place);
    const { value } = await call('propose_notes_update', { image_id: 'reef', content: 'second' });
    const file = Object.keys(filesBelow(at(W))).find((path) => path.endsWith(`${value.proposal_id}.json`)) ?? '';
    expect(file).toMatch(/^sessions\/[^/]+\/p_[0-9a-f]+\.json$/);
    expect(statSync(at(`${W}/${file}`)).mode & 0o777).toBe(0o600);
    expect(readFileSync(at(`${W}/notes.md`), 'utf8')).toBe('first');
    await call('confirm_notes_update', { proposal_id: value.proposal_id });
    expect(readFileSync(at(`${W}/notes.md`), 'utf8')).toBe('first\n\nsecond\n');
    expect(existsSync(at(`${W}/${file}`))).toBe(false);
  });

  it('L1 L3 L9 L12 L15 a bundle: control plane first in its fixed order, then the task; every entry says why and from where', () => {
    put(place.home, Object.fromEntries(Object.entries(CORTEX_FILES).map(([path, text]) => [`c/${path}`, text])));
    const load = (...words: string[]) => JSON.parse(run('load', 'c', '--json', ...words).stdout);
    const bundle = load('--task', 'design of the page');
    const classes = bundle.files.map(({ source_class }: { source_class: string }) => source_class);
    expect(bundle.files.map(({ path }: { path: string }) => path).slice(0, 4)).toEqual([
      '.cortex/manifest_v0.json',
      '.cortex/reports/lifecycle_audit_v0.json',
      '.cortex/reports/audit_needed_v0.json',
      '.cortex/reports/decision_candidates_v0.json',
    ]);
    expect(classes.lastIndexOf('control_plane')).toBeLessThan(classes.indexOf('task'));
    expect(bundle.files.map(({ rank }: { rank: number }) => rank)).toEqual(
      classes.map((_: string, n: number) => n + 1),
    );
    for (const { selected_by, source_class } of bundle.files) expect(selected_by.startsWith(source_class)).toBe(true);
    expect(bundle).toMatchObject({
      control_plane: { status: 'complete', health: 'pass' },
      fallback: { level: 'none', degraded: [], attempts: [{ level: 'none', success: true }] },
      budget: { partitions: { control_plane: { used_files: 7 }, task: { used_files: 4 } } },
      ...{ adapters: [], warnings: [] },
    });
    expect(run('load', 'c', '--task', 'design of the page', '--json').stdout).toBe(
      `${JSON.stringify(bundle, null, 2)}\n`,
    );
    const short = load('--task', 'design of the page', '--max-chars-per-file', '10');
    for (const { excerpt, truncated, total_chars } of short.files) {
      expect(excerpt.length).toBeLessThanOrEqual(10);
      expect(truncated).toBe(total_chars > 10);
    }
    rmSync(at('c/.cortex/reports/audit_needed_v0.json'));
    expect(load('--task', 'x').control_plane.status).toBe('complete');
    rmSync(at('c/.cortex/reports/lifecycle_audit_v0.json'));
    expect(load('--task', 'x').control_plane.status).not.toBe('complete');
  });

  it('L6 L15 L17 L18 adapters: named and dated, best first from any order, unsafe items dropped, a failing one degrades', () => {
    const item = (id: string, state: string) => ({
      id,
      title: `Work ${id}`,
      state,
      source_updated_at: '2026-11-14T11:00:00Z',
    });
    const huge = { ...item('d', 'ready'), tags: Array.from({ length: 300 }, () => 'x'.repeat(1_000)) };
    const payload = (items: object[]) => JSON.stringify({ items, fetched_at: '2026-11-14T12:00:00Z' });
    const load = (items: object[]) => {
      put(place.home, {
        ...{ 'p/README.md': 'x', 'p/work.json': payload(items), 'p/broken.json': 'no json' },
        'p/.bearings/policy.yaml':
          'extends: repo\nadapters:\n  - {name: work, kind: file, path: work.json}\n  - {name: broken, kind: file, path: broken.json}\n',
      });
      const { stdout } = run('load', 'p', '--adapter', 'work', '--adapter', 'broken', '--json');
      return JSON.parse(stdout);
    };
    const items = [item('a', 'ready'), item('b', 'blocked'), huge];
    const bundle = load(items);
    const entry = bundle.files.at(-1);
    expect(entry).toMatchObject({ path: 'adapter/work', source_class: 'adapter', selected_by: 'adapter:work:blocked' });
    expect(entry.provenance).toMatchObject({
      ...{ adapter: 'work', authoritative: false, fetched_at: '2026-11-14T12:00:00Z' },
      items: [{ id: 'b', age_seconds: 3_600 }, { id: 'a' }],
    });
    expect(bundle.adapters).toMatchObject([
      { id: 'work', status: 'loaded', selected: 2 },
      { id: 'broken', status: 'degraded' },
    ]);
    expect(bundle.fallback.degraded).toMatchObject([{ adapter: 'broken' }]);
    expect(bundle.warnings.join('\n')).toMatch(/too large and is dropped[\s\S]*adapter broken is left out/);
    expect(load([...items].reverse()).files.at(-1).excerpt).toBe(entry.excerpt);
    const plain = JSON.parse(run('load', 'p', '--json').stdout);
    expect(Object.keys(plain.budget.partitions)).toEqual(['control_plane', 'task']);
  });

  it('T3 T4 T5 the examples of the document, its table of defaults and its validation, by check --explain', () => {
    const block = (inherit: string, fresh: string, more = '') =>
      `<context_management><inherit_context>${inherit}</inherit_context>${more}<fresh_context>${fresh}</fresh_context></context_management>`;
    const accumulate = (format: string) =>
      `<accumulate_data>true</accumulate_data><accumulation_format>${format}</accumulation_format>`;
    const task = (type: string, inside: string) => `<task type="${type}"><description>x</description>${inside}</task>`;
    const parts = (inner: string, reduction: string) =>
      `<inner_task>${inner}<description>x</description></inner_task><reduction_task>${reduction}<description>x</description></reduction_task>`;
    const check = (xml: string, ...words: string[]) => {
      put(place.home, { 'task.xml': xml });
      return JSON.parse(run('check', 'task.xml', '--explain', '--json', ...words).stdout);
    };
    const settings = (xml: string) =>
      check(xml).tasks.map((each: { settings: { value: unknown }[] }) => each.settings.map(({ value }) => value));
    const ours = [
      task('sequential', `${block('full', 'enabled', accumulate('notes_only'))}<steps><!-- later --></steps>`),
      task('sequential', `${block('none', 'enabled', accumulate('full_output'))}<steps><!-- later --></steps>`),
      task('reduce', block('subset', 'enabled') + parts(block('none', 'disabled'), block('full', 'enabled'))),
      task('atomic', block('none', 'disabled')),
    ];
    const [, examples = ''] = seed('004').split('## Examples');
    const theirs = [...examples.matchAll(/```xml\n([\s\S]*?)```/g)].map(([, xml = '']) =>
      // Where the document only says that a definition is here, there is one.
      xml.replace(/<!-- (?:Inner|Reduction) task definition -->/g, '<description>x</description>'),
    );
    if (SEEDS !== undefined) expect(theirs).toHaveLength(4);
    for (const four of theirs.length > 0 ? [ours, theirs] : [ours])
      expect(four.map(settings)).toEqual([
        [['full', 'true', 'notes_only', 'enabled']],
        [['none', 'true', 'full_output', 'enabled']],
        [
          ['subset', '–', '–', 'enabled'],
          ['none', '–', '–', 'disabled'],
          ['full', '–', '–', 'enabled'],
        ],
        [['none', '–', '–', 'disabled']],
      ]);
    // The table of defaults, which is also what older templates without a block get.
    expect(settings(task('atomic', ''))).toEqual([['full', '–', '–', 'enabled']]);
    expect(settings(task('sequential', '<steps/>'))).toEqual([['full', 'true', 'notes_only', 'enabled']]);
    expect(settings(task('reduce', parts('', '')))).toEqual([
      ['full', '–', '–', 'enabled'],
      ['full', '–', '–', 'disabled'],
      ['full', '–', '–', 'enabled'],
    ]);
    const problems = (xml: string, ...words: string[]) =>
      check(xml, ...words)
        .problems.map(({ severity, message }: { severity: string; message: string }) => `${severity}: ${message}`)
        .join('\n');
    expect(problems(ours[3] ?? '')).toContain('warning: This task gets no context at all');
    const bare = (inside: string) => `<context_management>${inside}</context_management>`;
    expect(problems(task('atomic', bare('<fresh_context>enabled</fresh_context>')))).toMatch(
      /error: .*inherit_context/,
    );
    expect(problems(task('atomic', bare('<inherit_context>full</inherit_context>')), '--strict')).toMatch(
      /error: .*fresh_context/,
    );
    expect(problems(task('sequential', `${block('full', 'enabled')}<steps/>`))).toMatch(/error: .*accumulate_data/);
    expect(
      problems(task('sequential', `${block('full', 'enabled', '<accumulate_data>true</accumulate_data>')}<steps/>`)),
    ).toMatch(/error: .*accumulation_format is missing/);
  });
});
