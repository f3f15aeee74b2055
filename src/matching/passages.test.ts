import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexDocument, memoryIndex } from '../../test/support/memory-index.ts';
import { passagesOf } from './passages.ts';
import { parseQuery } from './query.ts';
import { bestFirst, givenPassages } from './score-passages.ts';
import { extentsIn } from './text/extents.ts';
import { createTokenizer } from './text/terms.ts';

const tokenizer = createTokenizer();

describe('passages', () => {
  it('T20 prose falls apart at its headings, not at characters inside a fence', () => {
    const text = '# House\n\nWalls.\n\n```\n# no heading\n```\n\n## Roof\n\nIt leaks.\n';
    expect(passagesOf('a.md', text).map(({ title, start, end }) => [title, start, end])).toEqual([
      ['House', 1, 8],
      ['Roof', 9, 11],
    ]);
  });

  it('T20 code falls apart at its definitions, each with the comment above it', () => {
    const body = Array.from({ length: 8 }, (_, i) => `  step(${i});`).join('\n');
    const text = `// first\nfunction alpha() {\n${body}\n}\n\n// second\nfunction beta() {\n${body}\n}\n`;
    const [first, second] = passagesOf('a.ts', text);
    expect([first?.title, second?.title]).toEqual(['alpha', 'beta']);
    expect(second?.text.startsWith('// second')).toBe(true);
    const view = memoryIndex([indexDocument('a.ts', text, tokenizer)]);
    const scored = givenPassages(view, parseQuery('beta is slow', tokenizer), tokenizer);
    expect(bestFirst(scored('a.ts', text)).map(({ title }) => title)).toEqual(['beta']);
  });

  const spans = (path: string, text: string) =>
    passagesOf(path, text).map(({ title, start, end }) => [title, start, end]);
  const lines = (count: number, text = 'word') => Array.from({ length: count }, () => text);

  it('T20 what is long falls apart at its blank lines, else after sixty lines or four thousand characters', () => {
    const prose = lines(130);
    expect(spans('a.md', prose.join('\n'))).toEqual([
      [null, 1, 60],
      [null, 61, 120],
      [null, 121, 130],
    ]);
    prose[49] = '';
    prose[99] = '  ';
    expect(spans('a.md', prose.join('\n'))).toEqual([
      [null, 1, 50],
      [null, 51, 100],
      [null, 101, 130],
    ]);
    expect(spans('a.md', lines(7, 'x'.repeat(1000)).join('\n'))).toEqual([
      [null, 1, 3],
      [null, 4, 6],
      [null, 7, 7],
    ]);
    expect(spans('a.md', lines(4, 'x'.repeat(999)).join('\n'))).toEqual([[null, 1, 4]]);
    expect(passagesOf('a.md', `${'x'.repeat(5000)}\ny`).map(({ text }) => text.length)).toEqual([4000, 1]);
    expect(spans('a.md', [...lines(60), ''].join('\n'))).toEqual([[null, 1, 60]]);
    expect(spans('a.md', '\n \n')).toEqual([]);
  });

  it('T20 headings of all ranks part prose, other characters do not', () => {
    const text = [
      'before',
      '# A',
      'x',
      '###### B  ',
      'y',
      '####### no',
      '#no',
      '~~~',
      '# no',
      '~~~',
      '  # no',
      '## C',
    ].join('\n');
    expect(spans('a.md', text)).toEqual([
      [null, 1, 1],
      ['A', 2, 3],
      ['B', 4, 11],
      ['C', 12, 12],
    ]);
  });

  it.each(['// c', '/* c */', ' * c', '# c', '@c', '-- c'])(
    'T20 a definition takes the line above with it: %s',
    (comment) => {
      const text = [...lines(8, 'run();'), comment, comment, 'function beta() {', ...lines(7, '  run();'), '}'].join(
        '\n',
      );
      expect(spans('a.ts', text)).toEqual([
        [null, 1, 8],
        ['beta', 9, 19],
      ]);
    },
  );

  it('L28 a definition is one passage, a class falls apart into its head and its members, and single lines stay together', () => {
    const member = (name: string) => [`  ${name}() {`, ...lines(12, '    run();'), '  }'];
    const long = ['class A {', '  size = 1;', ...member('find'), ...member('keep'), '  last = 2;', '}', 'const x = 1;'];
    expect(spans('a.ts', long.join('\n'))).toEqual([
      ['A', 1, 2],
      ['A.find', 3, 16],
      ['A.keep', 17, 32],
      ['x', 33, 33],
    ]);
    expect(spans('a.ts', ['class A {', ...lines(9, '  run();'), '}', ...lines(3, 'const x = 1;')].join('\n'))).toEqual([
      ['A', 1, 11],
      ['x', 12, 14],
    ]);
    const nested = ['function a() {', '  function b() {', ...lines(40, '    run();'), '  }', '}'].join('\n');
    expect(spans('a.ts', nested)).toEqual([['a', 1, 44]]);
  });

  it.each([
    [
      'a.py',
      ['class A:', '    def find(self,', '             key):', '        run()', '    def keep(self):', '        run()'],
      'A.find',
      [2, 4],
    ],
    [
      'a.rs',
      [
        'impl A {',
        '    fn find<T>(&self) -> T',
        '    where',
        '        T: Run,',
        '    {',
        '        run()',
        '    }',
        '}',
      ],
      'A.find',
      [2, 7],
    ],
    [
      'A.java',
      [
        'class A {',
        '  @Override',
        '  public String find(int key)',
        '      throws Lost {',
        '    return run();',
        '  }',
        '}',
      ],
      'A.find',
      [3, 6],
    ],
    [
      'a.cc',
      [
        'Status A::Find(const Key& key,',
        '               Value* value) {',
        '#ifdef X',
        '  run();',
        '#endif',
        'fail:',
        '  run();',
        '}',
      ],
      'Find',
      [1, 8],
    ],
    ['a.c', ['static int', 'find(int key)', '{', '  return run();', '}'], 'find', [2, 5]],
    ['a.rb', ['module A', '  def self.find', '    run', '  end', 'end'], 'A.find', [2, 4]],
    ['a.go', ['func (a *A) Find(', '\tkey int,', ') error {', '\treturn run()', '}'], 'Find', [1, 5]],
    [
      'a.php',
      ['class A', '{', '    public function find(): ?B', '    {', '        run();', '    }', '}'],
      'A.find',
      [3, 6],
    ],
    [
      'A.cs',
      ['class A', '{', '    internal async Task<B> Find()', '    {', '        run();', '    }', '}'],
      'A.Find',
      [3, 6],
    ],
    ['a.kt', ['class A {', '    suspend fun find(key: Int): B {', '        run()', '    }', '}'], 'A.find', [2, 4]],
    ['a.swift', ['struct A {', '    init(key: Int) {', '        run()', '    }', '}'], 'A.init', [2, 4]],
    [
      'a.vue',
      ['<script>', 'export default {', '  methods: {', '    find(key) {', '      run()', '    },', '  },', '}'],
      'find',
      [4, 6],
    ],
  ] as const)(
    'L28 %s: a definition with all its lines, under the names around it',
    (path, text, name, [start, end]) => {
      const found = extentsIn(path, text.join('\n')).find(({ qualified }) => qualified === name);
      expect([found && found.start + 1, found?.end]).toEqual([start, end]);
    },
  );

  it('L28 what the text names as code, points at by a frame or quotes goes before what shares its words', () => {
    const body = lines(6, '  load(parser, header, value);').join('\n');
    const named = (name: string, message = 'x') =>
      `function ${name}() {\n${body}\n  throw new Error('${message}');\n}\n`;
    const text = [named('first'), named('splitCookie'), named('third', 'no closing quote found'), named('last')].join(
      '\n',
    );
    const view = memoryIndex([indexDocument('src/a.ts', text, tokenizer)]);
    const best = (task: string) =>
      bestFirst(givenPassages(view, parseQuery(task, tokenizer), tokenizer)('src/a.ts', text))[0]?.title;
    const words = 'The parser loads a header without its value';
    expect(best(`${words}\n\nSeen in \`splitCookie\`.`)).toBe('splitCookie');
    expect(best(`${words}\n\nError: no closing quote found`)).toBe('third');
    expect(best(`${words}\n\n    at run (/home/x/src/a.ts:34:5)`)).toBe('last');
  });

  it('T20 passages never overlap, come in order and stay within their bounds', () => {
    const line = fc.constantFrom(
      '',
      '# a',
      '## b',
      'function f() {',
      '  const x = 1;',
      '}',
      'class C {',
      'x'.repeat(5000),
      '```',
    );
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 150 }),
        fc.constantFrom('a.md', 'a.ts', 'a.py', 'a.txt', 'a'),
        (lines, path) => {
          let last = 0;
          for (const { start, end, text } of passagesOf(path, lines.join('\n'))) {
            expect(start).toBeGreaterThan(last);
            expect(end).toBeGreaterThanOrEqual(start);
            expect(text.length).toBeLessThanOrEqual(4000);
            last = end;
          }
          expect(last).toBeLessThanOrEqual(lines.length);
        },
      ),
      { numRuns: 100 },
    );
  });
});
