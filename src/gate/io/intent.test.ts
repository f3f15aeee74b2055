import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AppendIntent, decodeIntent, encodeIntent, planAppendRecovery } from './target-text.ts';

const sha256 = (text: string) => `${text.length}`.padStart(64, '0');
const intent: AppendIntent = {
  version: 1,
  kind: 'append',
  file: 'notes.md',
  offset: 3,
  text: '\n\nTwo\nlines 🐟\n',
  ledger_line: '{"seq":1}',
  texts: ['{"hash":"h"}'],
  pending: 'p_1.json',
};

describe('an intent', () => {
  it('M24 comes back whole, and torn at any byte it counts as none', () => {
    const text = encodeIntent(intent, sha256);
    expect(decodeIntent(text, sha256)).toEqual(intent);
    for (let length = 0; length < text.length; length += 1)
      expect(decodeIntent(text.slice(0, length), sha256)).toBeNull();
    expect(decodeIntent(`${text}x`, sha256)).toBeNull();
    expect(decodeIntent(`x${text}`, sha256)).toBeNull();
    expect(decodeIntent(text.replace('p_1', 'p_12'), sha256)).toBeNull();
    expect(decodeIntent('\0'.repeat(text.length), sha256)).toBeNull();
  });

  it('M24 recovery completes its own tail, leaves a whole one, and begins again only where the text is nowhere', () => {
    const bytes = Buffer.from(intent.text);
    fc.assert(
      fc.property(fc.nat(bytes.length), fc.uint8Array({ maxLength: 20 }), fc.boolean(), (cut, more, stands) => {
        const own = planAppendRecovery(bytes, bytes.subarray(0, cut), () => stands);
        if (cut === bytes.length) expect(own).toEqual({ step: 'done' });
        else if (cut > 0) expect(own).toEqual({ step: 'complete', from: cut });
        else expect(own).toEqual({ step: stands ? 'done' : 'append_again' });
        expect(planAppendRecovery(bytes, Buffer.concat([bytes, more]), () => false)).toEqual({ step: 'done' });
      }),
    );
    const foreign = Buffer.from('by hand');
    expect(planAppendRecovery(bytes, foreign, () => false)).toEqual({ step: 'append_again' });
    expect(planAppendRecovery(bytes, foreign, () => true)).toEqual({ step: 'done' });
    expect(planAppendRecovery(bytes, null, () => false)).toEqual({ step: 'append_again' });
  });
});
