// Writes src/matching/counting-code.ts: the walk over a text, and the making of a segment, as a WebAssembly module. A first
// build and a changed file meet JavaScript that V8 has not made fast yet; this runs at full speed from its first step.
import { writeFileSync } from 'node:fs';
import {
  ARROW,
  COUNTS,
  EQUALS_SIGN,
  FUNCTION_WORD,
  HEAP,
  KEYS,
  kinds,
  LEADS_NO_VALUE,
  LINE,
  LISTS,
  list,
  NAMES,
  NO_KEY,
  NOTED,
  ODD,
  ODD_RUN,
  SEED,
  SIGN_FIRST,
  TABLES,
  table,
  taken,
  WORD,
  WORD_KEYS,
} from './counting/layout.mjs';
import { byKey, leaveSegment, measure, take, write } from './counting/segment.mjs';
import { countKey, insert, lookUp, push, spread, tally } from './counting/tables.mjs';
import { walk } from './counting/walk.mjs';
import { apart, countName, countWords, key, name, run, runAt, termKey, wholeKey, word } from './counting/words.mjs';
import { moduleOf } from './wasm.mjs';

const routines = [
  ...[lookUp, insert, push, countKey, word, apart, wholeKey, run, termKey, tally],
  ...[runAt, name, countName, countWords, key, walk, take, byKey, measure, write, leaveSegment, spread],
];
if (routines.slice(0, NAMES.length).some(({ name }, i) => name !== NAMES[i]))
  throw new Error('the names are out of order');
const module = moduleOf(routines, { data: [{ at: 0, bytes: kinds }], taken });
await WebAssembly.compile(module);
const object = (values) =>
  `{ ${Object.entries(values)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')} }`;
writeFileSync(
  new URL('../src/matching/counting-code.ts', import.meta.url),
  `// Made by scripts/counting-code.mjs, which says what is in it.
export const COUNTING_CODE =
  '${module.toString('base64')}';
// Where in its memory everything stands.
export const TABLES = ${object(TABLES)};
export const TABLE = ${object(table)};
export const LISTS = ${object(LISTS)};
export const LIST = ${object(list)};
export const LINE = ${object({ ...LINE, arrow: ARROW, functionWord: FUNCTION_WORD, signFirst: SIGN_FIRST, odd: ODD, equals: EQUALS_SIGN })};
export const WORD = ${object(WORD)};
export const KEYS = ${object(KEYS)};
export const NOTED = ${object(NOTED)};
export const LEADS_NO_VALUE = ${LEADS_NO_VALUE};
export const [COUNTS, WORD_KEYS, SEED, HEAP] = [${COUNTS}, ${WORD_KEYS}, ${SEED}, ${HEAP}];
export const [NO_KEY, ODD_RUN] = [${NO_KEY}, ${ODD_RUN}];
`,
);
