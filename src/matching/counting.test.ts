import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CountingMachine } from './counting.ts';
import { wordsOf } from './terms.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

function newMachine(seed = 0x811c9dc5 | 0) {
  const words: string[] = [];
  const machine: CountingMachine = new CountingMachine(
    {
      newWord: (word, start, end) => {
        words[word] = new TextDecoder().decode(machine.bytes(start, end - start));
      },
      oddRun: () => undefined,
      countOdd: () => 0,
      oddName: () => 0,
    },
    seed,
  );
  const put = (text: string): [number, number] => {
    const own = bytes(text);
    const place = machine.placeFor('name', own.length);
    machine.bytes(place, own.length).set(own);
    return [place, place + own.length];
  };
  return { machine, words, put };
}

describe('the counting machine', () => {
  it('T20 numbers keys in the order they came, also tens of thousands and long ones', () => {
    const { machine, put } = newMachine();
    const key = (text: string) => machine.code.key(...put(text));
    const texts = Array.from({ length: 25_000 }, (_, at) =>
      at % 1_000 === 999 ? `b${at}${'z'.repeat(300)}` : `b${at}`,
    );
    expect(texts.every((text, at) => key(text) === at)).toBe(true);
    expect(texts.every((text, at) => key(text) === at)).toBe(true);
    expect(machine.tableSize('keys')).toBe(25_000);
    expect(key(`b${'long'.repeat(100_000)}`)).toBe(25_000);
    expect(key('b7')).toBe(7);
  });

  it('T20 two of one hash are told apart by their bytes', () => {
    const { machine, put } = newMachine();
    const name = (text: string) => machine.code.name(...put(text));
    // FNV-1a of 32 bits gives each pair the same.
    const texts = ['costarring', 'liquid', 'declinate', 'macallums', 'altarage', 'zinke'];
    expect(texts.map(name)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(texts.map(name)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('T20 a run is taken apart into the words that the plain way finds', () => {
    const signs = fc.string({ unit: fc.constantFrom('a', 'z', 'A', 'Z', '0', '9', '_', '$'), minLength: 1 });
    fc.assert(
      fc.property(signs, (text) => {
        const { machine, words, put } = newMachine();
        const run = machine.code.runAt(...put(text));
        const found = wordsOf(text);
        // A word with a digit needs nobody to tell its stem.
        const told = (word: string): boolean => !/\d/.test(word);
        expect(new Set(words.filter((word) => word !== undefined))).toEqual(new Set(found.filter(told)));
        expect(machine.tableSize('words')).toBe(new Set(found).size);
        // What stands for it tells one word in small letters from all else.
        expect(run >= 0).toBe(/^[a-z][a-z0-9]*$/.test(text));
        const [first] = found;
        if (first !== undefined && told(first)) expect(words[run >= 0 ? run : -2 - run]).toBe(first);
      }),
    );
  });
});
