import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openGuard } from './guard.ts';

function open() {
  const state = { now: 0, spent: 0 };
  const guard = openGuard(
    () => state.now,
    () => {
      state.spent += 1;
    },
  );
  return { state, guard };
}

describe('the guard of the page', () => {
  it('lets in who has the code, written in any way, once', () => {
    const { guard } = open();
    const code = guard.newCode();
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
    const entered = guard.enter(` ${code.toLowerCase().replace('-', ' ')} `);
    expect(guard.visitor(entered?.cookie, entered?.token)).not.toBeNull();
    expect(guard.enter(code)).toBeNull();
  });

  it('a code ends after ten minutes, by a newer one, and after five wrong tries', () => {
    const { guard, state } = open();
    const old = guard.newCode();
    state.now = 10 * 60_000 + 1;
    expect(guard.enter(old)).toBeNull();
    const replaced = guard.newCode();
    const last = guard.newCode();
    expect(guard.enter(replaced)).toBeNull();
    for (let tries = 1; tries < 5; tries += 1) expect(guard.enter('wrong')).toBeNull();
    expect(state.spent).toBe(1);
    expect(guard.enter(last)).toBeNull();
  });

  it('no two codes, cookies or tokens are the same, and no other pair opens', () => {
    const { guard } = open();
    const all = Array.from({ length: 15 }, () => guard.enter(guard.newCode()) ?? { cookie: '', token: '' });
    expect(new Set(all.flatMap(({ cookie, token }) => [cookie, token])).size).toBe(30);
    const index = fc.nat({ max: 14 });
    fc.assert(
      fc.property(index, index, (a, b) => {
        const found = guard.visitor(all[a]?.cookie, all[b]?.token);
        expect(found === null).toBe(a !== b);
      }),
    );
    fc.assert(
      fc.property(fc.string(), fc.string(), (cookie, token) => {
        expect(guard.visitor(cookie, token)).toBeNull();
      }),
    );
  });

  it('the oldest of many browsers makes room', () => {
    const { guard } = open();
    const all = Array.from({ length: 25 }, () => guard.enter(guard.newCode()));
    expect(guard.visitor(all[0]?.cookie, all[0]?.token)).toBeNull();
    expect(guard.visitor(all[24]?.cookie, all[24]?.token)).not.toBeNull();
  });
});
