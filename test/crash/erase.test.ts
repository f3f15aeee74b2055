import { cpSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRooms, type Rooms } from '../../src/bearings.ts';
import { type FileLayer, realFiles } from '../../src/files/write-file.ts';
import { isLong } from '../support/effort.ts';
import { decided, proposed } from '../support/open-library.ts';
import { rawScan } from '../support/raw-scan.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { expectVerified } from './census.ts';
import { Crash, crashAt } from './crash-layer.ts';

const TEXT = 'The lighthouse keeper of Norderoog\nwhistles when the fog comes in.';
/** Of the kills, and of the steps of the recovery after one, every so many die again: some four hundred in the long form. */
const STRIDE = isLong ? 3 : 18;
/** Of the steps of an erasure all of the first, in which it is begun, and then every so many are killed. */
const BEGINNING = 6;
const STEP = isLong ? 1 : 3;
const folder = tempFolder();
const home = join(folder, 'home');

const libraryAt = (files: FileLayer = realFiles): Rooms =>
  openRooms({ home, cwd: folder, variables: { HOME: folder, BEARINGS_CACHE: join(home, 'cache') }, files });

// A text in two ledgers, a transcript, a served context, a proposal that waits and a log.
async function prepare(): Promise<void> {
  for (const id of ['manta', 'other']) mkdirSync(join(home, 'workspaces', id), { recursive: true });
  const bearings = libraryAt();
  for (const id of ['manta', 'other']) {
    await decided(bearings, await proposed(bearings, TEXT, { id }));
    await decided(bearings, await proposed(bearings, 'Something else.', { id }));
  }
  const session = await (await bearings.sessions()).openSession({ id: 'manta' }, 'studio');
  session.served(JSON.stringify((await (await bearings.memory()).readContext('manta')).context));
  await (await bearings.gate()).propose(session, { kind: 'notes', content: `Again: ${TEXT}` });
  await (await bearings.sessions()).logOperation('manta', 'look', { why: TEXT });
}

const erase = async (bearings: Rooms) =>
  (await bearings.gate()).erase(await (await bearings.gate()).showErasure(TEXT), { via: 'terminal' });

async function untilCrash(work: (files: FileLayer) => Promise<unknown>, at: number, share: number): Promise<boolean> {
  const layer = crashAt(realFiles, at, share);
  try {
    await work(layer.files);
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
  }
  return layer.steps() < at;
}

// Not begun, or gone to the last byte.
async function expectAllOrNothing(context: string): Promise<'erased' | 'not begun'> {
  const bearings = libraryAt();
  await (await bearings.gate()).listProposals('all');
  const left = rawScan([home], TEXT).filter((path) => path !== 'intents/erase');
  const entries = (await expectVerified(bearings)).ledgers.flatMap((report) => report.entries);
  const erasures = entries.filter(({ decision }) => decision === 'erase').length;
  const notes = readFileSync(join(home, 'workspaces/manta/notes.md'), 'utf8');
  if (left.length > 0) {
    expect([erasures, notes], context).toEqual([0, `${TEXT}\n\nSomething else.\n`]);
    return 'not begun';
  }
  expect([erasures, notes], context).toEqual([2, 'Something else.\n']);
  return 'erased';
}

describe('M44 M24 a process that dies at any step of an erasure', () => {
  it('M44 not begun, or carried to the end at the next start; also where that dies on the way', async () => {
    await prepare();
    const kept = join(folder, 'kept');
    renameSync(home, kept);
    const again = (): void => {
      rmSync(home, { recursive: true, force: true });
      cpSync(kept, home, { recursive: true });
    };
    const outcomes = { erased: 0, 'not begun': 0 };
    for (let at = 1, through = false; !through; at += at < BEGINNING ? 1 : STEP) {
      again();
      through = await untilCrash((files) => erase(libraryAt(files)), at, 0.5);
      const outcome = await expectAllOrNothing(`step ${at}`);
      outcomes[outcome] += 1;
      if (outcome === 'not begun') {
        await erase(libraryAt());
        expect(await expectAllOrNothing(`step ${at}, once more`)).toBe('erased');
      } else if (!through && at % STRIDE === 0) {
        for (let next = 1 + (at % 3), recovered = false; !recovered; next += STRIDE) {
          again();
          await untilCrash((files) => erase(libraryAt(files)), at, 0.5);
          recovered = await untilCrash(
            async (files) => (await libraryAt(files).gate()).listProposals('all'),
            next,
            0.5,
          );
          expect(await expectAllOrNothing(`step ${at}, recovery step ${next}`)).toBe('erased');
        }
      }
    }
    console.log(`erase kills: ${outcomes['not begun']} not begun, ${outcomes.erased} carried to the end`);
    expect(outcomes['not begun']).toBeGreaterThan(1);
    expect(outcomes.erased).toBeGreaterThan(10);
  });

  it('M44 a decision between crash and restart comes after it, and a read does not bring it back', async () => {
    rmSync(home, { recursive: true, force: true });
    cpSync(join(folder, 'kept'), home, { recursive: true });
    let steps = 1;
    for (; ; steps += 1) {
      await untilCrash((files) => erase(libraryAt(files)), steps, 1);
      if (rawScan([home], TEXT).includes('intents/erase') && (await intentIsWhole())) break;
      rmSync(home, { recursive: true, force: true });
      cpSync(join(folder, 'kept'), home, { recursive: true });
    }
    expect((await (await libraryAt().memory()).readContext('manta')).context.notes.summary).toBe('Something else.\n');
    const bearings = libraryAt();
    await decided(bearings, await proposed(bearings, 'After it.'));
    expect(rawScan([home], TEXT)).toEqual([]);
    await expectVerified(libraryAt());
  });
});

async function intentIsWhole(): Promise<boolean> {
  return readFileSync(join(home, 'intents/erase'), 'utf8').endsWith('\n');
}
