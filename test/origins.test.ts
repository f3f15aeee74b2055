import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseTask } from '../src/tasks/template/parse-task.ts';
import { openLibrary } from './open-library.ts';
import { person } from './person.ts';
import { put } from './temp-folder.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGE = readFileSync(join(ROOT, 'docs/origins.md'), 'utf8');
const ROWS = [...PAGE.matchAll(/^\| (?!requirement|---)(.+?) \| ([MLT\d ]+) \| (.+?) *\|$/gm)].map(
  ([, requirement = '', rules = '', proof = '']) => ({ requirement, rules: rules.trim().split(' '), proof }),
);

// The documents themselves are not part of the project; who has them beside it checks their own examples too.
const SEEDS = [join(ROOT, '../shared/seeds'), join(ROOT, '../../shared/seeds')].find((folder) => existsSync(folder));
const seed = (number: string): string => {
  const name = SEEDS === undefined ? undefined : readdirSync(SEEDS).find((each) => each.startsWith(number));
  return SEEDS === undefined || name === undefined ? '' : readFileSync(join(SEEDS, name), 'utf8');
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
      return !existsSync(join(ROOT, file)) || !readFileSync(join(ROOT, file), 'utf8').includes(title);
    });
    expect(wrong).toEqual([]);
  });

  it('counts what it holds, document by document', () => {
    const differ = ROWS.filter(({ proof }) => proof.startsWith('differs:')).length;
    expect(PAGE).toContain(`${ROWS.length} requirements: ${ROWS.length - differ} as written, ${differ} different`);
    expect([...PAGE.matchAll(/^## (\d{3}) /gm)].map(([, number]) => number)).toEqual([
      '000',
      '001',
      '002',
      '003',
      '004',
    ]);
    expect(ROWS.length).toBeGreaterThanOrEqual(187);
  });
});

const W = '.bearings/workspaces/reef';
const { place } = person({ [`${W}/brief.md`]: 'Blue water.\n\nTastes: sea\n' });

describe('the examples of the documents', () => {
  it('M10 reads notes as the document says: 10 lines, the marker, 30 lines', async () => {
    const lines = Array.from({ length: 47 }, (_, at) => `n${at}`);
    put(place.home, { [`${W}/notes.md`]: `${lines.join('\n')}\n` });
    const { notes } = (await (await openLibrary(place.home).memory()).readContext('reef')).context;
    expect(notes).toEqual({
      summary: `${lines.slice(0, 10).join('\n')}\n\n... [7 lines elided] ...\n\n${lines.slice(-30).join('\n')}`,
      truncated: true,
    });
    const text = seed('000');
    if (text !== '') expect(text).toContain('... [N lines elided] ...');
  });

  it('M5 answers with the shape of the document, key by key', async () => {
    put(place.home, {
      '.bearings/tastes/_default.md': 'calm\n',
      '.bearings/tastes/sea.md': 'blue\n',
      [`${W}/log.jsonl`]: '{"timestamp":"t","op":"warm","by":2}\n',
      [`${W}/vocabulary_gaps.jsonl`]: '{"timestamp":"t","image_id":"reef","description":"no teal"}\n',
    });
    const { context } = await (await openLibrary(place.home).memory()).readContext('reef');
    expect(context).toEqual({
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
    });
    const [, shape = ''] = /returns:\s*(\{[\s\S]*?\n\})\n/.exec(seed('000')) ?? [];
    const named = new Set(
      [...shape.matchAll(/"(\w+)":/g)]
        .map(([, key = '']) => key)
        .filter((key) => key !== 'underwater' && key !== 'point' && key !== 'files'),
    );
    const ours = JSON.stringify(context);
    for (const key of named) expect(ours).toContain(`"${key}":`);
    if (SEEDS !== undefined) expect(named.size).toBeGreaterThan(20);
  });

  it('T3 T5 the examples of the document are read with its settings', () => {
    const block = (inherit: string, fresh: string, more = '') =>
      `<context_management><inherit_context>${inherit}</inherit_context>${more}<fresh_context>${fresh}</fresh_context></context_management>`;
    const accumulate = (format: string) =>
      `<accumulate_data>true</accumulate_data><accumulation_format>${format}</accumulation_format>`;
    const ours = [
      `<task type="sequential"><description>Steps on data</description>${block('full', 'enabled', accumulate('notes_only'))}<steps><!-- later --></steps></task>`,
      `<task type="sequential"><description>Alone</description>${block('none', 'enabled', accumulate('full_output'))}<steps><!-- later --></steps></task>`,
      `<task type="reduce"><description>Many</description>${block('subset', 'enabled')}<inner_task>${block('none', 'disabled')}<description>Each</description></inner_task><reduction_task>${block('full', 'enabled')}<description>All</description></reduction_task></task>`,
      `<task type="atomic"><description>Small</description>${block('none', 'disabled')}</task>`,
    ];
    const [, examples = ''] = seed('004').split('## Examples');
    const theirs = [...examples.matchAll(/```xml\n([\s\S]*?)```/g)].map(([, xml = '']) =>
      // Where the document only says that a definition is here, there is one.
      xml.replace(/<!-- (?:Inner|Reduction) task definition -->/g, '<description>x</description>'),
    );
    for (const four of theirs.length > 0 ? [ours, theirs] : [ours])
      expect(
        four.map((xml) => {
          const { task, problems } = parseTask(xml);
          const { inheritContext, accumulateData, accumulationFormat, freshContext } = task?.settings ?? {};
          return [
            inheritContext,
            accumulateData,
            accumulationFormat,
            freshContext,
            problems.filter(({ severity }) => severity === 'error').map(({ message }) => message),
          ];
        }),
      ).toEqual([
        ['full', true, 'notes_only', 'enabled', []],
        ['none', true, 'full_output', 'enabled', []],
        ['subset', false, null, 'enabled', []],
        ['none', false, null, 'disabled', []],
      ]);
    const warned = parseTask(ours[3] ?? '').problems.filter(({ severity }) => severity === 'warning');
    expect(warned.length).toBeGreaterThan(0);
  });
});
