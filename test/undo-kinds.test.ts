import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Bearings } from '../src/bearings.ts';
import { decided, openHouse, proposed } from './gate-house.ts';
import { person } from './person.ts';
import { put } from './temp-folder.ts';

const MANTA = '.bearings/workspaces/manta';
const NOTES = `${MANTA}/notes.md`;
const ARCHIVE = `${MANTA}/notes-archive.md`;
const TASTE = '.bearings/tastes/_default.md';
const { place, at } = person({ [NOTES]: '# Manta\n\nfirst\n', [TASTE]: '- calm\n- slow\n', [ARCHIVE]: 'long gone\n' });
const WORDS = 'a sentence of my own';
const texts = () => [NOTES, TASTE, ARCHIVE].map((name) => readFileSync(at(name), 'utf8'));

interface Level {
  name: string;
  passphrase?: string;
}
type Kind = [string, (bearings: Bearings, secret: { passphrase?: string }) => Promise<unknown>];

async function saved(bearings: Bearings, secret: object, change: (text: string) => string): Promise<void> {
  const { text, sha256 } = await bearings.internal.editableText('notes.md', 'manta');
  const save = { via: 'edit', text: change(text), before_sha256: sha256, ...secret } as const;
  await bearings.internal.saveText('notes.md', 'manta', save);
}

async function goneBack(bearings: Bearings, secret: object): Promise<void> {
  await bearings.gate.goBack(await bearings.gate.showUndo(), { via: 'terminal', ...secret });
}

const KINDS: Kind[] = [
  ['accept', async (b, s) => decided(b, await proposed(b, 'Two.\n\nThree.'), s)],
  ['accept, edited', async (b, s) => decided(b, await proposed(b, 'Two.'), { ...s, editedContent: 'Two and a half.' })],
  [
    'a taste replaced',
    async (b, s) =>
      decided(b, await proposed(b, '- quick', { kind: 'taste', category: 'value', replaces: '- slow' }), s),
  ],
  ['a note replaced', async (b, s) => decided(b, await proposed(b, 'second', { replaces: 'first' }), s)],
  ['a note retired', async (b, s) => decided(b, await proposed(b, '', { retires: 'first' }), s)],
  ['an edit by hand', async (b, s) => saved(b, s, (text) => text.replace('first', 'second'))],
  [
    'a block taken out',
    async (b, s) => {
      put(place.home, { [NOTES]: '# Manta\n\nfirst\n\nsmuggled\n' });
      const [found] = await b.gate.unaccountedBlocks('all');
      if (found) await b.gate.removeBlock(found, { via: 'review', ...s });
    },
  ],
  [
    'an undo',
    async (b, s) => {
      await decided(b, await proposed(b, 'Two.'), s);
      await goneBack(b, s);
      const [undo] = (await b.gate.history('notes.md', 'manta')).decisions;
      await b.gate.goBack(await b.gate.showUndo(undo?.decision_id), { via: 'terminal', ...s });
    },
  ],
  [
    'a restore',
    async (b, s) => {
      await decided(b, await proposed(b, 'Two.'), s);
      const [accept] = (await b.gate.history('notes.md', 'manta')).decisions;
      await decided(b, await proposed(b, 'Three.'), s);
      await b.gate.goBack(await b.gate.showRestore('notes.md', accept?.decision_id, 'manta'), {
        via: 'terminal',
        ...s,
      });
      await goneBack(b, s);
      await goneBack(b, s);
    },
  ],
];

describe.each([{ name: 'ask' }, { name: 'passphrase', passphrase: WORDS }] as Level[])(
  'M40 at confirm: $name',
  ({ passphrase }) => {
    it.each(KINDS)('M40 after %s an undo gives every file back as it was', async (kind, decide) => {
      const bearings = openHouse(place.home);
      if (passphrase !== undefined) await bearings.internal.setPassphrase(passphrase);
      const secret = passphrase === undefined ? {} : { passphrase };
      await bearings.gate.adoptAll('all', { via: 'init', ...secret });
      const before = texts();
      await decide(bearings, secret);
      if (kind === 'a block taken out') before[0] = '# Manta\n\nfirst\n\nsmuggled\n';
      await goneBack(openHouse(place.home), secret);
      expect(texts()).toEqual(before);
      expect((await openHouse(place.home).gate.verify(passphrase ?? null)).flatMap(({ problems }) => problems)).toEqual(
        [],
      );
    });
  },
);
