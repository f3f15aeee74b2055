// Just enough of WebAssembly's binary form to write a few loops in: expressions are the bytes that leave their value on
// the stack, steps the bytes that leave nothing.
export const [I32, F64] = [0x7f, 0x7c];

const unsigned = (n) => (n < 128 ? [n] : [(n & 127) | 128, ...unsigned(n >>> 7)]);
const signed = (n) => (n >= -64 && n < 64 ? [n & 127] : [(n & 127) | 128, ...signed(n >> 7)]);
const counted = (items) => [...unsigned(items.length), ...items.flat()];
const section = (id, bytes) => [id, ...unsigned(bytes.length), ...bytes];
const text = (name) => counted([...Buffer.from(name)]);
const operation =
  (code) =>
  (first, ...rest) =>
    first.concat(...rest.map((next) => [...next, code]));
const loading =
  (code, align) =>
  (address, offset = 0) => [...address, code, align, ...unsigned(offset)];
const storing =
  (code, align) =>
  (address, value, offset = 0) => [...address, ...value, code, align, ...unsigned(offset)];

export const number = (n) => [0x41, ...signed(n)];
export const get = (local) => [0x20, local];
export const set = (local, value) => [...value, 0x21, local];
export const [load, loadByte, loadDouble] = [loading(0x28, 2), loading(0x2d, 0), loading(0x2b, 3)];
export const [store, storeByte, storeDouble] = [storing(0x36, 2), storing(0x3a, 0), storing(0x39, 3)];
export const [add, sub, and, or, xor, left, right, turn, below] = [
  0x6a, 0x6b, 0x71, 0x72, 0x73, 0x74, 0x76, 0x78, 0x49,
].map(operation);
export const [plus, minus, times, by, isEqual, isLess, isMore, isAtMost, isAtLeast] = [
  0xa0, 0xa1, 0xa2, 0xa3, 0x61, 0x63, 0x64, 0x65, 0x66,
].map(operation);
export const [product, rest, equals, differs, atLeast] = [0x6c, 0x70, 0x46, 0x47, 0x4f].map(operation);
// Of numbers with a sign.
export const notAbove = operation(0x4c);
export const not = (value) => [...value, 0x45];
// The first value where the condition holds, else the second; both are worked out.
export const choice = (condition, value, otherwise) => [...value, ...otherwise, ...condition, 0x1b];
export const toDouble = (value) => [...value, 0xb8];
// Repeats the steps while the condition behind them holds; `again` inside it starts over.
export const repeat = (steps, condition) => [0x03, 0x40, ...steps.flat(Infinity), ...condition, 0x0d, 0, 0x0b];
// Repeats the steps as long as the condition before them holds.
export const during = (condition, steps) => [
  ...[0x02, 0x40, 0x03, 0x40, ...not(condition), 0x0d, 1],
  ...[...steps.flat(Infinity), 0x0c, 0, 0x0b, 0x0b],
];
export const when = (condition, steps, otherwise = null) => [
  ...[...condition, 0x04, 0x40, ...steps.flat(Infinity)],
  ...[...(otherwise ? [0x05, ...otherwise.flat(Infinity)] : []), 0x0b],
];
// Leaves the innermost `during` from `depth` conditions inside it.
export const leave = (depth) => [0x0c, depth + 1];
export const give = (value) => [...value, 0x0f];

// Calls by name. The names stand in the order in which the module has them: those it takes from outside come first.
export const callers =
  (names) =>
  (name, ...values) => {
    if (!names.includes(name)) throw new Error(`there is no ${name}`);
    return [...values.flat(), 0x10, ...unsigned(names.indexOf(name))];
  };

/** A function: its numbers are named, those it is given first. */
export function routine(name, { given, own = {}, gives = null }, steps) {
  const kinds = { ...given, ...own };
  const local = Object.fromEntries(Object.keys(kinds).map((key, place) => [key, place]));
  return {
    name,
    type: typeOf(Object.values(given), gives),
    body: counted([...counted(Object.values(own).map((kind) => [1, kind])), ...steps(local).flat(Infinity), 0x0b]),
  };
}

function typeOf(given, gives) {
  return [0x60, ...counted(given.map((kind) => [kind])), ...counted(gives === null ? [] : [[gives]])];
}

/** A function from outside that takes so many whole numbers, and gives one where it says so. */
export function outside(name, count, gives = null) {
  return { name, type: typeOf(Array(count).fill(I32), gives) };
}

/** The module with its memory and these functions, all of them for others to call; `taken` are given to it as `out`. */
export function moduleOf(routines, { pages = 1, data = [], taken = [] } = {}) {
  const place = (i) => unsigned(taken.length + i);
  return Buffer.from(
    [
      [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      section(1, counted([...taken, ...routines].map(({ type }) => type))),
      ...(taken.length > 0
        ? [section(2, counted(taken.map(({ name }, i) => [...text('out'), ...text(name), 0, ...unsigned(i)])))]
        : []),
      section(3, counted(routines.map((_, i) => place(i)))),
      section(5, counted([[0, ...unsigned(pages)]])),
      section(
        7,
        counted([[...text('memory'), 2, 0], ...routines.map(({ name }, i) => [...text(name), 0, ...place(i)])]),
      ),
      section(10, counted(routines.map(({ body }) => body))),
      ...(data.length > 0
        ? [section(11, counted(data.map(({ at, bytes }) => [0, ...number(at), 0x0b, ...counted(bytes)])))]
        : []),
    ].flat(),
  );
}
