// Writes docs/benchmarks.md from bench/results/*.json and nothing else: what is better is decided here, by the figures.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const RESULTS = join(import.meta.dirname, 'results');
const HEAD = ['what', 'Bearings', 'against', 'command'];
const PAGE = join(import.meta.dirname, '../docs/benchmarks.md');

/** Rows of the page out of one part's rows: what, ours, whose, theirs, and whether less or more is better. */
const COMPARED = {
  poison: ({ rows: [ours, ...peers] }) =>
    peers.map(([name, ...cells]) => [
      'Poisoned texts that lasted',
      lasted(ours),
      shortName(name),
      lasted(cells),
      'less',
    ]),
  memory: ({ rows, about }) =>
    rows
      .filter(([work, against]) =>
        against === 'server-filesystem' ? /10,000 lines/.test(work) : !/ (?:1,000|10,000) |process,/.test(`${work} `),
      )
      .map(([work, against, ours, theirs]) => [
        work.replace('the same: time', '8 processes write 25 each: time'),
        ours,
        versionIn(about, against),
        theirs,
        /kept/.test(work) ? 'more' : 'less',
      ]),
  packing: ({ rows, about }) =>
    rows
      .filter(([, , theirs]) => theirs !== 'left out')
      .map(([size, ours, theirs]) => [`Context of ${size}`, ours, versionIn(about, 'repomix'), theirs, 'less']),
  context: ({ rows }) =>
    rows
      .filter(([group, , by]) => group === 'all' && by !== 'bearings')
      .flatMap(([group, n, by, recall, , f1]) => {
        const [, , , ...ours] = rows.find((row) => row[0] === group && row[2] === 'bearings');
        const name = (figure) => `${figure} of lines, ${n} cases (earlier)`;
        const all = [
          [name('F1'), ours[2], by, f1, 'more'],
          [name('Recall'), ours[0], by, recall, 'more'],
        ];
        return all;
      }),
  steps: ({ rows, about }) =>
    rows.flatMap(([chain, ours, mastra, , graph]) =>
      [
        [`One of ${chain}`, ours, versionIn(about, '@mastra/core'), mastra, 'less'],
        [`One of ${chain}`, ours, versionIn(about, '@langchain/langgraph'), graph, 'less'],
      ].filter(([, , , theirs]) => /\d/.test(theirs)),
    ),
  search: ({ rows: [[, recall, build, , query], ...peers], about }) =>
    peers.flatMap(([name, ...theirs]) => [
      ['Recall at 5, flask', recall, versionIn(about, name), theirs[0], 'more'],
      ['Building its index', build, versionIn(about, name), theirs[1], 'less'],
      ['One warm query', query, versionIn(about, name), theirs[3], 'less'],
    ]),
};

/** The same for parts without a peer: what, the figure, our bound, whether it holds. */
const BOUNDED = {
  // Rows of its own ratios stay in the data.
  read: ({ rows }) => rows.filter(([what]) => /node|decisions|first read/.test(what)),
  stale: ({ rows }) => {
    const [, , , moved, , unchanged] = rows.at(-1);
    const percent = (cell) => Number(/\((.*) %\)/.exec(cell)[1]);
    return [
      ['Notes told when the cited code moved or went', moved, '99 %', percent(moved) >= 99 ? 'holds' : 'does not'],
      ['Notes told without a change', unchanged, '1 %', percent(unchanged) <= 1 ? 'holds' : 'does not'],
    ];
  },
};

/** The page as it has to be, for these results by part. */
export function pageText(results) {
  const lists = { win: [], level: [], lose: [], held: [] };
  for (const result of Object.values(results)) {
    const command = result.command.replace(/^npm run /, '');
    if (isCompared(result))
      for (const [what, ours, peer, theirs, better] of (COMPARED[result.part] ?? ((each) => each.rows))(result))
        add(lists[standing(ours, theirs, better)], [what, ours, `${peer}: ${theirs}`, command]);
    if (result.part in BOUNDED || result.head.includes('bound'))
      for (const [what, measured, bound, holds] of (BOUNDED[result.part] ?? ((each) => each.rows))(result))
        if (bound !== '') add(lists[holds === 'holds' ? 'held' : 'lose'], [what, measured, `bound ${bound}`, command]);
  }
  const { rows: unmeasured } = results['not-measured'];
  return `${[
    '# Benchmarks',
    'Written by `node bench/benchmarks-page.mjs` from [the data](../bench/results/). Commands follow `npm run`; empty: the one above. Brackets: middle half of the rounds; ±: error of the mean (95 %). Level: ranges overlap, or less than 5 % (shares: 10 points) apart. *Published*: their figure, on other cases. *Earlier*: of earlier code. Bounds are our own. Two busy cores.',
    '## We lose',
    table(HEAD, lists.lose),
    '## Level',
    table(HEAD, lists.level),
    '## We win',
    table(HEAD, lists.win),
    '## Not measured',
    table(['what', 'why'], unmeasured),
    '## Our own bounds that hold',
    table(HEAD, lists.held),
  ].join('\n\n')}\n`;
}

// `0 / 0 of 108`: in memory afterwards, and served.
const lasted = (cells) => cells.at(-1).replace(/ \/ \d+/, '');

// Peers of the same work share a row.
function add(list, row) {
  const same = list.find(([what, ours, , command]) => what === row[0] && ours === row[1] && command === row[3]);
  if (same) same[2] += `; ${row[2]}`;
  else list.push(row);
}

const isCompared = ({ part, head }) => part in COMPARED || head.join().startsWith('work,bearings,against');

function standing(ours, theirs, better) {
  const [a, b] = [rangeOf(ours), rangeOf(theirs)];
  if (a.low <= b.high && b.low <= a.high) return 'level';
  // Shares of a few dozen cases, where no error is given, differ by chance by so many points.
  const least = String(ours).endsWith('%') ? 10 : 0.05 * Math.max(a.value, b.value);
  if (Math.abs(a.value - b.value) < least) return 'level';
  return a.value < b.value === (better === 'less') ? 'win' : 'lose';
}

// `5.15 ms (4.27–5.43)`, `0.186 ± 0.031`, `200 of 200`.
function rangeOf(text) {
  const numbers = String(text).match(/\d[\d,]*(?:\.\d+)?/g) ?? [];
  const [value, ...spread] = numbers.map((digits) => Number(digits.replaceAll(',', '')));
  if (String(text).includes('±')) return { value, low: value - spread[0], high: value + spread[0] };
  if (String(text).includes('–')) return { value, low: spread[0], high: spread[1] };
  return { value, low: value, high: value };
}

const shortName = (name) => name.replace(/^@modelcontextprotocol\//, '');

function versionIn(about, name) {
  const found = new RegExp(`\\S*${name}\\S* \\d[\\d.]*\\d`, 'i').exec(about);
  return shortName(found?.[0] ?? name);
}

function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const isAgain = (row, at) => row.length > 3 && row[3] === rows[at - 1]?.[3];
  const short = rows.map((row, at) => (isAgain(row, at) ? [...row.slice(0, 3), ''] : row));
  return [line(head), line(head.map(() => '---')), ...short.map(line)].join('\n');
}

export function readResults() {
  const names = readdirSync(RESULTS)
    .filter((name) => name.endsWith('.json'))
    .sort();
  return Object.fromEntries(
    names.map((name) => [name.slice(0, -5), JSON.parse(readFileSync(join(RESULTS, name), 'utf8'))]),
  );
}

export function writePage() {
  writeFileSync(PAGE, pageText(readResults()));
}

if (process.argv[1] === import.meta.filename) writePage();
