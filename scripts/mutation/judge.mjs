// Which faults the test files of a folder notice. First all at once, file by file, in processes that load the code once;
// then one by one those that need a process of their own.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const QUICK_MS = 400;
const LOADING_MS = 60_000;

export async function judgeAll({ mutants, files, work, root, say }) {
  const state = {
    alive: new Set(mutants.map(({ id }) => id)),
    /** Reached by any test at all. */
    reached: new Set(),
    /** For each fault the files that have to be asked about it alone. */
    alone: new Map(),
    times: new Map(),
  };
  const slow = [];
  let runner = startRunner(work, root);
  for (const file of files) {
    const begun = Date.now();
    runner = await eachIn(file, QUICK_MS, { state, runner, work, root, say, slow });
    state.times.set(file, Date.now() - begun);
  }
  for (const file of new Set(slow))
    runner = await eachIn(file, Number.MAX_SAFE_INTEGER, { state, runner, work, root, say, slow });
  runner = await oneByOne({ state, runner, work, root });
  runner.end();
  return {
    survivors: mutants
      .filter(({ id }) => state.alive.has(id))
      .map((mutant) => ({ ...mutant, verdict: state.reached.has(mutant.id) ? 'survived' : 'not run by any test' })),
  };
}

// Goes on behind the fault that made it hang or end: no answer in time is a fault noticed too.
async function eachIn(file, slowest, { state, runner, work, root, say, slow }) {
  const path = join(work, 'verdicts.jsonl');
  const done = [];
  for (let current = runner; ; current = startRunner(work, root)) {
    writeFileSync(path, '');
    let lines = [];
    const question = { file, alive: [...state.alive], done, slowest };
    const answer = await current.ask(question, () => {
      lines = linesOf(path);
      const last = lines.at(-1);
      return last?.begin === undefined ? LOADING_MS * 5 : last.limit * 3 + 10_000;
    });
    lines = linesOf(path);
    for (const line of lines) take(line, file, { state, done, slow });
    const stuck = lines.at(-1)?.begin;
    if (answer === null && stuck !== undefined) {
      state.alive.delete(stuck);
      continue;
    }
    if (answer === null) return startRunner(work, root);
    if (!answer.ok) say(`left out from here on, because it fails without any fault: ${file} ${answer.reason ?? ''}`);
    return current;
  }
}

function take(line, file, { state, done, slow }) {
  if (line.noticed !== undefined) state.alive.delete(line.noticed);
  if (line.done !== undefined) done.push(line.done);
  for (const id of line.reached ?? []) state.reached.add(id);
  if (line.slow) slow.push(file);
  for (const id of [...(line.outside ?? []), ...(line.unsure ?? [])]) {
    state.reached.add(id);
    state.alone.set(id, (state.alone.get(id) ?? new Set()).add(file));
  }
}

async function oneByOne({ state, runner, work, root }) {
  let current = runner;
  for (const [id, files] of state.alone) {
    for (const file of [...files].sort((a, b) => state.times.get(a) - state.times.get(b))) {
      if (!state.alive.has(id)) break;
      const answer = await current.ask({ file, fault: id }, () => LOADING_MS + 3 * state.times.get(file));
      if (answer?.ok) continue;
      if (answer === null) current = startRunner(work, root);
      state.alive.delete(id);
    }
  }
  return current;
}

function linesOf(path) {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  lines.pop();
  return lines.map((line) => JSON.parse(line));
}

function startRunner(work, root) {
  const child = spawn(process.execPath, [join(root, 'scripts/mutation/runner.mjs'), work], {
    ...{ cwd: root, stdio: ['ignore', 'ignore', 'pipe', 'ipc'], detached: true },
  });
  let errors = '';
  child.stderr.on('data', (text) => {
    errors = (errors + text).slice(-2000);
  });
  const end = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It is gone already.
    }
  };
  process.once('exit', end);
  return {
    end,
    /** Null: the process ended, or `limit` passed without a word in the list of verdicts. */
    ask: (question, limit) =>
      new Promise((resolve) => {
        const path = join(work, 'verdicts.jsonl');
        const sizeNow = () => (existsSync(path) ? readFileSync(path).length : 0);
        let [size, since] = [sizeNow(), Date.now()];
        const watch = setInterval(() => {
          const now = sizeNow();
          if (now !== size) [size, since] = [now, Date.now()];
          else if (Date.now() - since > limit()) done(null);
        }, 1_000);
        const done = (answer) => {
          clearInterval(watch);
          child.off('message', done);
          child.off('exit', gone);
          if (answer === null) end();
          resolve(answer);
        };
        const gone = () => {
          if (errors) console.error(errors);
          done(null);
        };
        child.on('message', done);
        child.on('exit', gone);
        child.send(question);
      }),
  };
}
