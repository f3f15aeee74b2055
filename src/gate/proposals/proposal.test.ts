import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BearingsError } from '../../errors.ts';
import {
  assertContent,
  CATEGORIES,
  checkedProposal,
  draftProposal,
  isSameShown,
  type Proposal,
  type ProposalInput,
  shownOf,
  targetOf,
} from './proposal.ts';

const taste = (more: Partial<ProposalInput> = {}) =>
  draftProposal({ kind: 'taste', content: 'calm', category: 'value', ...more });
const notes = (more: Partial<ProposalInput> = {}) => draftProposal({ kind: 'notes', content: 'calm', ...more });
const refusal = (make: () => unknown): BearingsError => {
  try {
    make();
  } catch (error) {
    if (error instanceof BearingsError) return error;
  }
  throw new Error('it was not refused');
};

describe('a draft', () => {
  it('M17 has a target, a category only as a taste, and a reason or none', () => {
    expect(notes({ category: 'value', reason: '  ' })).toEqual({
      kind: 'notes',
      content: 'calm',
      file: 'notes.md',
      category: null,
      reason: null,
      replaces: null,
    });
    expect(notes({ file: 'brief.md' })).toMatchObject({ file: 'brief.md', category: null });
    expect(() => notes({ file: 'x.md' })).toThrow('file must be notes.md or brief.md.');
    expect(taste()).toMatchObject({ file: '_default.md', category: 'value', replaces: null });
    expect([taste({ file: 'sea' }).file, taste({ file: 'sea.md' }).file]).toEqual(['sea.md', 'sea.md']);
    expect(targetOf({ kind: 'taste', file: 'sea.md', image_id: 'manta' })).toBe('tastes/sea.md');
    expect(targetOf({ kind: 'notes', file: 'notes.md', image_id: 'manta' })).toBe('notes.md of manta');
  });

  it('M17 a taste is of one of three kinds', () => {
    expect(CATEGORIES).toEqual(['appearance', 'process', 'value']);
    for (const category of CATEGORIES) expect(taste({ category }).category).toBe(category);
    expect(refusal(() => taste({ category: '' })).message).toBe('category must be one of appearance, process, value.');
  });

  it('M17 keeps reason and replaced block, and the ending of a file is only its last', () => {
    expect(taste({ reason: ' why\n', replaces: ' old' })).toEqual({
      ...{ kind: 'taste', content: 'calm', file: '_default.md', category: 'value', reason: 'why', replaces: ' old' },
    });
    for (const [file, target] of [
      ['a.md.b', 'a.md.b.md'],
      ['a.md.md', 'a.md.md'],
      ['sea.MD', 'sea.MD.md'],
      ['x'.repeat(252), `${'x'.repeat(252)}.md`],
      [`${'x'.repeat(252)}.md`, `${'x'.repeat(252)}.md`],
    ])
      expect(taste({ file }).file).toBe(target);
    expect(refusal(() => taste({ file: '.x' })).message).toBe('file starts with a dot.');
    expect(refusal(() => taste({ file: '' })).message).toBe('file is empty.');
  });

  it('M31 a refusal names the field that is wrong', () => {
    const fieldOf = (make: () => unknown) => refusal(make).data?.field;
    expect(fieldOf(() => notes({ replaces: ' ' }))).toBe('replaces');
    expect(fieldOf(() => notes({ content: '', retires: ' ' }))).toBe('retires');
    expect(fieldOf(() => notes({ retires: 'x' }))).toBe('retires');
    expect(fieldOf(() => taste({ replaces: ' ' }))).toBe('replaces');
    expect(fieldOf(() => notes({ content: 'x'.repeat(20_001) }))).toBe('content');
    expect(fieldOf(() => assertContent('\u200b'))).toBe('content');
    expect(refusal(() => assertContent('\u0007')).data).toEqual({ field: 'content', code_point: 'U+0007', offset: 0 });
  });

  it('M20 an edit may be as long as a proposal, and no longer', () => {
    expect(() => assertContent('x'.repeat(20_000))).not.toThrow();
    expect(refusal(() => assertContent('x'.repeat(20_001))).message).toContain('20001');
    expect(taste({ replaces: 'x'.repeat(20_000), reason: 'x'.repeat(500) }).replaces).toHaveLength(20_000);
  });

  it('M17 limits count code points', () => {
    expect(notes({ content: '🐟'.repeat(20_000), reason: '🐟'.repeat(500) }).content).toHaveLength(40_000);
    expect(refusal(() => notes({ content: '🐟'.repeat(20_001) })).message).toContain('20001');
    expect(refusal(() => notes({ reason: 'x'.repeat(501) })).data).toEqual({ field: 'reason' });
    expect(refusal(() => taste({ replaces: 'x'.repeat(20_001) })).data).toEqual({ field: 'replaces' });
  });

  const refused: [string, () => unknown][] = [
    ['blank content', () => notes({ content: ' \n\t\r\n' })],
    ['no category', () => taste({ category: undefined })],
    ['another category', () => taste({ category: 'Value' })],
    ['a blank block to replace', () => taste({ replaces: '\n ' })],
    ['a retirement with a text', () => notes({ retires: 'x' })],
    ['a retirement with a replacement', () => notes({ content: '', retires: 'x', replaces: 'y' })],
    ['a blank edit', () => assertContent(' ')],
    ...['', '.', '..', '../x', 'a/b', 'a\\b', '.x', 'a\0', 'con', '%2e%2e%2fx', 'x'.repeat(253), 'a\u202e'].map(
      (file) => [`the file ${JSON.stringify(file.slice(0, 12))}`, () => taste({ file })] as [string, () => unknown],
    ),
  ];

  it.each(refused)('M17 refuses %s', (_, make) => {
    expect(refusal(make).code).toBe('invalid_input');
  });

  it('M28 names field, code point and offset of what a person could not see', () => {
    for (const [char, name] of [
      ['\u200b', 'U+200B'],
      ['\u202e', 'U+202E'],
      ['\u{e0041}', 'U+E0041'],
      ['\u001b', 'U+001B'],
      ['\r', 'U+000D'],
    ] as const)
      for (const field of ['content', 'reason', 'replaces'] as const)
        expect(refusal(() => taste({ [field]: `🐟a${char}b` })).data).toEqual({ field, code_point: name, offset: 2 });
    expect(notes({ content: 'a\tb\r\nc\n👩‍🚀 ❤️' }).content).toContain('👩');
  });
});

describe('what was shown', () => {
  const proposal: Proposal = {
    version: 1,
    proposal_id: 'p_0123456789abcdef',
    ...taste({ replaces: 'old' }),
    image_id: 'manta',
    content_sha256: 'hash of calm',
    session_id: 's',
    client: 'studio',
    created_at: '2026-01-01T00:00:00.000Z',
  };
  const hash = (text: string) => `hash of ${text}`;

  it('M19 is the id, the text, the target and the lines that go', () => {
    const shown = shownOf(proposal);
    expect(isSameShown(shown, shownOf({ ...proposal, reason: 'other', client: 'other' }))).toBe(true);
    for (const other of [
      { proposal_id: 'x' },
      { content_sha256: 'x' },
      { file: 'x.md' },
      { replaces: 'x' },
      { replaces: null },
    ])
      expect(isSameShown(shown, shownOf({ ...proposal, ...other }))).toBe(false);
  });

  it('M22 a proposal comes back from its file as it was, in the workspace it lies in; with the hash of another text it is none', () => {
    const stored = JSON.parse(JSON.stringify(proposal));
    expect(checkedProposal(stored, 'manta', hash)).toEqual(proposal);
    expect(checkedProposal({ ...stored, image_id: 'x', extra: 1 }, 'manta', hash)).toEqual(proposal);
    expect(checkedProposal({ ...stored, content_sha256: 'x' }, 'manta', hash)).toBeNull();
    expect(checkedProposal(stored, 'manta', hash)).not.toHaveProperty('until');
    expect(checkedProposal(stored, null, hash)).toEqual({ ...proposal, image_id: null });
    expect(
      checkedProposal({ ...stored, kind: 'notes', file: 'notes.md', category: null, replaces: null }, null, hash),
    ).toBeNull();
  });

  const found = (more: object, imageId: string | null = 'manta') => {
    try {
      return checkedProposal({ ...proposal, ...more }, imageId, hash);
    } catch (error) {
      // What `propose` itself would refuse.
      if (error instanceof BearingsError) return null;
      throw error;
    }
  };

  it('M22 notes come back in their workspace, and only there', () => {
    const own = { kind: 'notes', file: 'notes.md', category: null, replaces: null, reason: 'why' };
    expect(found(own)).toEqual({ ...proposal, ...own });
    expect(found(own, null)).toBeNull();
    expect(found({ ...own, file: 'sea.md' })).toBeNull();
    expect(found({ ...own, category: 'value' })).toBeNull();
    expect(found({ ...own, replaces: 'x' })).toMatchObject({ replaces: 'x' });
    expect(found({ ...own, content: '', content_sha256: hash(''), replaces: 'x' })).toMatchObject({
      content: '',
      replaces: 'x',
    });
    expect(found({ ...own, kind: 'brief' })).toBeNull();
  });

  it('M22 each field must be as `propose` writes it', () => {
    const good: Record<string, unknown[]> = {
      client: ['x'.repeat(200), '', 'Claude Code 2'],
      created_at: ['2026-11-15T12:00:00Z', '2026-11-15T12:00:00.123Z'],
      file: ['sea.md'],
      reason: [null, 'why'],
      replaces: [null, 'old'],
      session_id: ['2e6cc6f2cb2d'],
      category: ['process', 'appearance'],
      until: ['2026-12-01'],
    };
    for (const [key, values] of Object.entries(good))
      for (const value of values) expect(found({ [key]: value })).toEqual({ ...proposal, [key]: value });
    const texts = [undefined, 5, true, {}, ['x']];
    const bad: Record<string, unknown[]> = {
      version: [2, 0, '1', null, undefined],
      kind: ['', null, 'Taste', 'brief', undefined],
      proposal_id: [...texts, null, '', '..', 'a/b', '.x', 'x '],
      session_id: [...texts, null, '', '..', 'a/b', '.x', 'x '],
      client: [...texts, null, 'x'.repeat(201), 'a\tb', 'a\nb', 'a\r\nb', 'a\u202eb', '\u200b'],
      created_at: [
        ...[...texts, null, '', '2026-11-15', 'x2026-11-15T12:00:00Z', '2026-11-15T12:00:00Zx', '2026-11-15T12:00:00'],
        ...['2026-11-15T12:00:00Z\n', '12026-11-15T12:00:00Z', '2026-11-15T12:00Z', '2026-11-15 12:00:00Z'],
      ],
      content: [...texts, null, ' \n'],
      file: [...texts, null, 'sea', '../x.md', '.x.md'],
      category: [...texts, null, '', 'Value'],
      reason: texts,
      replaces: [...texts, ' '],
      until: [
        ...[5, true, {}, ['2026-12-01'], null, '', 'tomorrow', '2026-12-1', '12026-12-01', '2026-12-01T00:00:00Z'],
        ...['x2026-12-01', '2026-12-01x', 'abcd-12-01', '2026-ab-01', '2026-12-ab'],
      ],
    };
    for (const [key, values] of Object.entries(bad))
      for (const value of values) expect([key, value, found({ [key]: value })]).toEqual([key, value, null]);
  });

  it('M22 anything else in a file is no proposal', () => {
    const keys = fc.constantFrom(
      ...Object.keys(proposal).filter((key) => key !== 'image_id' && key !== 'content_sha256'),
    );
    fc.assert(
      fc.property(keys, fc.jsonValue(), (key, value) => {
        const read = found({ [key]: value });
        // Only what could be in a proposal comes back, as it was written.
        if (read)
          expect(read[key as keyof Proposal]).toEqual(
            key === 'reason' && typeof value === 'string' ? value.trim() || null : value,
          );
      }),
    );
    for (const value of [null, [], 'x', 5, {}]) expect(checkedProposal(value, 'manta', hash)).toBeNull();
  });
});
