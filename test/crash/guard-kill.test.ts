import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shownOf } from '../../src/gate/proposals/proposal.ts';
import { effort, LONGEST_MS } from '../support/effort.ts';
import { openLibrary } from '../support/open-library.ts';
import { bearings, environment, startBinary } from '../support/process/binary.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

const ROUNDS = effort(200, 4);
const FILES = ['MEMORY.md', 'a.md', 'b.md', 'deep/c.md', 'deep/d.md'];

// Gemini CLI's memory can't be switched off: its files are moved aside, and its list is a mirror.
function guardedHome() {
  const home = tempFolder();
  const cwd = join(home, 'proj');
  const folder = '.gemini/tmp/proj/memory';
  put(home, { 'proj/.bearings/brief.md': '# Proj\n', 'proj/.git/HEAD': 'ref: refs/heads/main\n' });
  const place = { home, cwd };
  expect(bearings(place, 'install', 'gemini-cli', '--guard', '--yes').code).toBe(0);
  const sweep = () => bearings(place, 'hook', 'session-end', '--client', 'gemini-cli');
  return { ...place, memory: join(home, folder), aside: join(home, '.bearings/guarded/gemini-cli'), sweep };
}

type Guarded = ReturnType<typeof guardedHome>;

const start = ({ home, cwd }: Guarded, ...args: string[]) => startBinary(args, { cwd, env: environment({ home }) });

// Ends it with SIGKILL some milliseconds after what it does first is seen on the disk.
async function killed(running: ReturnType<typeof start>, isUnderWay: () => boolean, after: number): Promise<boolean> {
  const watch = setInterval(() => {
    if (!isUnderWay()) return;
    clearInterval(watch);
    setTimeout(() => running.child.kill('SIGKILL'), after);
  }, 1);
  const { code } = await running.ended;
  clearInterval(watch);
  return code === null;
}

const waiting = async ({ home, cwd }: Guarded) => (await openLibrary(home, { cwd }).gate()).listProposals('all');
const linesIn = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').length : 0);

function treeOf(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(folder.length + 1), readFileSync(path, 'utf8')];
    }),
  );
}

describe('M56 M24 the guard, killed', () => {
  it(
    `M56 M24 ${ROUNDS} times two sessions at once, killed at random instants: each text waits once, none is gone, undone all is as before`,
    async () => {
      let kills = 0;
      let guarded = guardedHome();
      let first: Record<string, string> = {};
      for (let round = 0; round < ROUNDS; round += 1) {
        const { home, cwd, memory, aside, sweep } = guarded;
        const text = (name: string) => `Round ${round} of ${name} says ${'so '.repeat(20)}and no more.\n`;
        const files = Object.fromEntries(FILES.map((name) => [name, text(name)]));
        put(memory, files);
        first = { ...files, ...first };
        const moved = () => linesIn(join(aside, 'moved.jsonl')) + linesIn(join(aside, 'mirrors.jsonl'));
        const [before, hook] = [moved(), ['hook', 'session-end', '--client', 'gemini-cli']];
        const isUnderWay = () => moved() > before + (round % FILES.length);
        const sessions = [0, 1].map(() => {
          const running = start(guarded, ...hook);
          return killed(running, isUnderWay, Math.random() * 12);
        });
        kills += (await Promise.all(sessions)).filter(Boolean).length;
        expect(sweep().code).toBe(0);

        const proposals = await waiting(guarded);
        expect(proposals.map(({ content }) => content).sort()).toEqual(
          Object.values(files)
            .map((each) => each.trim())
            .sort(),
        );
        expect(Object.keys(treeOf(memory))).toEqual(['MEMORY.md']);
        const kept = Object.values(treeOf(aside)).filter((each) => each.startsWith(`Round ${round} `));
        expect(kept.sort()).toEqual(Object.values(files).sort());
        // What is accepted comes back as the mirror, and nobody is asked again.
        const gate = await openLibrary(home, { cwd }).gate();
        for (const [at, proposal] of proposals.entries()) {
          const decision = at === 0 ? 'accept' : 'decline';
          await gate.decide(shownOf(proposal), null, { decision, via: 'review', client: null });
        }
        const mirrors = linesIn(join(aside, 'mirrors.jsonl'));
        const isMirroring = () => linesIn(join(aside, 'mirrors.jsonl')) > mirrors;
        if (await killed(start(guarded, ...hook), isMirroring, Math.random() * 3)) kills += 1;
        expect(sweep().code).toBe(0);
        expect(readFileSync(join(memory, 'MEMORY.md'), 'utf8')).toContain(proposals[0]?.content);
        expect(await waiting(guarded)).toEqual([]);

        if (round % 10 !== 9 && round !== ROUNDS - 1) continue;
        const undo = ['install', 'gemini-cli', '--guard', '--undo', '--yes'];
        await killed(start(guarded, ...undo), () => !existsSync(join(memory, 'MEMORY.md')), Math.random() * 4);
        expect([0, 2]).toContain(bearings({ home, cwd }, ...undo).code);
        expect(treeOf(memory)).toEqual(first);
        [guarded, first] = [guardedHome(), {}];
      }
      console.log(`the guard: ${kills} kills in ${ROUNDS} rounds`);
      expect(kills).toBeGreaterThan(0);
    },
    LONGEST_MS,
  );
});
