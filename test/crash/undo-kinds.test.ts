import { cpSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Rooms } from '../../src/bearings.ts';
import { type FileLayer, realFiles } from '../../src/files/write-file.ts';
import type { Proof } from '../../src/gate/keys/confirm-level.ts';
import { isLong } from '../support/effort.ts';
import { decided, openLibrary, proposed } from '../support/open-library.ts';
import { raised, signedWith, softAuthenticator } from '../support/page/soft-authenticator.ts';
import { person } from '../support/person.ts';
import { put } from '../support/temp-folder.ts';
import { Crash, crashAt } from './crash-layer.ts';

const MANTA = '.bearings/workspaces/manta';
const NOTES = `${MANTA}/notes.md`;
const ARCHIVE = `${MANTA}/notes-archive.md`;
const TASTE = '.bearings/tastes/_default.md';
const { place, at } = person({ [NOTES]: '# Manta\n\nfirst\n', [TASTE]: '- calm\n- slow\n', [ARCHIVE]: 'long gone\n' });
const WORDS = 'a sentence of my own';
const PORT = 7_400;
const texts = () => [NOTES, TASTE, ARCHIVE].map((name) => readFileSync(at(name), 'utf8'));

/** The person's yes at the level in force: what is signed, she signs. */
type Say = <T>(bearings: Rooms, work: (proof: Proof) => Promise<T>) => Promise<T>;

interface Level {
  name: string;
  enter(bearings: Rooms): Promise<Say>;
  passphrase: string | null;
  /** Which decision's undo is killed at each step; a long run kills that of every kind. */
  killed: string;
  /** Of how many steps one is killed; a long run kills each. */
  stride: number;
}

const LEVELS: Level[] = [
  {
    name: 'ask',
    enter: async () => (_, work) => work({}),
    passphrase: null,
    killed: 'a note replaced',
    stride: 2,
  },
  {
    name: 'passphrase',
    async enter(bearings) {
      await (await bearings.gate()).setPassphrase(WORDS);
      return (_, work) => work({ passphrase: WORDS });
    },
    passphrase: WORDS,
    killed: 'accept',
    // A passphrase takes its time on purpose.
    stride: 5,
  },
  {
    name: 'passkey',
    async enter(bearings) {
      const authenticator = softAuthenticator(PORT);
      await raised(bearings, authenticator, { port: PORT });
      return (own, work) => signedWith(own, authenticator, (passkey) => work({ passkey }));
    },
    passphrase: null,
    killed: 'a tidy that takes a merged-back block out again',
    stride: 3,
  },
];

/** Makes the decision; gives the notes that an undo must give back, where they changed before it. */
type Kind = [string, (bearings: Rooms, say: Say) => Promise<unknown>];

async function saved(bearings: Rooms, say: Say, change: (text: string) => string): Promise<void> {
  const { text, sha256 } = await (await bearings.gate()).editableText('notes.md', 'manta');
  const save = { via: 'edit', text: change(text), before_sha256: sha256 } as const;
  await say(bearings, async (proof) => (await bearings.gate()).saveText('notes.md', 'manta', { ...save, ...proof }));
}

async function accepted(bearings: Rooms, say: Say, content: string, more: Parameters<typeof proposed>[2] = {}) {
  const id = await proposed(bearings, content, more);
  await say(bearings, (proof) => decided(bearings, id, proof));
}

async function goneBack(bearings: Rooms, say: Say, decision?: string): Promise<void> {
  const shown = await (await bearings.gate()).showUndo(decision);
  await say(bearings, async (proof) => (await bearings.gate()).goBack(shown, { via: 'terminal', ...proof }));
}

// Another person accepted it in her clone of the workspace: her ledger came with the merge, and her key is trusted.
async function acceptedByMate(bearings: Rooms, say: Say, content: string): Promise<void> {
  const mate = `${place.home}-mate`;
  put(mate, { [NOTES]: '' });
  const own = openLibrary(mate);
  await decided(own, await proposed(own, content));
  const ledger = `${MANTA}/ledger`;
  for (const name of readdirSync(join(mate, ledger)).filter((each) => each !== '.lock'))
    cpSync(join(mate, ledger, name), join(at(ledger), name), { recursive: true });
  for (const { fingerprint } of await (await bearings.gate()).unknownKeys())
    await say(bearings, async (proof) => (await bearings.gate()).trustKey(fingerprint, proof));
}

async function tidied(bearings: Rooms, say: Say, merged: string): Promise<string> {
  put(place.home, { [NOTES]: merged });
  const [found] = await (await bearings.gate()).mergedFiles('all');
  if (!found) throw new Error('Nothing is there to be tidied.');
  await say(bearings, async (proof) => (await bearings.gate()).tidyFile(found, { via: 'review', ...proof }));
  expect(texts()[0]).not.toBe(merged);
  return merged;
}

const KINDS: Kind[] = [
  ['accept', (b, say) => accepted(b, say, 'Two.\n\nThree.')],
  [
    'accept, edited',
    async (b, say) => {
      const id = await proposed(b, 'Two.');
      await say(b, (proof) => decided(b, id, { ...proof, editedContent: 'Two and a half.' }));
    },
  ],
  [
    'a taste replaced',
    (b, say) => accepted(b, say, '- quick', { kind: 'taste', category: 'value', replaces: '- slow' }),
  ],
  ['a note replaced', (b, say) => accepted(b, say, 'second', { replaces: 'first' })],
  ['a note retired', (b, say) => accepted(b, say, '', { retires: 'first' })],
  ['an edit by hand', (b, say) => saved(b, say, (text) => text.replace('first', 'second'))],
  [
    'a block taken out',
    async (b, say) => {
      const smuggled = '# Manta\n\nfirst\n\nsmuggled\n';
      put(place.home, { [NOTES]: smuggled });
      const [found] = await (await b.gate()).unaccountedBlocks('all');
      if (found) await say(b, async (proof) => (await b.gate()).takeOutBlock(found, { via: 'review', ...proof }));
      return smuggled;
    },
  ],
  [
    'an undo',
    async (b, say) => {
      await accepted(b, say, 'Two.');
      await goneBack(b, say);
      const [undo] = (await (await b.gate()).history('notes.md', 'manta')).decisions;
      await goneBack(b, say, undo?.decision_id);
    },
  ],
  [
    'a restore',
    async (b, say) => {
      await accepted(b, say, 'Two.');
      const [accept] = (await (await b.gate()).history('notes.md', 'manta')).decisions;
      await accepted(b, say, 'Three.');
      const shown = await (await b.gate()).showRestore('notes.md', accept?.decision_id, 'manta');
      await say(b, async (proof) => (await b.gate()).goBack(shown, { via: 'terminal', ...proof }));
      await goneBack(b, say);
      await goneBack(b, say);
    },
  ],
  [
    'a tidy that takes a merged-back block out again',
    async (b, say) => {
      await acceptedByMate(b, say, 'Two.');
      const both = '# Manta\n\nfirst\n\nTwo.\n';
      put(place.home, { [NOTES]: both });
      await accepted(b, say, '', { retires: 'Two.' });
      return tidied(b, say, both);
    },
  ],
];

async function expectVerified(passphrase: string | null): Promise<void> {
  const reports = await (await openLibrary(place.home).gate()).verify(passphrase);
  expect(reports.faults.map(({ message }) => message)).toEqual([]);
}

async function decidedAt({ enter }: Level, decide: Kind[1]): Promise<{ say: Say; before: string[] }> {
  const bearings = openLibrary(place.home);
  const say = await enter(bearings);
  await say(bearings, async (proof) => (await bearings.gate()).adoptAll('all', { via: 'init', ...proof }));
  const before = texts();
  const changed = await decide(bearings, say);
  if (typeof changed === 'string') before[0] = changed;
  return { say, before };
}

// True when it went through before the crash could come.
async function untilCrash(work: (files: FileLayer) => Promise<unknown>, step: number): Promise<boolean> {
  const layer = crashAt(realFiles, step, 0.5);
  try {
    await work(layer.files);
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
  }
  return layer.steps() < step;
}

describe.each(LEVELS)('M40 at confirm: $name', (level) => {
  it.each(KINDS)('M40 after %s an undo gives every file back as it was', async (kind, decide) => {
    const { say, before } = await decidedAt(level, decide);
    const [last] = (await (await openLibrary(place.home).gate()).history('notes.md', 'manta')).decisions;
    await goneBack(openLibrary(place.home), say);
    expect(texts()).toEqual(before);
    if (kind.includes('tidy')) {
      expect(last?.decision).toBe('tidy');
      const [undo] = (await (await openLibrary(place.home).gate()).history('notes.md', 'manta')).decisions;
      expect(undo).toMatchObject({ decision: 'undo', subject: last?.decision_id });
      expect(await (await openLibrary(place.home).gate()).unaccountedBlocks('all')).toEqual([]);
      expect(await (await openLibrary(place.home).gate()).mergedFiles('all')).toEqual([]);
    }
    await expectVerified(level.passphrase);
  });

  it.each(KINDS.filter(([kind]) => isLong || kind === level.killed))(
    'M40 M24 an undo of %s that dies at any step is whole or has not begun, and can be done again',
    async (_, decide) => {
      const { say, before } = await decidedAt(level, decide);
      const after = texts();
      const kept = `${place.home}-kept`;
      renameSync(place.home, kept);
      for (let step = 1, through = false; !through; step += isLong ? 1 : level.stride) {
        rmSync(place.home, { recursive: true, force: true });
        cpSync(kept, place.home, { recursive: true });
        through = await untilCrash((files) => goneBack(openLibrary(place.home, { files }), say), step);
        const bearings = openLibrary(place.home);
        await (await bearings.gate()).listProposals('all');
        const isUndone = JSON.stringify(texts()) === JSON.stringify(before);
        if (!isUndone) expect(texts(), `step ${step}`).toEqual(after);
        await expectVerified(level.passphrase);
        if (!isUndone) await goneBack(openLibrary(place.home), say);
        expect(texts(), `step ${step}`).toEqual(before);
        await expectVerified(level.passphrase);
      }
    },
  );
});
