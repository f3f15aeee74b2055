import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRooms } from '../../src/bearings.ts';
import type { BearingsError } from '../../src/errors.ts';
import { effort } from '../support/effort.ts';
import { type Agent, agent, bearings } from '../support/process/binary.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

const root = tempFolder();
// Longer than what the server takes for too fresh to keep.
const SETTLED_MS = 30;

// Another process, as a person's editor is. One line in: a program; one line out: done.
let editor: ChildProcess;
let answers: AsyncIterator<string>;
beforeAll(() => {
  const program = `
    const fs = require('node:fs');
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { how, path, text } = JSON.parse(line);
      const was = fs.statSync(path, { throwIfNoEntry: false });
      if (how === 'delete') fs.rmSync(path, { recursive: true, force: true });
      else if (how === 'rename') { fs.writeFileSync(path + '~', text); fs.renameSync(path + '~', path); }
      else if (how === 'append') fs.appendFileSync(path, text);
      else if (how === 'link') { fs.writeFileSync(path + '.real', text); fs.rmSync(path, { force: true }); fs.symlinkSync(path + '.real', path); }
      else fs.writeFileSync(path, text);
      if (how === 'same time' && was) fs.utimesSync(path, was.atime, was.mtime);
      console.log('done');
    });`;
  editor = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  if (editor.stdout) answers = createInterface({ input: editor.stdout })[Symbol.asyncIterator]();
});
afterAll(() => editor.kill());

async function edit(how: string, path: string, text = ''): Promise<void> {
  editor.stdin?.write(`${JSON.stringify({ how, path, text })}\n`);
  await answers.next();
}

// What a library that was opened this moment says: it can have kept nothing.
async function fresh(home: string, cwd: string, workspace?: string) {
  const variables = { HOME: home, BEARINGS_CACHE: join(root, 'own-cache') };
  try {
    const answer = await (await openRooms({ cwd, variables }).memory()).readContext(
      { id: workspace },
      { forAgent: true },
    );
    return { context: JSON.parse(JSON.stringify(answer.context)), warnings: answer.warnings };
  } catch (error) {
    return { code: (error as BearingsError).code, message: (error as BearingsError).message };
  }
}

async function served({ call }: Agent) {
  const { isError, value, texts, structured } = await call('read_context');
  if (isError) {
    const { code, message } = value.error as { code: string; message: string };
    return { code, message };
  }
  expect(structured).toEqual(value);
  const lines = texts[1]?.split('\n').slice(1) ?? [];
  return { context: value, warnings: lines.map((line) => line.slice(2)) };
}

const HOWS = ['write', 'same time', 'rename', 'append', 'delete', 'link'];
const TEXTS: Record<string, readonly string[]> = {
  'workspaces/w/brief.md': ['Tastes: one\nA', 'Tastes: two\nB', 'Tastes: one, two\nC', 'plain', 'PLAIN'],
  'workspaces/w/notes.md': ['- aaa\n', '- bbb\n', '- ccc\n- ddd\n', '\ufffd\n'],
  'workspaces/w/log.jsonl': ['{"op":"a"}\n', '{"op":"b"}\n', 'broken\n'],
  'workspaces/w/vocabulary_gaps.jsonl': ['{"description":"a"}\n', '{"description":"b"}\n'],
  'tastes/_default.md': ['- calm\n', '- warm\n'],
  'tastes/one.md': ['- lift\n', '- sink\n'],
  'tastes/two.md': ['- lift\n', '- wide\n'],
  'taste.md': ['- older\n', '- olden\n'],
  'config.yaml': ['max_chars: 1000\n', 'max_chars: 2000\n', 'max_chars: [\n', '# none\n'],
};
const oneEdit = fc.constantFrom(...Object.keys(TEXTS)).chain((file) =>
  fc.record({
    file: fc.constant(file),
    how: fc.constantFrom(...HOWS),
    text: fc.constantFrom(...(TEXTS[file] as readonly string[])),
    isSettled: fc.boolean(),
    isLate: fc.boolean(),
  }),
);

describe('an edit by another process', () => {
  it.each([
    ['a workspace of the home', { cwd: '', folder: '.bearings/workspaces/w', id: 'w' }],
    ['the workspace of a repository', { cwd: 'repo/deep', folder: 'repo/.bearings', id: undefined }],
  ])('M1 M12 is in the very next answer, whatever it does and however soon: %s', async (title, { cwd, folder, id }) => {
    const home = join(root, title.replace(/\W/g, '-'));
    put(home, { [`${folder}/brief.md`]: 'Tastes: one\nA', '.bearings/tastes/one.md': '- lift\n', 'repo/deep/x': '' });
    const place = { home, cwd: join(home, cwd), variables: { BEARINGS_CACHE: join(home, 'cache') } };
    const server = await agent(place, { args: id ? ['--workspace', id] : [] });
    const edits = fc.sample(oneEdit, { numRuns: effort(150), seed: 20261115 });
    for (const [index, { file, how, text, isSettled, isLate }] of edits.entries()) {
      if (isSettled) await wait(SETTLED_MS);
      // Twice: what is the same again is what a server keeps.
      if (isSettled) await served(server);
      const before = await served(server);
      if (isSettled) expect(before, `before edit ${index}`).toEqual(await fresh(home, place.cwd, id));
      const path = join(
        home,
        file.startsWith('workspaces/w/') ? file.replace('workspaces/w', folder) : `.bearings/${file}`,
      );
      await edit(how, path, text);
      if (isLate) await wait(SETTLED_MS);
      expect(await served(server), `edit ${index}: ${how} ${file}`).toEqual(await fresh(home, place.cwd, id));
    }
  });

  it('M1 of the same size with the same time is in the next answer, also where times are whole seconds', async () => {
    const home = join(root, 'seconds');
    const path = join(home, '.bearings/workspaces/w/notes.md');
    put(home, { '.bearings/workspaces/w/notes.md': '- 000\n' });
    const server = await agent(
      { home, variables: { BEARINGS_CACHE: join(home, 'cache') } },
      { args: ['--workspace', 'w'] },
    );
    for (let round = 0; round < 20; round += 1) {
      utimesSync(path, 1_700_000_000, 1_700_000_000);
      await wait(SETTLED_MS);
      for (let call = 0; call < 3; call += 1) await served(server);
      const { mtimeMs, size, ino } = statSync(path);
      const text = `- ${String(round + 1).padStart(3, '0')}\n`;
      await edit('same time', path, text);
      expect(statSync(path)).toMatchObject({ mtimeMs, size, ino });
      if (round % 2 === 0) await wait(SETTLED_MS);
      expect(await served(server)).toMatchObject({ context: { notes: { summary: text } } });
    }
  });

  it('M2 M34 of what decides which workspace is meant is in the next answer', async () => {
    const home = join(root, 'places');
    put(home, {
      'repo/deep/x': '',
      'repo/.bearings/workspace.json': '{"id":"first"}',
      'repo/.bearings/brief.md': 'of repo',
      '.bearings/workspaces/other/brief.md': 'of other',
    });
    const cwd = join(home, 'repo/deep');
    const place = { home, cwd, variables: { BEARINGS_CACHE: join(home, 'cache') } };
    const server = await agent(place);
    const own = join(home, 'repo/.bearings');
    const cli =
      (...args: string[]) =>
      async () =>
        expect(bearings(place, ...args).code, args.join(' ')).toBe(0);
    const git = async () => mkdirSync(join(home, 'repo/.git'));
    const steps: [string, () => Promise<unknown>][] = [
      ['another id', () => edit('write', join(own, 'workspace.json'), '{"id":"again"}')],
      ['the id of another', () => edit('rename', join(own, 'workspace.json'), '{"id":"other"}')],
      ['no id', () => edit('delete', join(own, 'workspace.json'))],
      ['a project setting', () => edit('write', join(own, 'config.yaml'), 'max_chars: 1000\n')],
      ['a broken project setting', () => edit('write', join(own, 'config.yaml'), 'max_chars: [\n')],
      ['mended', () => edit('rename', join(own, 'config.yaml'), 'max_chars: 3000\n')],
      ['other workspaces', () => edit('write', join(home, '.bearings/config.yaml'), 'workspaces: ~/elsewhere\n')],
      ['back again', () => edit('delete', join(home, '.bearings/config.yaml'))],
      ['a repository', git],
      ['a link', cli('workspaces', 'link', 'other')],
      ['its brief', () => edit('write', join(home, '.bearings/workspaces/other/brief.md'), 'of OTHER')],
      ['no link', cli('workspaces', 'unlink')],
      ['one further down', async () => put(cwd, { '.bearings/brief.md': 'of deep' })],
      ['gone', () => edit('delete', join(cwd, '.bearings'))],
      ['all gone', () => edit('delete', own)],
    ];
    for (const [what, step] of steps) {
      await wait(SETTLED_MS);
      for (let call = 0; call < 3; call += 1) await served(server);
      await step();
      expect(await served(server), what).toEqual(await fresh(home, cwd));
      await wait(SETTLED_MS);
      expect(await served(server), `${what}, once settled`).toEqual(await fresh(home, cwd));
    }
  });
});
