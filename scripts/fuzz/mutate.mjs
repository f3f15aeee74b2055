// New inputs out of old ones: noise in bytes, words of the format, repeats, splices, and signs that readers trip over.
const SIGNS = [
  ...[
    '\0',
    '\r',
    '\n',
    '\r\n',
    '\t',
    ' ',
    '\ufeff',
    '\u2028',
    '\u0085',
    '\u200b',
    '\u202e',
    '\u00ad',
    '\ufe0f',
    '\u{e0041}',
  ],
  ...[
    '\x1b[2J',
    '\\',
    '"',
    "'",
    '`',
    '{',
    '}',
    '[',
    ']',
    '<',
    '>',
    '&',
    ':',
    ',',
    '-',
    '#',
    '*',
    '/',
    '..',
    '%2e',
    '🙂',
    'é',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'null',
    'true',
    'NaN',
    '1e999',
    '-0',
    '9007199254740993',
    '\\ud800',
    '{}',
    '[]',
  ],
].map((text) => Buffer.from(text));
const BROKEN = [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xf0, 0x9f], [0xc0, 0x80]].map((bytes) => Buffer.from(bytes));
const NUMBERS = ['0', '-1', '1', '2147483648', '9007199254740992', '1e308', '-1e999', '0.1', '64', '65', '200', '201'];

export function mutate({ input, other, words, chance, max }) {
  let bytes = Buffer.from(input);
  for (let round = 1 + chance.below(4); round > 0; round -= 1)
    bytes = chance.pick(OPERATORS)({ bytes, other, words, chance });
  return bytes.subarray(0, max);
}

const replaced = (bytes, start, end, by) => Buffer.concat([bytes.subarray(0, start), by, bytes.subarray(end)]);
const place = (bytes, chance) => chance.below(bytes.length + 1);
const range = (bytes, chance) => {
  const start = place(bytes, chance);
  return [start, Math.min(bytes.length, start + chance.below(chance.once(4) ? bytes.length : 16))];
};

const flip = ({ bytes, chance }) => {
  if (bytes.length > 0) bytes[chance.below(bytes.length)] ^= 1 << chance.below(8);
  return bytes;
};
const remove = ({ bytes, chance }) => replaced(bytes, ...range(bytes, chance), Buffer.alloc(0));
const sign = ({ bytes, chance }) =>
  replaced(bytes, ...near(bytes, chance), chance.pick(chance.once(8) ? BROKEN : SIGNS));
const word = ({ bytes, words, chance }) =>
  replaced(bytes, ...near(bytes, chance), words.length > 0 ? chance.pick(words) : chance.pick(SIGNS));
const copy = ({ bytes, chance }) => {
  const at = place(bytes, chance);
  return replaced(bytes, at, at, bytes.subarray(...range(bytes, chance)));
};
const repeat = ({ bytes, words, chance }) => {
  const at = place(bytes, chance);
  const piece = chance.once(2) && words.length > 0 ? chance.pick(words) : bytes.subarray(...range(bytes, chance));
  const times = chance.once(6) ? 50 + chance.below(400) : 2 + chance.below(6);
  return replaced(bytes, at, at, Buffer.concat(Array.from({ length: times }, () => piece)));
};
const splice = ({ bytes, other, chance }) =>
  Buffer.concat([bytes.subarray(0, place(bytes, chance)), other.subarray(place(other, chance))]);
const graft = ({ bytes, other, chance }) =>
  replaced(bytes, ...range(bytes, chance), other.subarray(...range(other, chance)));
const number = ({ bytes, chance }) => {
  const found = [...bytes.toString('latin1').matchAll(/-?\d+(?:\.\d+)?/g)];
  if (found.length === 0) return bytes;
  const { 0: digits, index } = chance.pick(found);
  return replaced(bytes, index, index + digits.length, Buffer.from(chance.pick(NUMBERS)));
};
const OPERATORS = [flip, remove, sign, word, word, copy, repeat, splice, graft, number];

// Mostly between two bytes, sometimes over a few.
function near(bytes, chance) {
  const start = place(bytes, chance);
  return [start, chance.once(2) ? start : Math.min(bytes.length, start + chance.below(8))];
}
