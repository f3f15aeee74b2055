import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openRooms } from '../../src/bearings.ts';
import { BearingsError } from '../../src/errors.ts';
import { assertContextShape } from '../support/context-shape.ts';
import { effort } from '../support/effort.ts';
import { filesBelow } from '../support/mcp/asking-client.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder();
const variables = { HOME: folder, BEARINGS_CACHE: join(folder, 'cache') };
const bearings = openRooms({ cwd: join(folder, 'repo'), variables });
const atHome = openRooms({ cwd: folder, variables });

const bytes = fc.uint8Array({ maxLength: 400 });
const asBytes = (text: fc.Arbitrary<string>) => text.map((written) => Buffer.from(written));
const brief = fc.oneof(
  bytes,
  bytes.map((noise) => Buffer.concat([Buffer.from('Tastes: a, b, '), noise, Buffer.from('\n'), noise])),
);
const field = fc.constantFrom(
  'timestamp',
  'op',
  'image_id',
  'satisfaction',
  'operations_involved',
  'workaround',
  '__proto__',
);
const record = fc.dictionary(field, fc.jsonValue()).map((value) => JSON.stringify(value));
const records = fc.oneof(
  bytes,
  asBytes(
    fc
      .array(fc.oneof(record, fc.constantFrom('', '{', '[]', '\ufeff{}')), { maxLength: 30 })
      .map((lines) => lines.join('\n')),
  ),
);
const notes = fc.oneof(
  bytes,
  fc
    .tuple(bytes, fc.nat(60), fc.constantFrom('\n', '\r', '\r\n'))
    .map(([noise, count, end]) => Buffer.concat([noise, Buffer.from(`line${end}`.repeat(count)), noise])),
);
const taste = fc.oneof(
  bytes,
  asBytes(fc.array(fc.constantFrom('x', '# x', '---', '<!--', ' y ')).map((l) => l.join('\n'))),
);
const config = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: asBytes(fc.constantFrom('', 'max_chars: 2000', 'max_chars: x', 'tastes: /etc', 'a: [', '\0')),
  },
  { weight: 1, arbitrary: bytes },
);
const files = fc.record({
  'brief.md': brief,
  'notes.md': notes,
  'log.jsonl': records,
  'vocabulary_gaps.jsonl': records,
});

describe('any bytes in any file', () => {
  it('M5 M7 M8 M10 M11 M12 give the exact shape, and never an error', async () => {
    await fc.assert(
      fc.asyncProperty(files, taste, taste, bytes, async (workspace, first, second, identity) => {
        put(folder, {
          '.bearings/tastes/_default.md': first,
          '.bearings/tastes/a.md': first,
          '.bearings/tastes/b.md': second,
        });
        put(join(folder, '.bearings/workspaces/w'), workspace);
        put(join(folder, 'repo/.bearings'), { ...workspace, 'workspace.json': identity });
        for (const target of [{ id: 'w' }, {}]) {
          const whole = await (await bearings.memory()).readContext(target);
          assertContextShape(whole.context);
          expect(whole.warnings.every((warning) => typeof warning === 'string')).toBe(true);
          const clipped = await (await bearings.memory()).readContext(target, { forAgent: true });
          assertContextShape(clipped.context);
          const { total_lines, lines } = await (await bearings.memory()).readNotes(target);
          expect(lines).toBe(Math.min(total_lines, 2000));
          await (await bearings.memory()).overview(target);
          await (await bearings.memory()).readBrief(target);
        }
      }),
      { numRuns: effort(150) },
    );
  });

  it('M12 M34 give the shape or name the place in the settings', async () => {
    put(folder, { '.bearings/workspaces/w/brief.md': 'x' });
    await fc.assert(
      fc.asyncProperty(config, config, async (home, project) => {
        for (const [name, content] of [
          ['.bearings/config.yaml', home],
          ['repo/.bearings/config.yaml', project],
        ] as const) {
          rmSync(join(folder, name), { force: true });
          if (content !== null) put(folder, { [name]: content });
        }
        try {
          assertContextShape((await (await bearings.memory()).readContext('w')).context);
        } catch (error) {
          expect(error).toBeInstanceOf(BearingsError);
          expect(error).toMatchObject({ code: 'invalid_input', hint: expect.stringContaining('config check') });
          expect((error as BearingsError).message).toMatch(/config\.yaml:\d+:\d+: /);
          expect((error as BearingsError).message).not.toContain(folder);
        }
        await (await bearings.settings()).checkSettings();
      }),
      { numRuns: effort(150) },
    );
    for (const name of ['.bearings/config.yaml', 'repo/.bearings/config.yaml'])
      rmSync(join(folder, name), { force: true });
  });

  it('M1 reads what a hand edit left a moment ago, also one of the same length', async () => {
    const notesOf = async () => (await (await atHome.memory()).readContext('w')).context.notes.summary;
    for (let round = 0; round < 20; round += 1) {
      const text = `${'line\n'.repeat(20_000)}edit ${round % 10}\n`;
      put(folder, { '.bearings/workspaces/w/notes.md': text, '.bearings/workspaces/w/brief.md': `Round ${round}` });
      expect((await notesOf()).endsWith(`edit ${round % 10}`)).toBe(true);
      expect((await (await atHome.memory()).readContext('w')).context.brief.raw).toBe(`Round ${round}`);
      put(folder, { '.bearings/workspaces/w/notes.md': text.replace('line\nline\n', 'two\nlines\n') });
      expect((await notesOf()).startsWith('two\nlines')).toBe(true);
    }
  });

  it('M4 changes no byte of any file by reading', async () => {
    const before = filesBelow(join(folder, '.bearings'));
    expect(Object.keys(before)).toContain('workspaces/w/notes.md');
    await (await atHome.memory()).readContext('w');
    await (await atHome.memory()).readNotes('w');
    await (await atHome.memory()).readBrief('w');
    await (await atHome.memory()).overview('w');
    expect(filesBelow(join(folder, '.bearings'))).toEqual(before);
    mkdirSync(join(folder, '.bearings/workspaces/fresh'));
    expect(
      (await (await atHome.memory()).readContext('fresh')).warnings.filter((warning) => warning.includes('notes')),
    ).toEqual([]);
  });
});
