// In the process of the tests. Asked for one fault, it is on from the start. Asked for each, every test that passes is run
// again for every fault it reaches: the code is loaded once. A clean run after each failure tells a fault from a test that
// can't be run twice; what is in doubt, and what runs while files are loaded, is left to a process of its own.
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestRunner } from 'vitest';
import { getFn, getHooks } from 'vitest/suite';

const work = process.env.BEARINGS_MUTATION;
const question = JSON.parse(readFileSync(join(work, 'question.json'), 'utf8'));
const alive = new Set(question.alive ?? []);
const done = new Set(question.done ?? []);
const tell = (line) => appendFileSync(join(work, 'verdicts.jsonl'), `${JSON.stringify(line)}\n`);

let reached = new Set();
let on = question.fault ?? null;
globalThis.__fault = (id) => {
  if (on === null) reached.add(id);
  return id === on;
};

export default class extends TestRunner {
  onBeforeTryTask(test, tries) {
    if (question.alive && reached.size > 0) tell({ outside: [...reached] });
    reached = new Set();
    return super.onBeforeTryTask(test, tries);
  }

  async runTask(test) {
    const begun = performance.now();
    await getFn(test)();
    if (!question.alive || done.has(test.id)) return;
    const ms = performance.now() - begun;
    const ids = [...reached].filter((id) => alive.has(id));
    tell({ test: test.id, reached: ids });
    if (ids.length === 0) return;
    if (ms > question.slowest) return tell({ slow: ids });
    const limit = 5_000 + ms * 20;
    if (!(await passes(test, null, limit))) tell({ unsure: ids });
    else await this.judge(test, ids, limit);
    tell({ done: test.id });
  }

  async judge(test, ids, limit) {
    for (const [at, id] of ids.entries()) {
      tell({ begin: id, limit });
      if (await passes(test, id, limit)) continue;
      if (!(await passes(test, null, limit))) return tell({ unsure: ids.slice(at) });
      alive.delete(id);
      tell({ noticed: id });
    }
  }
}

async function passes(test, fault, limit) {
  const suites = [];
  for (let suite = test.suite ?? test.file; suite; suite = suite.suite) suites.unshift(suite);
  if (suites[0] !== test.file) suites.unshift(test.file);
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('no end')), limit);
  });
  const again = async () => {
    for (const suite of suites) for (const hook of getHooks(suite).beforeEach) await hook(test.context, suite);
    await getFn(test)();
  };
  on = fault;
  try {
    await Promise.race([again(), late]);
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
    for (const suite of suites.reverse())
      for (const hook of getHooks(suite).afterEach) await Promise.resolve(hook(test.context, suite)).catch(() => {});
    on = null;
  }
}
