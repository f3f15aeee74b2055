import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openRooms, type Rooms } from '../../src/bearings.ts';
import { effort, LONGEST_MS } from '../support/effort.ts';
import { STARTED } from '../support/process/binary.ts';
import { type Census, emptyCensus, expectVerified, readOr } from './census.ts';

const KILLS = effort(1_000, 8);
const WORDS = 'a sentence of my own';
const WORKER = resolve(import.meta.dirname, 'confirm-worker.mjs');
const BLOCK = /^note (\S+) of a process\nwith a second line, so that half of it would show$/;

const folder = mkdtempSync(join(tmpdir(), 'bearings-kill-'));
const census: Census = emptyCensus();

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  console.log(`real kills ${census.kills}: lost ${census.lost}, doubled ${census.doubled}, torn ${census.torn}`);
});

function libraryAt(home: string): Rooms {
  return openRooms({ home, cwd: home, variables: { BEARINGS_CACHE: join(home, 'cache') } });
}

// Runs a worker and ends it with SIGKILL `after` milliseconds after the first line that starts with `word`: the instants of
// a confirmation, or those after one.
function runAndKill(
  [home, name, passphrase]: readonly [string, string, string | null],
  word: 'proposed' | 'accepted',
  after: number,
): Promise<string[]> {
  return new Promise((done) => {
    const words = [WORKER, home, name, '100000', ...(passphrase === null ? [] : [passphrase])];
    const child = spawn(process.execPath, [...STARTED, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.on('data', (chunk) => {
      const waited = said.includes(word);
      said += chunk;
      if (!waited && said.includes(word)) setTimeout(() => child.kill('SIGKILL'), after);
    });
    child.on('close', () =>
      done(
        said
          .split('\n')
          .filter((line) => line.startsWith('accepted'))
          .map((line) => line.slice(9)),
      ),
    );
  });
}

const LEVELS = [
  { level: 'ask', passphrase: null, kills: KILLS },
  { level: 'passphrase', passphrase: WORDS, kills: Math.ceil(KILLS / 2) },
];
describe.each(LEVELS)('at confirm: $level', ({ level, passphrase, kills }) => {
  it(
    `M24 M22 ${kills} processes killed at random instants of a confirmation: nothing lost, doubled or torn`,
    async () => {
      const before = census.kills;
      const promised = new Set<string>();
      let accepted = 0;
      // A fresh home now and then: the first decision of all makes key, ledger and notes.
      for (let kill = 0, home = ''; kill < kills; kill += 1) {
        if (kill % 20 === 0) {
          home = join(folder, `${level}${kill}`);
          mkdirSync(join(home, 'workspaces/w'), { recursive: true });
          promised.clear();
          if (passphrase !== null) await (await libraryAt(home).gate()).setPassphrase(passphrase);
        }
        // Every third process is killed after its first confirmation, however slow the machine is.
        const word = kill % 3 === 2 ? 'accepted' : 'proposed';
        for (const name of await runAndKill([home, `k${kill}`, passphrase], word, Math.random() * 60)) {
          promised.add(name);
          accepted += 1;
        }
        census.kills += 1;

        const bearings = libraryAt(home);
        const pending = (await (await bearings.gate()).listProposals('all')).map(
          ({ content }) => BLOCK.exec(content)?.[1] ?? content,
        );
        const text = readOr(join(home, 'workspaces/w/notes.md'), '');
        const blocks = text === '' ? [] : text.replace(/\n$/, '').split('\n\n');
        const standing = blocks.map((block) => BLOCK.exec(block)?.[1]);
        census.torn += standing.filter((name) => name === undefined).length;
        census.doubled +=
          standing.length - new Set(standing).size + pending.filter((name) => standing.includes(name)).length;
        census.lost += [...promised].filter((name) => !standing.includes(name)).length;
        expect(census).toEqual({ kills: before + kill + 1, lost: 0, doubled: 0, torn: 0 });
        await expectVerified(bearings);
      }
      // A run in which nothing was ever confirmed would prove nothing.
      expect(accepted).toBeGreaterThanOrEqual(Math.floor(kills / 3));
    },
    LONGEST_MS,
  );
});
