import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decided, openLibrary } from '../support/open-library.ts';
import { person } from '../support/person.ts';
import { agent, onTerminal } from '../support/process/binary.ts';
import { put } from '../support/temp-folder.ts';

const IMAGE = 'Pictures/Chemigram/reef_07';
const NOTES = ['# Notes', ...Array.from({ length: 44 }, (_, at) => `line ${at + 1}`)].join('\n');
const LOG = Array.from({ length: 12 }, (_, at) => ({
  timestamp: `2026-05-${10 + at}T08:00:00+00:00`,
  op: 'snapshot',
  hash: `h${at}`,
}));
const GAPS = [
  { timestamp: '2026-05-01T08:00:00+00:00', image_id: 'reef_07', description: 'old record', workaround: 'by hand' },
  {
    ...{ timestamp: '2026-05-02T08:00:00+00:00', image_id: 'reef_07', description: 'no soft edge', session_id: 's1' },
    ...{ intent: 'softer edge', intent_category: '', operations_involved: ['mask'], satisfaction: -1 },
  },
];
const lines = (records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');
const FILES = {
  '.chemigram/tastes/_default.md': '- calm over loud\n',
  '.chemigram/tastes/reef.md': '# Reef\n\n- keep the blue\n- no red\n',
  '.chemigram/tastes/macro.md': '- no red\n',
  [`${IMAGE}/brief.md`]: '# Reef\n\nTastes: [reef, macro]\n\nIntent: quiet water\n',
  [`${IMAGE}/notes.md`]: NOTES,
  [`${IMAGE}/log.jsonl`]: lines(LOG),
  [`${IMAGE}/vocabulary_gaps.jsonl`]: lines(GAPS),
};
const { at, place, run } = person(FILES);
const take = () =>
  onTerminal(
    place,
    ['learn', '--from', 'chemigram'],
    [
      { after: 'Take in', type: 'y\n' },
      { after: 'Make ', type: 'y\n' },
    ],
  );
const acceptAll = async () => {
  const library = openLibrary(place.home);
  for (const { proposal_id } of await (await library.gate()).listProposals('all')) await decided(library, proposal_id);
};

describe('images of Chemigram', () => {
  it.each([
    ['--from', 'Pictures/Chemigram', 'images'],
    ['--from chemigram --path', 'Pictures/Chemigram', 'images'],
    ['--from', '.chemigram/tastes', 'tastes'],
    ['--from chemigram --path', '.chemigram/tastes', 'tastes'],
  ])('M45 %s %s is known for a folder of %s', (option, folder, what) => {
    const found = JSON.parse(run('learn', ...option.split(' '), at(folder), '--json').stdout);
    const targets = new Set(found.items.map(({ kind, file }: { kind: string; file: string }) => `${kind} ${file}`));
    if (what === 'tastes')
      expect([...targets].sort()).toEqual(['taste _default.md', 'taste macro.md', 'taste reef.md']);
    else expect([targets.has('notes notes.md'), found.images]).toMatchObject([true, [{ id: 'reef_07', isNew: true }]]);
  });

  it('M2 M3 work in place: the home and the images where they are', async () => {
    put(place.home, { '.chemigram/taste.md': '- calm\n' });
    rmSync(at('.chemigram/tastes/_default.md'));
    const variables = { BEARINGS_HOME: at('.chemigram'), BEARINGS_WORKSPACES: at('Pictures/Chemigram') };
    const { call } = await agent({ ...place, variables });
    const { value } = await call('read_context', { image_id: 'reef_07' });
    expect(value).toMatchObject({
      tastes: { default: '- calm\n', genres: { macro: '- no red\n' }, conflicts: [{ point: '- no red' }] },
      brief: { tastes: ['reef', 'macro'] },
      notes: { truncated: true },
    });
    expect([value.recent_log, value.recent_gaps]).toMatchObject([{ length: 10 }, { length: 2 }]);
  });

  it('M45 come in with brief, notes, log and gaps, and read as Chemigram’s own loader reads them', async () => {
    expect((await take()).stdout).toMatch(/reef_07, a new workspace[\s\S]*Take in[\s\S]*proposed 4/);
    await acceptAll();
    const { context } = await (await openLibrary(place.home).memory()).readContext('reef_07');
    const head = ['# Notes', ...Array.from({ length: 9 }, (_, each) => `line ${each + 1}`)].join('\n');
    const tail = Array.from({ length: 30 }, (_, each) => `line ${each + 15}`).join('\n');
    // What chemigram.core.context gives for the same files; only an empty workaround is left out (M5).
    expect(context).toEqual({
      tastes: {
        default: '- calm over loud\n',
        genres: { reef: '# Reef\n\n- keep the blue\n- no red\n', macro: '- no red\n' },
        conflicts: [{ point: '- no red', files: ['reef', 'macro'] }],
      },
      brief: {
        raw: '# Reef\n\nTastes: [reef, macro]\n\nIntent: quiet water\n',
        intent: '# Reef\n\n\nIntent: quiet water',
        tastes: ['reef', 'macro'],
      },
      notes: { summary: `${head}\n\n... [5 lines elided] ...\n\n${tail}`, truncated: true },
      recent_log: LOG.slice(-10)
        .reverse()
        .map(({ timestamp, op, hash }) => ({ timestamp, op, details: { hash } })),
      recent_gaps: [
        {
          ...{ timestamp: '2026-05-02T08:00:00+00:00', image_id: 'reef_07', description: 'no soft edge' },
          ...{ session_id: 's1', snapshot_hash: null, intent: 'softer edge', intent_category: 'uncategorized' },
          ...{
            missing_capability: null,
            operations_involved: ['mask'],
            vocabulary_used: [],
            satisfaction: -1,
            notes: '',
          },
        },
        {
          ...{ timestamp: '2026-05-01T08:00:00+00:00', image_id: 'reef_07', description: 'old record' },
          ...{ session_id: null, snapshot_hash: null, intent: null, intent_category: 'uncategorized' },
          ...{ missing_capability: null, operations_involved: [], vocabulary_used: [], satisfaction: null, notes: '' },
          workaround: 'by hand',
        },
      ],
    });
  });

  it('M45 a second run changes nothing, neither before nor after the decisions', async () => {
    await take();
    const before = run('review', '--list', '--json').stdout;
    expect(run('learn', '--from', 'chemigram', '--propose').stdout).toContain('4 already there');
    expect(run('review', '--list', '--json').stdout).toBe(before);
    await acceptAll();
    const read = () =>
      JSON.stringify(
        ['brief.md', 'notes.md', 'log.jsonl', 'vocabulary_gaps.jsonl'].map((name) =>
          readFileSync(at(`.bearings/workspaces/reef_07/${name}`), 'utf8'),
        ),
      );
    const files = read();
    expect(run('learn', '--from', 'chemigram', '--propose').stdout).toContain('4 already there');
    expect([read(), JSON.parse(run('review', '--list', '--json').stdout)]).toEqual([files, []]);
  });

  it('M45 a fault in the middle leaves nothing', async () => {
    put(place.home, { 'Pictures/Chemigram/zz/log.jsonl': lines(LOG) });
    run('init', 'zz');
    rmSync(at('.bearings/workspaces/zz/log.jsonl'), { force: true });
    mkdirSync(at('.bearings/workspaces/zz/log.jsonl'));
    const { stdout } = await onTerminal(place, ['learn', '--from', 'chemigram'], [{ after: 'Take in', type: 'y\n' }]);
    expect(stdout).toContain("can't be imported; nothing was changed");
    expect(run('workspaces', '--json').stdout).not.toContain('reef_07');
    expect(JSON.parse(run('review', '--list', '--json').stdout)).toEqual([]);
  });

  it('M45 without a terminal images are only shown, and their notes are not proposed', () => {
    const plan = JSON.parse(run('learn', '--from', 'chemigram', '--propose', '--json').stdout);
    expect(plan).toMatchObject({ proposed: 3, images: [{ id: 'reef_07', isNew: true }] });
    expect(run('workspaces', '--json').stdout).not.toContain('reef_07');
  });

  it('M45 import without a workspace fails before anything is proposed, and says so', () => {
    writeFileSync(at('rules.md'), 'One.\n\nTwo.\n');
    const { code, stderr } = run('learn', '--from', 'claude', 'rules.md', '--propose');
    expect([code, stderr]).toEqual([2, expect.stringContaining('No workspace is named')]);
    expect(JSON.parse(run('review', '--list', '--json').stdout)).toEqual([]);
  });
});
