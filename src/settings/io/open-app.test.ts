import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effort } from '../../../test/support/effort.ts';
import { put, tempFolder } from '../../../test/support/temp-folder.ts';
import { problemsOf } from '../resolve.ts';
import { readConfigFile } from './open-app.ts';

const folder = tempFolder();
const path = join(folder, 'config.yaml');
const read = () => readConfigFile(path, { label: 'config.yaml', owner: 'home', scope: null });

async function parse(content: string | Uint8Array) {
  put(folder, { 'config.yaml': content });
  const file = await read();
  if (!file) throw new Error('missing');
  return file;
}

describe('readConfigFile', () => {
  it('M34 reads keys and values with their places', async () => {
    const { entries, problems } = await parse('# mine\n\neditor: "code --wait"\n  \nmax_chars: 20_000\ntastes: ~\n');
    expect(problems).toEqual([]);
    const scalar = (value: unknown, line: number, column: number) => ({ kind: 'scalar', value, line, column });
    expect(entries).toEqual([
      { key: 'editor', value: scalar('code --wait', 3, 9), line: 3, column: 1 },
      { key: 'max_chars', value: scalar('20_000', 5, 12), line: 5, column: 1 },
      { key: 'tastes', value: scalar(null, 6, 9), line: 6, column: 1 },
    ]);
  });

  it('M34 takes an empty file, comments alone and a BOM', async () => {
    for (const text of ['', '\n', '# nothing\n', '\ufeff', '---\n'])
      expect(await parse(text)).toMatchObject({ entries: [], problems: [] });
    expect((await parse('\ufeffmax_chars: 2000')).entries).toMatchObject([
      { key: 'max_chars', value: { value: 2000 } },
    ]);
  });

  it.each([
    ['a list', '- a\n- b\n', '1:1'],
    ['a text', 'hello', '1:1'],
    ['a tab', '\tmax_chars: 1', '1:1'],
    ['an open quote', 'editor: "code', '1:14'],
    ['an alias', 'a: &x 1\nb: *x\n', '2:4'],
    ['an alias bomb', 'a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n', '2:8'],
    ['a custom tag', 'editor: !!js/function "x"\n', '1:9'],
    ['two documents', 'a: 1\n---\nb: 2\n', '2:1'],
    ['deep lists', `a: ${'['.repeat(30_000)}`, '1:1'],
    ['deep maps', '{a: '.repeat(15_000), '1:1'],
    ['deep dashes', '- '.repeat(30_000), '1:1'],
    ['deep questions', '? '.repeat(30_000), '1:1'],
    ['a large file', `# ${'x'.repeat(70_000)}\n`, '1:1'],
    ['bad UTF-8', Uint8Array.of(0x61, 0xff), '1:1'],
  ])('M34 names line and column of %s', async (_, content, place) => {
    const [first] = problemsOf(await parse(content));
    expect(`${first?.file}:${first?.line}:${first?.column}`).toBe(`config.yaml:${place}`);
    expect(first?.message).not.toContain('call stack');
    expect(first?.message.length).toBeLessThan(300);
  });

  it.each([
    ['brackets of one line', `a: ${'['.repeat(60)}`, 1],
    ['brackets of many lines', 'a: [\n'.repeat(60), 51],
    ['braces', `x: 1\n${'{a: '.repeat(60)}`, 2],
    ['dashes', `x: 1\n\n${'- '.repeat(60)}`, 3],
    ['questions', '? '.repeat(60), 1],
    ['indents', Array.from({ length: 80 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'), 52],
  ])('M34 refuses deep %s before the parser sees them', async (_, text, line) => {
    expect((await parse(text)).problems).toEqual([
      { file: 'config.yaml', line, column: 1, message: 'the file is nested too deep or too long' },
    ]);
  });

  it('M34 minds no brackets in a comment', async () => {
    expect(await parse(`# ${'[{ - '.repeat(200)}\nmax_chars: 2000\n`)).toMatchObject({ problems: [], entries: [{}] });
  });

  it('M34 tells missing from unreadable', async () => {
    const at = (name: string) =>
      readConfigFile(join(folder, name), { label: 'c', owner: 'project', scope: join(folder, 'in') });
    expect(await at('none')).toBeNull();
    mkdirSync(join(folder, 'in/dir'), { recursive: true });
    expect((await at('in/dir'))?.problems).toHaveLength(1);
    put(folder, { secret: 'editor: secret' });
    symlinkSync('../secret', join(folder, 'in/link'));
    const linked = await at('in/link');
    expect(linked).toMatchObject({ entries: [], problems: [{ message: expect.stringContaining('leads out') }] });
  });

  it('M12 never throws on any bytes', async () => {
    const yaml = fc.array(
      fc.constantFrom(
        'a',
        ': ',
        '\n',
        '- ',
        '"',
        "'",
        '[',
        ']',
        '{',
        '}',
        '&a ',
        '*a',
        '!t ',
        '|\n',
        '? ',
        '#',
        '\t',
        '%',
        '---\n',
        '  ',
        '<<',
        '\ud800',
      ),
      { maxLength: 30 },
    );
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      yaml.map((parts) => parts.join('')),
    );
    await fc.assert(
      fc.asyncProperty(content, async (written) => {
        for (const problem of problemsOf(await parse(written))) {
          expect(problem.line).toBeGreaterThan(0);
          expect(problem.message).not.toMatch(/\p{Cc}/u);
        }
      }),
      { numRuns: effort(300) },
    );
  });
});
