// npm run bench:retrieval [-- GIT_DIRECTORY|owner/name …]: does an agent get the files it will need? Prints tables.
// BENCH_REPOS (the same list), BENCH_LOCOMO (repository, zip or json), BENCH_CASES (per repository, default 60),
// BENCH_BEAM (a git directory of mohammadtavakoli78/BEAM), BENCH_ONLY=code|talk|beam.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { openBearings } from '../dist/index.js';
import { createFloor } from './bm25-floor.mjs';
import { exitCode } from './results.mjs';
import {
  beamChats,
  casesOf,
  conversationsFrom,
  git,
  isSource,
  nameOf,
  repositoryAt,
  writeTurns,
} from './retrieval-data.mjs';

// Weights were set on honojs/hono, colinhacks/zod, modelcontextprotocol/typescript-sdk, yamadashy/repomix, encode/httpx and
// BurntSushi/ripgrep; on conversations 1 to 5. All below is unseen.
const UNSEEN = [
  ...['fastify/fastify', 'pallets/flask', 'sindresorhus/execa', 'psf/requests', 'gin-gonic/gin'],
  'expressjs/express',
];
const TUNED_CONVERSATIONS = 5;
const TOP = 50;
const BUDGET = 8000;
const folder = mkdtempSync(join(tmpdir(), 'bearings-retrieval-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const given = process.argv
  .slice(2)
  .concat((process.env.BENCH_REPOS ?? '').split(/[\s,]+/))
  .filter(Boolean);
const wanted = Number(process.env.BENCH_CASES ?? 60);
const bearings = openBearings({ home: join(folder, 'home'), variables: { BEARINGS_CACHE: join(folder, 'cache') } });
const floor = createFloor();
const tokens = new Map();
const failures = [];

const only = process.env.BENCH_ONLY;
if (only !== 'talk' && only !== 'beam') await tasks(given.length > 0 ? given : UNSEEN);
if (only !== 'code' && only !== 'beam') await talks(process.env.BENCH_LOCOMO ?? 'snap-research/locomo');
if (only !== 'code' && process.env.BENCH_BEAM) await beam(process.env.BENCH_BEAM);
for (const failure of failures) console.log(`FAIL ${failure}`);
process.exitCode = exitCode(failures.length === 0);

async function tasks(sources) {
  console.log(
    'Task text → changed files: recall at 1 / 5 / 10 and within 8,000 tokens; points over the floor in brackets',
  );
  const gains = [];
  for (const corpus of ['all files', 'source files']) gains.push({ corpus, rows: [] });
  for (const source of sources) {
    let repository;
    try {
      repository = repositoryAt(source, folder);
    } catch {
      console.log(`left out: ${source} (no such folder, and it could not be cloned)`);
      continue;
    }
    const work = join(folder, 'work', nameOf(source).replace('/', '+'));
    mkdirSync(join(folder, 'work'), { recursive: true });
    git(folder, 'clone', '--quiet', '--shared', '--no-checkout', repository, work);
    const sums = [newSums(), newSums()];
    const cases = casesOf(repository, wanted);
    for (const { parent, subject, files } of cases) await oneCase(work, { parent, subject, files }, sums);
    for (const [i, { corpus, rows }] of gains.entries())
      rows.push(report(nameOf(source), corpus, sums[i], cases.length));
    rmSync(work, { recursive: true, force: true });
  }
  for (const { corpus, rows } of gains) {
    const mean = (pick) => rows.reduce((sum, row) => sum + pick(row), 0) / rows.length;
    const [at5, plain5] = [mean((row) => row.ours[1]), mean((row) => row.plain[1])];
    console.log(`mean over ${rows.length}, ${corpus}: ${signed(at5)} at 5, without history ${signed(plain5)}`);
    if (at5 < 10) failures.push(`${corpus}: mean gain at 5 is ${signed(at5)}, bound +10`);
    if (plain5 < 5) failures.push(`${corpus}: mean gain at 5 without history is ${signed(plain5)}, bound +5`);
    for (const { name, ours } of rows)
      if (ours[1] < 6) failures.push(`${name}, ${corpus}: ${signed(ours[1])} at 5, bound +6`);
  }
}

async function oneCase(work, { parent, subject, files }, sums) {
  git(work, 'checkout', '--quiet', '--force', '--detach', parent);
  const paths = git(work, 'ls-files', '-z').split('\0').filter(Boolean);
  const options = { project: work, passages: 0, top: TOP * 4 };
  const ours = (await bearings.matching.rank(subject, options)).map(({ path }) => path);
  const plain = (await bearings.matching.rank(subject, { ...options, history: false, rescan: false })).map(
    ({ path }) => path,
  );
  const documents = floor.documents(work, paths);
  const sizes = new Map(documents.map(({ path, text }) => [path, text]));
  const base = floor.rank(documents, subject);
  const onlySource = floor.rank(
    documents.filter(({ path }) => isSource(path)),
    subject,
  );
  const count = (path) => {
    const text = sizes.get(path) ?? '';
    if (!tokens.has(text)) tokens.set(text, countTokens(text));
    return tokens.get(text);
  };
  add(sums[0], files, { base, ours, plain }, count);
  add(sums[1], files, { base: onlySource, ours: ours.filter(isSource), plain: plain.filter(isSource) }, count);
}

function newSums() {
  return { base: [0, 0, 0, 0], ours: [0, 0, 0, 0], plain: [0, 0, 0, 0] };
}

function add(sums, files, orders, count) {
  for (const [name, order] of Object.entries(orders)) {
    for (const [i, k] of [1, 5, 10].entries()) sums[name][i] += share(files, order.slice(0, k));
    sums[name][3] += share(files, fitting(order.slice(0, TOP), count));
  }
}

function fitting(order, count) {
  let room = BUDGET;
  return order.filter((path) => {
    const size = count(path);
    if (size > room) return false;
    room -= size;
    return true;
  });
}

function share(files, found) {
  const set = new Set(found);
  return files.filter((file) => set.has(file)).length / files.length;
}

function report(name, corpus, sums, cases) {
  const percent = (values) => values.map((value) => (100 * value) / cases);
  const [base, ours, plain] = [percent(sums.base), percent(sums.ours), percent(sums.plain)];
  const over = (values) => values.map((value, i) => value - base[i]);
  const shown = (values) => values.map((value, i) => `${value.toFixed(1)} (${signed(value - base[i])})`).join('  ');
  console.log(`${name}, ${corpus}, ${cases} cases`);
  console.log(`  floor            ${base.map((value) => value.toFixed(1)).join('  ')}`);
  console.log(`  with history     ${shown(ours)}`);
  console.log(`  without history  ${shown(plain)}`);
  return { name, ours: over(ours), plain: over(plain) };
}

async function talks(source) {
  let conversations;
  try {
    conversations = conversationsFrom(source, folder);
  } catch {
    console.log('left out: long conversations (LoCoMo could not be fetched; set BENCH_LOCOMO)');
    return;
  }
  console.log('\nQuestion → turns that answer it (LoCoMo, one file a turn): recall at 5 / 10 / 50');
  for (const [label, some] of [
    ['seen while tuning', conversations.slice(0, TUNED_CONVERSATIONS)],
    ['unseen', conversations.slice(TUNED_CONVERSATIONS)],
  ]) {
    const sums = { base: [0, 0, 0], ours: [0, 0, 0] };
    let questions = 0;
    for (const conversation of some) questions += await oneTalk(conversation, sums);
    const [base, ours] = [sums.base, sums.ours].map((values) => values.map((value) => (100 * value) / questions));
    console.log(`${label}: ${some.length} conversations, ${questions} questions`);
    console.log(`  floor  ${base.map((value) => value.toFixed(1)).join('  ')}`);
    console.log(`  ours   ${ours.map((value, i) => `${value.toFixed(1)} (${signed(value - base[i])})`).join('  ')}`);
    if (label === 'unseen') {
      if (ours[1] - base[1] < 15) failures.push(`conversations: ${signed(ours[1] - base[1])} at 10, bound +15`);
    }
  }
}

async function beam(repository) {
  console.log('\nQuestion → messages that answer it (BEAM 100K, one file a message): recall at 5 / 10 / 40');
  for (const [label, chats] of [
    ['seen while tuning', [1, 2, 3, 4, 5]],
    ['unseen', [6, 7, 8, 9, 10]],
  ]) {
    const sums = { base: [0, 0, 0], ours: [0, 0, 0] };
    let questions = 0;
    for (const chat of beamChats(repository, chats)) questions += await oneTalk(chat, sums, [5, 10, 40]);
    const [base, ours] = [sums.base, sums.ours].map((values) => values.map((value) => (100 * value) / questions));
    console.log(`${label}: chats ${chats.join(', ')}, ${questions} questions`);
    console.log(`  floor  ${base.map((value) => value.toFixed(1)).join('  ')}`);
    console.log(`  ours   ${ours.map((value, i) => `${value.toFixed(1)} (${signed(value - base[i])})`).join('  ')}`);
  }
}

async function oneTalk({ name, turns, questions }, sums, places = [5, 10, 50]) {
  const project = join(folder, 'talk', name);
  writeTurns(project, turns);
  const documents = floor.documents(
    project,
    turns.map(({ path }) => path),
  );
  await bearings.matching.rank('first', { project, top: 1, history: false });
  for (const { question, files } of questions) {
    const options = { project, top: TOP, history: false, passages: 0, rescan: false };
    const ours = (await bearings.matching.rank(question, options)).map(({ path }) => path);
    const base = floor.rank(documents, question);
    for (const [i, k] of places.entries()) {
      sums.base[i] += share(files, base.slice(0, k));
      sums.ours[i] += share(files, ours.slice(0, k));
    }
  }
  return questions.length;
}

function signed(points) {
  return `${points >= 0 ? '+' : ''}${points.toFixed(1)}`;
}
