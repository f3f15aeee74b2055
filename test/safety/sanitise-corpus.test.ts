import { describe, expect, test } from 'vitest';
import { sanitiseValue } from '../../src/safety/sanitise.ts';
import { NOT_DETECTED } from '../samples/not-detected.ts';
import { BENIGN } from '../samples/not-secrets.ts';
import { WIDE_BENIGN, WIDE_PLANTED } from '../samples/planted-by-kind.ts';
import { HELD_OUT_BENIGN, HELD_OUT_PLANTED } from '../samples/planted-held-out.ts';
import { MENDED_BENIGN, MENDED_PLANTED } from '../samples/planted-other-hand.ts';
import { THIRD_BENIGN, THIRD_PLANTED } from '../samples/planted-other-places.ts';
import { SECOND_BENIGN, SECOND_PLANTED } from '../samples/planted-other-vendors.ts';
import { type Planted, TUNED_BENIGN, TUNED_PLANTED } from '../samples/planted-tuned.ts';
import { FRESH_BENIGN, FRESH_PLANTED } from '../samples/planted-unseen.ts';
import { PLANTED } from '../samples/secrets.ts';
import { isLong } from '../support/effort.ts';

// Every field of an adapter item, and every nesting that JSON knows.
const PLACES: [title: string, place: (thing: unknown) => unknown][] = [
  ['alone', (thing) => thing],
  ['id', (thing) => item({ id: thing })],
  ['title', (thing) => item({ title: thing })],
  ['summary', (thing) => item({ summary: thing })],
  ['state', (thing) => item({ state: thing })],
  ['priority', (thing) => item({ priority: thing })],
  ['tags', (thing) => item({ tags: ['ui', thing, 'later'] })],
  ['source_updated_at', (thing) => item({ source_updated_at: thing })],
  ['an object', (thing) => item({ meta: { more: { deep: thing } } })],
  ['a list in a list', (thing) => item({ rows: [[['a', thing]]] })],
  ['an entry in a list', (thing) => item({ comments: [{ body: 'fine' }, { body: thing }] })],
];

function item(fields: object): unknown {
  return {
    fetched_at: '2026-11-15T00:00:00Z',
    items: [
      { id: 'A-1', title: 'First' },
      { id: 'A-2', ...fields },
    ],
  };
}

function textsOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textsOf).join('\n');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([key, inner]) => `${key}\n${textsOf(inner)}`)
    .join('\n');
}

const bare = (text: string) => text.replace(/[\s\u200b]/g, '');

// The value, or any long piece of it: two thirds, or forty characters.
function leaks(output: unknown, value: string): boolean {
  const text = bare(textsOf(output));
  const whole = bare(value);
  const length = Math.min(40, Math.max(4, Math.ceil((whole.length * 2) / 3)));
  for (let start = 0; start + length <= whole.length; start += 1) {
    if (text.includes(whole.slice(start, start + length))) return true;
  }
  return false;
}

// By turns, so that each corpus is planted in every place; all of them in each with BEARINGS_TEST_LONG=1.
let turn = 0;
function somePlaces(): typeof PLACES {
  turn += 1;
  return isLong ? PLACES : PLACES.filter((_, index) => index === 0 || index % 3 === turn % 3);
}

function missed({ title, value, in: thing }: Planted): string[] {
  const wrong: string[] = [];
  for (const [place, put] of somePlaces()) {
    const { value: output, actions } = sanitiseValue(put(thing));
    if (leaks(output, value)) wrong.push(`${title} in ${place}: still there`);
    if (actions.length === 0) wrong.push(`${title} in ${place}: no action`);
    if (leaks(actions, value)) wrong.push(`${title} in ${place}: named in an action`);
    const again = sanitiseValue(output);
    if (again.actions.length > 0 || JSON.stringify(again.value) !== JSON.stringify(output)) {
      wrong.push(`${title} in ${place}: changes when sanitised again`);
    }
  }
  return wrong;
}

function alarms(thing: unknown): string[] {
  const { actions } = sanitiseValue(item({ summary: thing }));
  return actions.map(({ kind, field }) => `${kind} in ${field}: ${JSON.stringify(thing)}`);
}

const CORPORA: Record<string, { planted: Planted[]; benign: unknown[] }> = {
  TUNED: { planted: TUNED_PLANTED, benign: TUNED_BENIGN },
  WIDE: { planted: WIDE_PLANTED, benign: WIDE_BENIGN },
  HELD_OUT: { planted: HELD_OUT_PLANTED, benign: HELD_OUT_BENIGN },
  MENDED: { planted: MENDED_PLANTED, benign: MENDED_BENIGN },
  SECOND: { planted: SECOND_PLANTED, benign: SECOND_BENIGN },
  THIRD: { planted: THIRD_PLANTED, benign: THIRD_BENIGN },
  FRESH: { planted: FRESH_PLANTED, benign: FRESH_BENIGN },
  MEMORY: { planted: PLANTED.map(({ title, secret, text }) => ({ title, value: secret, in: text })), benign: BENIGN },
};
const leftAlone = (corpus: string) => new Set(Object.values(NOT_DETECTED).flatMap((titles) => titles[corpus] ?? []));

describe.each(Object.entries(CORPORA))('L17 the corpus %s', (corpus, { planted, benign }) => {
  const alone = leftAlone(corpus);

  test.each(planted.filter(({ title }) => !alone.has(title)))('L17 $title is in no output, wherever it was', (one) => {
    expect(missed(one)).toEqual([]);
  });

  test.each(planted.filter(({ title }) => alone.has(title)))(
    'L17 $title is left alone, by decision',
    ({ value, in: thing }) => {
      const { value: output } = sanitiseValue(item({ summary: thing }));
      expect(leaks(output, value) || textsOf(output).includes(value)).toBe(true);
    },
  );

  test('L17 look-alikes pass', () => {
    expect(benign.flatMap(alarms)).toEqual([]);
  });

  test('L17 the list of what is left alone names samples of it', () => {
    expect([...alone].filter((title) => !planted.some((one) => one.title === title))).toEqual([]);
  });
});

test('L17 the corpora are large enough to mean something, and three of four samples are found', () => {
  const all = Object.values(CORPORA);
  const samples = all.reduce((sum, { planted }) => sum + planted.length, 0);
  const found = samples - Object.keys(CORPORA).reduce((sum, corpus) => sum + leftAlone(corpus).size, 0);
  expect(samples).toBeGreaterThanOrEqual(600);
  expect(all.reduce((sum, { benign }) => sum + benign.length, 0)).toBeGreaterThanOrEqual(350);
  expect(found / samples).toBeGreaterThan(0.75);
});
