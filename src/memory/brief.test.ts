import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effort } from '../../test/support/effort.ts';
import { parseBrief } from './brief-and-notes.ts';

const tastesOf = (raw: string) => parseBrief(raw).brief.tastes;

describe('parseBrief', () => {
  it.each([
    'Tastes: a, b',
    'Tastes: [a, b]',
    'tastes: a,b',
    'TASTES :a , b',
    '  \tTastes: a, b',
    '- Tastes: a, b',
    '* Tastes: a, b',
    '+ Tastes: a, b',
    '1. Tastes: a, b',
    '12) Tastes: a, b',
    '> Tastes: a, b',
    '>> - Tastes: a, b',
    '**Tastes:** a, b',
    '**Tastes**: a, b',
    '*Tastes:* a, b',
    '__Tastes__: a, b',
    '_Tastes_ : a, b',
    '***Tastes:*** a, b',
    '**Tastes: a, b**',
    '- **Tastes:** a, b',
    'Tastes: "a", \'b\'',
    'Tastes: `a`, `b.md`',
    'Tastes: a.md, "b.md"',
    'Tastes: a, "b".md',
    'Tastes: ["a", "b"]',
    'Tastes: a,, b, ,',
    'Tastes: a, b, a, b',
    'Tastes: _default, a, b, _default.md',
    'Tastes: a, b\r\n',
  ])('M8 reads the declaration %j', (line) => {
    const { brief, warnings } = parseBrief(line);
    expect(brief).toEqual({ raw: line, intent: '', tastes: ['a', 'b'] });
    expect(warnings).toEqual([]);
  });

  it.each([
    'My tastes: a',
    'Tastes a, b',
    'Tastesless: a',
    '# Tastes: a',
    '**Tastes: a',
    '**Tastes:* a',
    'Tastes**: a',
    '*-Tastes: a',
    '-Tastes: a',
    '1.Tastes: a',
  ])('M8 takes %j for plain text', (line) => {
    expect(parseBrief(line).brief).toEqual({ raw: line, intent: line.trim(), tastes: [] });
  });

  it.each([
    '```\nTastes: a\n```',
    '~~~yaml\nTastes: a\n~~~',
    '````\n```\nTastes: a\n````',
    '```\n~~~\nTastes: a\n```',
    '> ```\n> Tastes: a\n> ```',
    '- ```\n  Tastes: a\n  ```',
    '```js\u2028x\nTastes: a\n```',
    '```\nTastes: a',
    '```\n``` not the end\nTastes: a\n```',
  ])('M8 reads nothing inside a code fence: %j', (raw) => {
    expect(parseBrief(raw).brief).toEqual({ raw, intent: raw.trim(), tastes: [] });
  });

  it('M8 reads on after a fence, and takes no inline code for one', () => {
    expect(tastesOf('```\nx\n```\nTastes: a')).toEqual(['a']);
    expect(tastesOf('``` x ```\nTastes: a')).toEqual(['a']);
    expect(tastesOf('``\nTastes: a')).toEqual(['a']);
  });

  it('M8 adds several lines up, keeps each name once, and warns', () => {
    const { brief, warnings, declaredAt } = parseBrief('Tastes: b\nText\nTastes: a, b\n');
    expect(brief.tastes).toEqual(['b', 'a']);
    expect(brief.intent).toBe('Text');
    expect([...declaredAt]).toEqual([
      ['b', 1],
      ['a', 3],
    ]);
    expect(warnings).toEqual([expect.stringContaining('2 lines (1, 3)')]);
  });

  it('M8 leaves raw as it is and trims the intent', () => {
    const raw = '\r\n  Tastes: a\r\n\r\n  One.\r\n\r\nTwo.\r\n\r\n';
    expect(parseBrief(raw).brief).toEqual({ raw, intent: 'One.\r\n\r\nTwo.', tastes: ['a'] });
  });

  it('M6 keeps the order of declaration, also for names that look like numbers', () => {
    expect(tastesOf('Tastes: 10, 2, b, 1, a')).toEqual(['10', '2', 'b', '1', 'a']);
  });

  it.each([
    '../secret',
    '..',
    '.',
    '/etc/passwd',
    'a/b',
    'a\\b',
    'C:\\x',
    'c:x',
    '%2e%2e%2fx',
    'a\0b',
    'x'.repeat(253),
  ])('M9 refuses the name %j with a warning', (name) => {
    const { brief, warnings } = parseBrief(`Tastes: ${name}, fine`);
    expect(brief.tastes).toEqual(['fine']);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('Use a name from tastes/');
    expect(warnings[0]?.length).toBeLessThan(250);
  });

  it('M9 warns of a few refused names and counts the others', () => {
    const { warnings } = parseBrief(`Tastes: ${Array.from({ length: 300_000 }, (_, i) => `/${i}`).join(',')}`);
    expect(warnings).toHaveLength(6);
    expect(warnings[5]).toContain('299995 more');
  });

  it('M8 never throws, and finds just the names that were declared', () => {
    const name = fc.stringMatching(/^[a-z0-9]{1,6}$/);
    const lead = fc.array(fc.constantFrom(' ', '\t', '>', '- ', '* ', '3. '), { maxLength: 5 }).map((l) => l.join(''));
    const line = fc.oneof(
      fc.record({ lead, names: fc.array(name) }).map(({ lead, names }) => `${lead}Tastes: ${names.join(' , ')}`),
      fc.constantFrom('text', '', 'taste: x', '#', 'a: b', '\u{1f433}'),
    );
    const end = fc.constantFrom('\n', '\r\n', '\r');
    fc.assert(
      fc.property(fc.array(fc.tuple(line, end)), (parts) => {
        const lines = parts.map(([written]) => written);
        const { brief } = parseBrief(parts.flat().join(''));
        const declared = lines.filter((written) => written.includes('Tastes:'));
        const names = declared.flatMap((written) => written.slice(written.indexOf(':') + 1).split(','));
        expect(brief.tastes).toEqual([...new Set(names.map((written) => written.trim()).filter(Boolean))]);
        expect(brief.intent).not.toContain('Tastes:');
      }),
    );
  });

  it('M12 takes any text', () => {
    const noise = fc.string({
      unit: fc.constantFrom(
        ...'Tastes:tastes>*-_+`~[]\'",.md#/\\ \t\r\n123)'.split(''),
        '\u2028',
        '\0',
        '\ud800',
        '🐋',
      ),
      maxLength: 200,
    });
    fc.assert(
      fc.property(noise, (raw) => {
        const { brief } = parseBrief(raw);
        expect(brief.raw).toBe(raw);
        expect(brief.intent).toBe(brief.intent.trim());
        expect(new Set(brief.tastes).size).toBe(brief.tastes.length);
      }),
      { numRuns: 500 },
    );
  });

  // Not timed tests: an overflow throws, and quadratic work would outlast the runner's own limit.
  it.each(['>', '> ', '* '])('M8 survives megabytes of %j', (unit) => {
    expect(parseBrief(unit.repeat(effort(10_000_000) / unit.length)).brief.tastes).toEqual([]);
  });

  it.each(['>', '- ', '*', '_', '1', '1. ', '123456789) ', '`', '~', '"', ' ', '\t>', '[', ','])(
    'M8 survives a megabyte of %j around a declaration',
    (unit) => {
      const many = unit.repeat(Math.ceil(1_000_000 / unit.length));
      for (const raw of [`${many}Tastes: a`, `Tastes: ${many}`, `**Tastes${many}: a${many}`, `\`\`\`${many}\n${many}`])
        expect(parseBrief(raw).brief.raw).toBe(raw);
    },
  );

  it('M8 what only looks like a fence hides no declaration', () => {
    expect(tastesOf('``` a ` b\nTastes: a\n')).toEqual(['a']);
    expect(tastesOf('``` a b\nTastes: a\n')).toEqual([]);
    expect(tastesOf('~~~ a ` b\nTastes: a\n')).toEqual([]);
    expect(tastesOf('```\nx\n````\nTastes: a\n')).toEqual(['a']);
    expect(tastesOf('````\nx\n```\nTastes: a\n')).toEqual([]);
  });

  it.each([
    ['Tastes: [a, b', ['[a', 'b']],
    ['Tastes: a, b]', ['a', 'b]']],
    ['Tastes: []', []],
    ['Tastes:', []],
    ['Tastes:_a', ['_a']],
    ['Tastes: a, "', ['a', '"']],
    ['Tastes: "", \'\', ``, a', ['a']],
    ['Tastes: a"a, b\'', ['a"a', "b'"]],
    ['Tastes: "a\', `b"', ['"a\'', '`b"']],
    ['Tastes: " a ", "\'b\'"', ['a', 'b']],
    ['Tastes: a.mdx, b.md.md, .md', ['a.mdx', 'b.md']],
    ['Tastes: a b, c', ['a b', 'c']],
    ['123456789) Tastes: a', ['a']],
    ['1.\tTastes: a', ['a']],
    ['**Tastes*:* a', ['a']],
    [`Tastes: ${'x'.repeat(252)}`, ['x'.repeat(252)]],
  ])('M8 reads the names of %j', (line, names) => {
    expect(parseBrief(line)).toMatchObject({ brief: { intent: '', tastes: names }, warnings: [] });
  });

  it.each(['1234567890. Tastes: a', '*Tastes:** a*', '****Tastes:**** a', 'x > Tastes: a', 'Tastes;: a'])(
    'M8 takes %j for plain text as well',
    (line) => expect(parseBrief(line).brief).toEqual({ raw: line, intent: line, tastes: [] }),
  );

  it('M8 the intent is all of the text but its declarations, with the line ends it has', () => {
    const line = fc.constantFrom('', ' ', 'text', '- item', '> quote', '# head', 'Taste: a', '``');
    const lineEnd = fc.constantFrom('\n', '\r\n');
    fc.assert(
      fc.property(fc.array(fc.tuple(line, lineEnd, fc.boolean()), { maxLength: 10 }), (lines) => {
        const declared = 'Tastes: a\n';
        const raw = lines.map(([text, end, before]) => (before ? declared : '') + text + end).join('');
        expect(parseBrief(raw).brief.intent).toBe(raw.replaceAll(declared, '').trim());
        const numbers = raw.split(/\r?\n/).flatMap((text, index) => (text === 'Tastes: a' ? [index + 1] : []));
        expect(parseBrief(raw).declaredAt.get('a')).toBe(numbers[0]);
        const shown = numbers.slice(0, 5).join(', ') + (numbers.length > 5 ? ', …' : '');
        expect(parseBrief(raw).warnings).toEqual(
          numbers.length < 2
            ? []
            : [`brief.md declares tastes on ${numbers.length} lines (${shown}); they add up. Put them on one line.`],
        );
      }),
    );
  });

  it('M9 shows five refused names, each short and with nothing unseen', () => {
    const refused = (count: number) =>
      parseBrief(`Tastes: ${Array.from({ length: count }, (_, i) => `/${i}`)}`).warnings;
    expect(refused(5).map((warning) => /"(.*)"/.exec(warning)?.[1])).toEqual(['/0', '/1', '/2', '/3', '/4']);
    expect(refused(6).slice(4)).toEqual([expect.stringContaining('"/4"'), expect.stringContaining('names 1 more')]);
    const shown = (name: string) => /"(.*)"/s.exec(parseBrief(`Tastes: ${name}`).warnings[0] ?? '')?.[1];
    expect(shown(`/${'x'.repeat(59)}`)).toBe(`/${'x'.repeat(59)}`);
    expect(shown(`/${'x'.repeat(60)}`)).toBe(`/${'x'.repeat(58)}…`);
    expect(shown('/a\u202eb\0')).toBe('/a\ufffdb\ufffd');
  });
});
