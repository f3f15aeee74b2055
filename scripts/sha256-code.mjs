// Writes src/io/sha256-code.ts: SHA-256 (FIPS 180-4) as a WebAssembly module of a few hundred bytes.
// node:crypto would do, but loading it takes a fifth of the time that `bearings load` may take.
import { writeFileSync } from 'node:fs';

const [WORDS, CONSTANTS, STATE, DATA] = [0, 256, 512, 1024];
const I32 = 0x7f;
const primes = [...Array(312).keys()].filter((n) => n > 1 && ![...Array(n).keys()].some((d) => d > 1 && n % d === 0));

const unsigned = (n) => (n < 128 ? [n] : [(n & 127) | 128, ...unsigned(n >>> 7)]);
const signed = (n) => (n >= -64 && n < 64 ? [n & 127] : [(n & 127) | 128, ...signed(n >> 7)]);
const counted = (items) => [...unsigned(items.length), ...items.flat()];
const section = (id, bytes) => [id, ...unsigned(bytes.length), ...bytes];
const text = (name) => counted([...Buffer.from(name)]);

// Expressions: each gives the bytes that leave its value on the stack.
const number = (n) => [0x41, ...signed(n)];
const get = (local) => [0x20, local];
const set = (local, value) => [...value, 0x21, local];
const load = (address, offset = 0) => [...address, 0x28, 2, ...unsigned(offset)];
const store = (address, value, offset = 0) => [...address, ...value, 0x36, 2, ...unsigned(offset)];
const operation =
  (code) =>
  (first, ...rest) =>
    rest.reduce((sum, next) => [...sum, ...next, code], first);
const [add, sub, and, or, xor, left, right, turn, below] = [0x6a, 0x6b, 0x71, 0x72, 0x73, 0x74, 0x76, 0x78, 0x49].map(
  operation,
);
const mixed = (value, turns, last) => xor(...turns.map((by) => turn(value, number(by))), last);
// Repeats the steps while the condition behind them holds.
const repeat = (steps, condition) => [0x03, 0x40, ...steps.flat(), ...condition, 0x0d, 0, 0x0b];

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
  0x0b,
].flat();

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

const module = Buffer.from(
  [
    [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    section(1, counted([[0x60, ...counted([I32]), 0]])),
    section(3, counted([0])),
    section(5, counted([[0, 1]])),
    section(
      7,
      counted([
        [...text('memory'), 2, 0],
        [...text('blocks'), 0, 0],
      ]),
    ),
    section(10, counted([counted([...counted([[...unsigned(12), I32]]), ...body])])),
    section(11, counted([[0, ...number(CONSTANTS), 0x0b, ...counted(constants)]])),
  ].flat(),
);
await WebAssembly.compile(module);
writeFileSync(
  new URL('../src/io/sha256-code.ts', import.meta.url),
  `// Made by scripts/sha256-code.mjs: \`blocks(n)\` takes n blocks of 64 bytes from ${DATA} on into the state at ${STATE}.
export const SHA256_PLACES = { state: ${STATE}, data: ${DATA}, end: 65536 };
export const SHA256_CODE =
  '${module.toString('base64')}';
`,
);
