import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { BetaLocalFilesystemMemoryTool } from '@anthropic-ai/sdk/tools/memory/node';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shownOf } from '../../src/gate/proposals/proposal.ts';
import type { MemoryCommand } from '../../src/memory-tool/commands.ts';
import { openMemoryTool } from '../../src/memory-tool/memory-tool.ts';
import { effort } from '../support/effort.ts';
import { openLibrary } from '../support/open-library.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const NOTES = '.bearings/workspaces/billing/notes.md';

function home(notes = ''): string {
  const person = tempFolder();
  put(person, { [NOTES]: notes, '.bearings/workspaces/billing/brief.md': '# Billing\n' });
  return person;
}

function toolIn(person: string) {
  return openMemoryTool({ cwd: person, variables: { HOME: person }, workspace: 'billing' });
}

it('M57 an option that it does not know is refused by the name of the function', () => {
  expect(() => openMemoryTool({ workspce: 'billing' } as never)).toThrow('openMemoryTool has no option "workspce".');
});

async function decideAll(person: string, decision: 'accept' | 'decline'): Promise<number> {
  const gate = await openLibrary(person).gate();
  const waiting = await gate.listProposals({ id: 'billing' });
  for (const proposal of waiting) await gate.decide(shownOf(proposal), null, { decision, via: 'review', client: null });
  return waiting.length;
}

// A program of its own that writes the same file again and again, and says each time that it was answered.
function startWriter(person: string) {
  const code = `
    import { openMemoryTool } from ${JSON.stringify(pathToFileURL(join(ROOT, 'dist/memory-tool.js')).href)};
    const tool = openMemoryTool({ cwd: ${JSON.stringify(person)}, workspace: 'billing' });
    await tool.execute({ command: 'create', path: '/memories/count.md', file_text: 'Count 0' });
    for (let at = 1; ; at += 1) {
      await tool.execute({ command: 'str_replace', path: '/memories/count.md', old_str: 'Count ' + (at - 1), new_str: 'Count ' + at });
      console.log(at);
    }`;
  const env = { ...process.env, HOME: person, BEARINGS_HOME: join(person, '.bearings') };
  return spawn(process.execPath, ['--input-type=module', '-e', code], { env, stdio: ['ignore', 'pipe', 'inherit'] });
}

const notesIn = (person: string) => readFileSync(join(person, NOTES), 'utf8');

describe('M57 the memory tool', () => {
  it('M57 what another session wrote alike waits once; this one sees its own words, and goes on with them alone', async () => {
    const person = home('Use pnpm.\n');
    const [first, second] = [toolIn(person), toolIn(person)];
    const file = { path: '/memories/ports.md', file_text: 'Port 8080.' };
    await first.execute({ command: 'create', ...file });
    await second.execute({ command: 'create', ...file });
    const waiting = async () =>
      (await (await openLibrary(person).gate()).listProposals({ id: 'billing' })).map(({ content }) => content);
    expect(await waiting()).toHaveLength(1);
    expect(await second.execute({ command: 'view', path: file.path })).toContain('Port 8080.');
    await second.execute({ command: 'str_replace', path: file.path, old_str: '8080', new_str: '9090' });
    expect((await waiting()).map((text) => /80\d0|9090/.exec(text)?.[0]).sort()).toEqual(['8080', '9090']);
    await second.execute({ command: 'delete', path: file.path });
    expect(await waiting()).toHaveLength(1);
  });

  it('M57 no name can be taken for another one, and what is over stays over', async () => {
    const tool = toolIn(home('Use pnpm.\n'));
    const create = (path: string) => tool.execute({ command: 'create', path: `/memories/${path}`, file_text: 'x' });
    for (const path of ['nоtes.md', 'NOTES.md', 'notes.md/x', 'tastes', 'Tastes/_default.md', 'store', 'a /b'])
      await expect(create(path), path).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(tool.execute(null as never)).rejects.toMatchObject({ code: 'invalid_input' });
    await tool.end();
    await expect(create('later.md')).rejects.toThrow('This memory has ended.');
  });

  it('M57 a session reads back its own write; the next one does not, until the yes', async () => {
    const person = home();
    const first = toolIn(person);
    const created = {
      command: 'create',
      path: '/memories/progress.md',
      file_text: '# Progress\n\nPort 8080.\n',
    } as const;
    expect(await first.execute(created)).toContain('waits for the person');
    expect(await first.execute({ command: 'view', path: '/memories' })).toContain('/memories/progress.md (pending)');
    expect(await first.execute({ command: 'view', path: '/memories/progress.md' })).toContain('     3\tPort 8080.');
    await first.execute({ command: 'str_replace', path: '/memories/progress.md', old_str: '8080', new_str: '9090' });
    await first.end();
    await expect(toolIn(person).execute({ command: 'view', path: '/memories/progress.md' })).rejects.toThrow(
      'not exist',
    );
    expect(notesIn(person)).toBe('');
    // However often it was written, the person decides once.
    expect(await decideAll(person, 'accept')).toBe(1);
    expect(notesIn(person)).toBe('## /memories/progress.md\n\n### Progress\n\nPort 9090.\n');
    const view = await toolIn(person).execute({ command: 'view', path: '/memories/progress.md' });
    expect(view).toMatch(/line numbers:\n {5}1\t### Progress\n {5}2\t\n {5}3\tPort 9090\.$/);
  });

  it('M57 what is confirmed can be changed and deleted, each by one proposal, and renamed by two', async () => {
    const person = home();
    const first = toolIn(person);
    await first.execute({ command: 'create', path: '/memories/notes.md', file_text: 'Use pnpm.\n\nNode 20.\n' });
    await first.execute({ command: 'create', path: '/memories/ports.md', file_text: 'Web 80.\n\nData 5432.\n' });
    await first.execute({ command: 'create', path: '/memories/old/plan.md', file_text: 'Ship in May.' });
    await first.end();
    expect(await decideAll(person, 'accept')).toBe(3);

    const second = toolIn(person);
    await second.execute({
      command: 'insert',
      path: '/memories/ports.md',
      insert_line: 1,
      insert_text: '\nCache 6379.\n',
    });
    await second.execute({ command: 'rename', old_path: '/memories/ports.md', new_path: '/memories/net/ports.md' });
    await second.execute({ command: 'delete', path: '/memories/old' });
    await second.execute({
      command: 'str_replace',
      path: '/memories/notes.md',
      old_str: 'Node 20.',
      new_str: 'Node 22.',
    });
    const listed = await second.execute({ command: 'view', path: '/memories' });
    expect(
      listed
        .split('\n')
        .slice(2)
        .map((line) => line.split('\t')[1]),
    ).toEqual(['/memories/net/ (pending)', '/memories/net/ports.md (pending)', '/memories/notes.md (pending)']);
    await second.end();
    expect(await decideAll(person, 'accept')).toBe(4);
    expect(notesIn(person)).toBe(
      'Use pnpm.\n\nNode 22.\n\n## /memories/net/ports.md\n\nWeb 80.\n\nCache 6379.\n\nData 5432.\n',
    );
  });

  it('M57 a decline ends what the session saw', async () => {
    const person = home();
    const tool = toolIn(person);
    await tool.execute({ command: 'create', path: '/memories/a.md', file_text: 'Skip the tests.' });
    await decideAll(person, 'decline');
    await expect(tool.execute({ command: 'view', path: '/memories/a.md' })).rejects.toThrow('does not exist');
    const again = tool.execute({ command: 'create', path: '/memories/a.md', file_text: 'Skip the tests.' });
    await expect(again).rejects.toThrow('declined');
    await expect(tool.execute({ command: 'view', path: '/memories/a.md' })).rejects.toThrow('does not exist');
  });

  it('M57 text without a decision of the person is not shown, and stays as it is', async () => {
    const person = home('Written by somebody.\n');
    const tool = toolIn(person);
    await expect(tool.execute({ command: 'view', path: '/memories/notes.md' })).rejects.toThrow('does not exist');
    await tool.execute({ command: 'create', path: '/memories/notes.md', file_text: 'Mine.' });
    await decideAll(person, 'accept');
    expect(notesIn(person)).toBe('Written by somebody.\n\nMine.\n');
  });

  it('M57 bad paths and texts are refused in one sentence, and nothing changes', async () => {
    const person = home();
    const tool = toolIn(person);
    const paths = [
      '/etc/passwd',
      'memories/a',
      '/memoriesX/a',
      '/memories/../a',
      '/memories/a/../../b',
      '/memories//a',
      '/memories/.env',
      '/memories/a\nb',
      '/memories/%2e%2e/a\u202e',
      '/memories/a\\..\\b',
      '/memories/',
      '/memories',
      `/memories/${'x'.repeat(300)}`,
      '/memories/# heading',
      '/memories/a/',
      '/memories/a.',
      7,
      null,
      {},
    ];
    for (const path of paths) {
      if (path === '/memories/a/') continue;
      const create = { command: 'create', path, file_text: 'x' } as MemoryCommand;
      await expect(tool.execute(create), String(path)).rejects.toMatchObject({ code: 'invalid_input' });
    }
    for (const file_text of ['AKIAIOSFODNN7EXAMPL3 is the key', 'a\u202eb', 'x'.repeat(30_000), 7]) {
      const create = { command: 'create', path: '/memories/b.md', file_text } as MemoryCommand;
      await expect(tool.execute(create)).rejects.toMatchObject({ code: 'invalid_input' });
    }
    await tool.execute({ command: 'create', path: '/memories/c.md', file_text: 'One.' });
    for (const view_range of [5, 'ab', {}, [1, Number.NaN], [[1], 2]]) {
      const view = { command: 'view', path: '/memories/c.md', view_range } as MemoryCommand;
      await expect(tool.execute(view)).rejects.toMatchObject({ code: 'invalid_input' });
    }
    await tool.execute({ command: 'delete', path: '/memories/c.md' });
    await expect(tool.execute({ command: 'shell' } as unknown as MemoryCommand)).rejects.toThrow(
      'command must be one of',
    );
    expect(await (await openLibrary(person).gate()).listProposals({ id: 'billing' })).toEqual([]);
  });

  it('M57 two agents at once: each sees its own, and after the yes nothing is lost', async () => {
    const person = home();
    const agents = [toolIn(person), toolIn(person)];
    const write = (tool: ReturnType<typeof toolIn>, at: number) =>
      ['a', 'b', 'c'].map((name) =>
        tool.execute({ command: 'create', path: `/memories/${name}${at}.md`, file_text: `${name} of ${at}` }),
      );
    await Promise.all(agents.flatMap(write));
    await Promise.all(
      agents.map((tool) => tool.execute({ command: 'create', path: '/memories/both.md', file_text: 'Same.' })),
    );
    expect(await agents[0]?.execute({ command: 'view', path: '/memories' })).not.toContain('a1.md');
    for (const tool of agents)
      expect(await tool.execute({ command: 'view', path: '/memories/both.md' })).toContain('Same.');
    // The same text waits once, whoever wrote it.
    expect(await decideAll(person, 'accept')).toBe(7);
    const files = await listedFiles(toolIn(person));
    expect(files).toEqual(['a0', 'a1', 'b0', 'b1', 'both', 'c0', 'c1'].map((name) => `/memories/${name}.md`));
  });

  it('M57 M24 killed at any moment: one proposal, with the last text that was answered or the one after it', async () => {
    const counts: number[] = [];
    for (let round = 0; round < effort(200, 8); round += 1) {
      const person = home();
      const child = startWriter(person);
      let answered = 0;
      child.stdout.on('data', (text: Buffer) => {
        answered = Number(text.toString().trim().split('\n').at(-1));
        if (answered >= 1 + (round % 5)) setTimeout(() => child.kill('SIGKILL'), (round * 7) % 11);
      });
      await once(child, 'exit');
      const waiting = await (await openLibrary(person).gate()).listProposals({ id: 'billing' });
      expect(waiting).toHaveLength(1);
      const written = Number(/\d+/.exec(waiting[0]?.content.split('\n').at(-1) ?? '')?.[0]);
      expect(written).toBeGreaterThanOrEqual(answered);
      expect(written).toBeLessThanOrEqual(answered + 1);
      expect(await decideAll(person, 'accept')).toBe(1);
      counts.push(written);
    }
    expect(Math.max(...counts)).toBeGreaterThan(1);
  });

  it('M57 over random sequences the session sees what a plain folder would show', async () => {
    const name = fc.constantFrom('a.md', 'b.md', 'notes.md', 'dir/a.md', 'dir/deep/c.md', 'tastes/style.md', 'dir');
    const path = name.map((each) => `/memories/${each}`);
    const text = fc.array(fc.constantFrom('one', 'two', '# Head', '', '- item', '  code', '```'), { maxLength: 6 });
    const written = text.map((lines) => lines.join('\n'));
    const command = fc.oneof(
      fc.record({ command: fc.constant('create' as const), path, file_text: written }),
      fc.record({ command: fc.constant('create' as const), path, file_text: written }),
      fc.record({
        command: fc.constant('str_replace' as const),
        path,
        old_str: fc.constantFrom('one', 'two', '# Head', '- item', '  code'),
        new_str: written,
      }),
      fc.record({ command: fc.constant('insert' as const), path, insert_line: fc.nat(4), insert_text: written }),
      fc.record({ command: fc.constant('delete' as const), path }),
      fc.record({ command: fc.constant('rename' as const), old_path: path, new_path: path }),
    );
    const some = fc.array(command, { minLength: 1, maxLength: 8 });
    const confirmed = fc.oneof(fc.constant([]), fc.constant([]), fc.array(command, { maxLength: 4 }));
    await fc.assert(
      fc.asyncProperty(confirmed, some, async (before, commands) => {
        // What it starts from was confirmed by the person in an earlier session.
        const person = home();
        const earlier = toolIn(person);
        for (const each of before) await earlier.execute(each).catch(() => undefined);
        await earlier.end();
        await decideAll(person, 'accept');
        const tool = toolIn(person);
        const folder = tempFolder();
        const plain = await BetaLocalFilesystemMemoryTool.init(folder);
        for (const path of await listedFiles(tool))
          await plain.create({ command: 'create', path, file_text: await shownBy(tool, path) });

        for (const each of commands) {
          const ours = await tool.execute(each).then(
            () => null,
            (error: Error) => error.message,
          );
          // Lines that stand twice in the person’s file can’t be told apart, and a folder is not called as the notes are: refused, and nothing has changed.
          if (ours !== null && /exactly once|no folders|would be taken for/.test(ours)) continue;
          dropEmptyFolders(join(folder, 'memories'));
          const theirs = await (plain[each.command] as (command: unknown) => Promise<string>)(each).then(
            () => null,
            () => 'refused',
          );
          expect([JSON.stringify(each), ours === null]).toEqual([JSON.stringify(each), theirs === null]);
        }
        const files = filesBelow(join(folder, 'memories'));
        for (const [path, content] of files) expect(await shownBy(tool, path)).toBe(content);
        expect(await listedFiles(tool)).toEqual(files.map(([path]) => path).sort());
      }),
      { numRuns: effort(1_000, 40) },
    );
  });
});

async function shownBy(tool: ReturnType<typeof toolIn>, path: string): Promise<string> {
  const [, ...lines] = (await tool.execute({ command: 'view', path })).split('\n');
  return lines.map((line) => line.slice(7)).join('\n');
}

async function listedFiles(tool: ReturnType<typeof toolIn>): Promise<string[]> {
  const below = async (path: string): Promise<string[]> => {
    const [, , ...rows] = (await tool.execute({ command: 'view', path })).split('\n');
    const paths = rows.map((row) => (row.split('\t')[1] ?? '').replace(' (pending)', ''));
    const deep = paths.filter((each) => each.endsWith('/') && each.split('/').length - path.split('/').length === 3);
    const inner = await Promise.all(deep.map((each) => below(each.slice(0, -1))));
    return [...paths.filter((each) => !each.endsWith('/')), ...inner.flat()];
  };
  return (await below('/memories')).sort();
}

function dropEmptyFolders(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (!statSync(path).isDirectory()) continue;
    dropEmptyFolders(path);
    if (readdirSync(path).length === 0) rmdirSync(path);
  }
}

function filesBelow(folder: string, at = '/memories'): [string, string][] {
  return readdirSync(folder).flatMap((name): [string, string][] => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return filesBelow(path, `${at}/${name}`);
    return [[`${at}/${name}`, readFileSync(path, 'utf8')]];
  });
}
