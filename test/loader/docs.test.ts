import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { openRooms } from '../../src/bearings.ts';
import { bearings } from '../support/process/binary.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

const root = tempFolder();
const text = readFileSync(new URL('../../docs/loader.md', import.meta.url), 'utf8');
const blocks = (language: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map((match) => match[1] ?? '');

// Words of a command line with double quotes, as the examples use them.
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? '');
}

describe('docs/loader.md', () => {
  const project = join(root, 'project');
  put(project, {
    'AGENTS.md': 'rules\n',
    'README.md': 'readme\n',
    LICENSE: 'licence\n',
    Makefile: 'all:\n',
    'docs/guide.md': 'guide\n',
    'work.json': '{"fetched_at": "2026-11-15T10:00:00Z", "items": [{"id": "W-1", "state": "blocked"}]}',
    '.bearings/policy.yaml': blocks('yaml')[0] ?? '',
  });

  it.each(blocks('bash').flatMap((block) => block.trim().split('\n')))('L16 the example runs: %s', (line) => {
    const [program, ...args] = wordsOf(line);
    expect(program).toBe('bearings');
    const { code, stderr } = bearings({ home: join(root, 'home'), cwd: project }, ...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('L2 the policy of the example is right, and its words work', async () => {
    const settings = openRooms({ home: join(root, 'home'), cwd: project });
    expect(await (await settings.loader()).checkPolicy()).toEqual({ file: '.bearings/policy.yaml', problems: [] });
    expect(parse(blocks('yaml')[0] ?? '').name).toBe('ours');
    const bundle = await (await settings.loader()).loadContext({ task: 'third-party license' });
    expect(bundle.task_key).toBe('legal');
    expect(bundle.files.map(({ path }) => path)).toContain('LICENSE');
  });

  it('L9 the table of partitions is the arithmetic', async () => {
    const rows = text.split('\n').filter((line) => /^\| (control plane and|with |\d+ files).*\d \/ \d/.test(line));
    expect(rows).toHaveLength(6);
    const settings = openRooms({ home: join(root, 'home'), cwd: join(root, 'empty') });
    put(join(root, 'empty'), {
      '.bearings/policy.yaml': 'extends: repo\nadapters: [{name: a, kind: file, path: a.json}]\n',
      '.bearings/notes.md': '',
    });
    for (const row of rows) {
      const [title = '', control = '', adapter = '', tactical = '', task = ''] = row
        .split('|')
        .slice(1)
        .map((cell) => cell.trim());
      const numbers = (title.match(/[\d,]+(?= files| characters)/g) ?? []).map((number) =>
        Number(number.replaceAll(',', '')),
      );
      const bundle = await (await settings.loader()).loadContext({
        max_files: numbers[0],
        max_total_chars: numbers[1],
        tactical: tactical !== '',
        adapters: adapter === '' ? [] : ['a'],
      });
      const { partitions } = bundle.budget;
      const shown = (slice: keyof typeof partitions) => {
        const room = partitions[slice];
        return room ? `${room.max_files} / ${String(room.max_chars).replace(/\B(?=(\d{3})+$)/g, ',')}` : '';
      };
      // An empty project leaves all room of the control plane to the task.
      const add = (a: string, b: string) => {
        const pair = (cell: string) => cell.split(' / ').map((part) => Number(part.replaceAll(',', '')));
        const [files, chars] = pair(a).map((number, at) => number + (pair(b)[at] ?? 0));
        return `${files} / ${String(chars).replace(/\B(?=(\d{3})+$)/g, ',')}`;
      };
      expect([shown('control_plane'), shown('adapter'), shown('tactical'), shown('task')]).toEqual([
        control,
        adapter,
        tactical,
        add(task, control),
      ]);
    }
  });

  it('every command of the page is one that help knows', () => {
    const known = readdirSync(new URL('../../src/cli/commands', import.meta.url)).map((name) =>
      name.replace(/\.ts$/, ''),
    );
    for (const [, name] of text.matchAll(/`bearings ([a-z]+)/g)) expect(known).toContain(name);
  });
});
