// Writes src/io/sha256-code.ts: SHA-256 (FIPS 180-4) as a WebAssembly module of a few hundred bytes.
// node:crypto would do, but loading it takes a fifth of the time that `bearings load` may take.
import { writeFileSync } from 'node:fs';
import {
  add,
  and,
  below,
  get,
  I32,
  load,
  moduleOf,
  number,
  or,
  repeat,
  right,
  routine,
  set,
  store,
  sub,
  turn,
  xor,
} from './wasm.mjs';

const [WORDS, CONSTANTS, STATE, DATA] = [0, 256, 512, 1024];
const primes = [...Array(312).keys()].filter((n) => n > 1 && ![...Array(n).keys()].some((d) => d > 1 && n % d === 0));

const mixed = (value, turns, last) => xor(...turns.map((by) => turn(value, number(by))), last);
const OWN = ['at', 'i', 'x', 'y', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const [count, at, i, x, y, ...letters] = Array(13).keys();
const [a, b, c, d, e, f, g, h] = letters;
const word = (back) => load(sub(get(i), number(4 * back)), WORDS);
const counting = (from, to, steps) =>
  [set(i, number(from)), repeat([...steps, set(i, add(get(i), number(4)))], below(get(i), number(to)))].flat();

const bigEndian = or(
  and(left_turn(get(x), 8), number(0x00ff00ff)),
  and(turn(get(x), number(8)), number(0xff00ff00 | 0)),
);
function left_turn(value, by) {
  return turn(value, number(32 - by));
}

const spread = [
  counting(0, 64, [set(x, load(add(get(at), get(i)))), store(get(i), bigEndian, WORDS)]),
  counting(64, 256, [
    set(x, word(15)),
    set(y, word(2)),
    store(
      get(i),
      add(
        mixed(get(y), [17, 19], right(get(y), number(10))),
        word(7),
        mixed(get(x), [7, 18], right(get(x), number(3))),
        word(16),
      ),
      WORDS,
    ),
  ]),
];
const rounds = counting(0, 256, [
  set(
    x,
    add(
      get(h),
      mixed(get(e), [6, 11], turn(get(e), number(25))),
      xor(and(get(e), get(f)), and(xor(get(e), number(-1)), get(g))),
      load(get(i), CONSTANTS),
      load(get(i), WORDS),
    ),
  ),
  set(
    y,
    add(
      mixed(get(a), [2, 13], turn(get(a), number(22))),
      xor(and(get(a), get(b)), and(get(a), get(c)), and(get(b), get(c))),
    ),
  ),
  ...[
    [h, g],
    [g, f],
    [f, e],
  ].map(([to, from]) => set(to, get(from))),
  set(e, add(get(d), get(x))),
  ...[
    [d, c],
    [c, b],
    [b, a],
  ].map(([to, from]) => set(to, get(from))),
  set(a, add(get(x), get(y))),
]);
const body = [
  set(at, number(DATA)),
  repeat(
    [
      ...spread,
      ...letters.map((letter, n) => set(letter, load(number(STATE), 4 * n))),
      rounds,
      ...letters.map((letter, n) => store(number(STATE), add(load(number(STATE), 4 * n), get(letter)), 4 * n)),
      set(at, add(get(at), number(64))),
      set(count, sub(get(count), number(1))),
    ],
    get(count),
  ),
];

// The first 32 bits behind the point of the cube roots of the first 64 primes, exactly.
const constants = primes.slice(0, 64).flatMap((prime) => {
  let root = BigInt(Math.round(Math.cbrt(prime) * 2 ** 32));
  const cube = BigInt(prime) << 96n;
  while (root ** 3n > cube) root -= 1n;
  while ((root + 1n) ** 3n <= cube) root += 1n;
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(Number(root & 0xffffffffn));
  return [...bytes];
});

const own = Object.fromEntries(OWN.map((name) => [name, I32]));
const blocks = routine('blocks', { given: { count: I32 }, own }, () => body);
const module = moduleOf([blocks], { data: [{ at: CONSTANTS, bytes: constants }] });
await WebAssembly.compile(module);
writeFileSync(
  new URL('../src/io/sha256-code.ts', import.meta.url),
  `// Made by scripts/sha256-code.mjs: \`blocks(n)\` takes n blocks of 64 bytes from ${DATA} on into the state at ${STATE}.
export const SHA256_PLACES = { state: ${STATE}, data: ${DATA}, end: 65536 };
export const SHA256_CODE =
  '${module.toString('base64')}';
`,
);
