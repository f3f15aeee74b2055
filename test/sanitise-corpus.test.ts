import { describe, expect, test } from 'vitest';
import { createSecretScanner } from '../src/io/secret-scanner.ts';
import { sanitiseValue } from '../src/safety/sanitise.ts';
import { BENIGN } from './samples/benign.ts';
import { FRESH_BENIGN, FRESH_PLANTED } from './samples/sanitise-fresh.ts';
import { HELD_OUT_BENIGN, HELD_OUT_PLANTED } from './samples/sanitise-held-out.ts';
import { MENDED_BENIGN, MENDED_PLANTED } from './samples/sanitise-mended.ts';
import { SECOND_BENIGN, SECOND_PLANTED } from './samples/sanitise-second.ts';
import { THIRD_BENIGN, THIRD_PLANTED } from './samples/sanitise-third.ts';
import { type Planted, TUNED_BENIGN, TUNED_PLANTED } from './samples/sanitise-tuned.ts';
import { WIDE_BENIGN, WIDE_PLANTED } from './samples/sanitise-wide.ts';
import { PLANTED } from './samples/secrets.ts';

const scan = createSecretScanner();

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

async function missed({ title, value, in: thing }: Planted): Promise<string[]> {
  const wrong: string[] = [];
  for (const [place, put] of PLACES) {
    const { value: output, actions } = await sanitiseValue(put(thing), { scan });
    if (leaks(output, value)) wrong.push(`${title} in ${place}: still there`);
    if (actions.length === 0) wrong.push(`${title} in ${place}: no action`);
    if (leaks(actions, value)) wrong.push(`${title} in ${place}: named in an action`);
    const again = await sanitiseValue(output, { scan });
    if (again.actions.length > 0 || JSON.stringify(again.value) !== JSON.stringify(output)) {
      wrong.push(`${title} in ${place}: changes when sanitised again`);
    }
  }
  return wrong;
}

async function alarms(thing: unknown): Promise<string[]> {
  const { actions } = await sanitiseValue(item({ summary: thing }), { scan });
  return actions.map(({ kind, field }) => `${kind} in ${field}: ${JSON.stringify(thing)}`);
}

// What the rules were written or mended for: nothing of it may be missed, and none of it may raise an alarm.
const KNOWN: [title: string, planted: Planted[], benign: unknown[]][] = [
  ['that the rules were tuned on', TUNED_PLANTED, TUNED_BENIGN],
  ['of every kind that the rules know', WIDE_PLANTED, WIDE_BENIGN],
  ['that was written after the first rules', HELD_OUT_PLANTED, HELD_OUT_BENIGN],
  ['that was written after the second', MENDED_PLANTED, MENDED_BENIGN],
  ['that was written after the third', SECOND_PLANTED, SECOND_BENIGN],
  ['that was written after the fourth', THIRD_PLANTED, THIRD_BENIGN],
];

describe.each(KNOWN)('L17 the corpus %s', (_title, planted, benign) => {
  test.each(planted)('L17 $title is in no output, wherever it stood', async (one) => {
    expect(await missed(one)).toEqual([]);
  });

  test('L17 look-alikes pass', async () => {
    expect((await Promise.all(benign.map(alarms))).flat()).toEqual([]);
  });
});

describe('L17 the corpus of the memory rules', () => {
  test('L17 its secrets are in no output either, and its look-alikes pass', async () => {
    const wrong: string[] = [];
    for (const { title, text, secret } of PLANTED) wrong.push(...(await missed({ title, value: secret, in: text })));
    expect(wrong).toEqual([]);
    expect((await Promise.all(BENIGN.map(alarms))).flat()).toEqual([]);
  });

  test('L17 all of them are large enough to mean something', () => {
    expect(KNOWN.reduce((sum, [, planted]) => sum + planted.length, 0)).toBeGreaterThanOrEqual(450);
    expect(KNOWN.reduce((sum, [, , benign]) => sum + benign.length, 0)).toBeGreaterThanOrEqual(250);
  });
});

// What the rules missed, and where they cried out, when they first met these samples; it may only get shorter.
const KNOWN_MISSES = ['a Russian note'];
const KNOWN_ALARMS = 0;

describe('L17 the corpus that was written after the rules last changed', () => {
  test.each(FRESH_PLANTED)('L17 $title is in no output, wherever it stood', async (planted) => {
    const wrong = await missed(planted);
    if (KNOWN_MISSES.includes(planted.title)) expect(wrong).not.toEqual([]);
    else expect(wrong).toEqual([]);
  });

  test('L17 at most one in twenty look-alikes raises an alarm', async () => {
    const raised = (await Promise.all(FRESH_BENIGN.map(alarms))).filter((found) => found.length > 0);
    expect(raised.flat()).toHaveLength(KNOWN_ALARMS);
    expect(raised.length).toBeLessThanOrEqual(FRESH_BENIGN.length / 20);
  });

  test('L17 it is large enough to mean something', () => {
    expect(FRESH_PLANTED.length).toBeGreaterThanOrEqual(45);
    expect(FRESH_BENIGN.length).toBeGreaterThanOrEqual(25);
  });
});
