import { describe, expect, it } from 'vitest';
import type { ConfirmLevel } from '../ledger/entry.ts';
import { type KeyLink, namedKeys, takenFrom } from './takeover.ts';

const link = (key: string, level: ConfirmLevel, names: string | null = null): KeyLink => ({ key, level, names });
const taken = (chain: KeyLink[], home: string) => takenFrom(chain, namedKeys(chain), home);

describe('which key is in force', () => {
  it('M46 at ask any key may follow', () => {
    expect(taken([link('a', 'ask'), link('b', 'ask')], 'c')).toBeNull();
    expect(taken([link('a', 'ask'), link('b', 'passkey')], 'b')).toBeNull();
  });

  it('M46 above ask only one that it named, also by way of another', () => {
    const raised = [link('a', 'ask'), link('k', 'passphrase'), link('k', 'passphrase', 'p'), link('p', 'passkey', 'q')];
    for (const home of ['k', 'p', 'q']) expect(taken(raised, home)).toBeNull();
    expect(taken(raised, 'thief')).toBe('k');
    // Whom the thief names, and what it says of the level, changes nothing.
    expect(taken([...raised, link('thief', 'ask', 'p'), link('thief', 'ask', 'thief')], 'thief')).toBe('k');
    expect(taken([...raised, link('thief', 'ask')], 'p')).toBeNull();
  });

  it('M46 after the key in force said ask, any key again', () => {
    expect(taken([link('p', 'passkey'), link('p', 'ask', 'n'), link('n', 'ask')], 'n')).toBeNull();
    expect(taken([link('p', 'passkey'), link('p', 'ask', 'n')], 'other')).toBeNull();
    expect(taken([link('p', 'passkey'), link('p', 'passphrase', 'n')], 'other')).toBe('p');
  });
});
