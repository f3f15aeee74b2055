import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { IMPORT_NAMES } from '../../src/clients/io/import-sources.ts';
import { bearings, onTerminal, type Place } from '../support/process/binary.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

const root = tempFolder();
const place: Place & { cwd: string } = { home: join(root, 'person'), cwd: join(root, 'person/desk') };
mkdirSync(place.cwd, { recursive: true });
const run = (...args: string[]) => bearings(place, ...args);

/** The command after these words, as a shell takes it apart. */
function suggested(text: string, after: string): string[] {
  const line = text.split('\n').find((each) => each.includes(after)) ?? '';
  const typed = line.slice(line.indexOf('bearings ', line.indexOf(after)) + 'bearings '.length);
  return [...typed.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

describe('a command that a message suggests', () => {
  it.each(['bad name', '-x', 'semi;colon'])('M31 works for a workspace called %s', (name) => {
    const { stdout } = run('init', '--', name);
    const read = suggested(stdout, 'see what an agent gets');
    expect(run(...read)).toMatchObject({ code: 0, stderr: '' });
    expect(suggested(stdout, 'say what it is about').at(-1)).toBe(name);
    expect(run('init', '--', name).stderr).toContain(`bearings ${read.map(quotedWord).join(' ')}`);
  });

  it('T23 a missing list is asked for as a list', () => {
    put(place.cwd, {
      'each.xml': `<task type="reduce" name="each" over="items"><description>each</description><inputs><input name="items"/></inputs>
<inner_task name="one"><description>take {{item}}</description></inner_task>
<reduction_task name="join"><description>join</description></reduction_task></task>`,
    });
    expect(run('run', 'each.xml').stderr).toContain('--inputs items=FILE.jsonl');
  });

  it('L16 M31 an event is asked for by the option it came with, and a proposal by a command', () => {
    run('init', 'events');
    expect(run('drift', '--receipt', '--event', 'foo', '--workspace', 'events').stderr).toContain(
      '--event pre_mutation',
    );
    expect(run('load', '--receipt', 'foo').stderr).toContain('--receipt pre_mutation');
    expect(run('drift', '--receipt', '--workspace', 'events').stdout).toContain('bearings load --receipt EVENT');
    expect(run('review', '--show', 'nope').stderr).toContain('See what waits: bearings review --list');
  });

  it('M31 after edit it reads the workspace that was edited', async () => {
    run('init', 'edited one');
    put(root, { 'editor.sh': '#!/bin/sh\necho A new line. >> "$1"\n' });
    const variables = { EDITOR: `sh ${join(root, 'editor.sh')}` };
    const { stdout } = await onTerminal({ ...place, variables }, ['edit', 'brief', 'edited one']);
    expect(stdout).toContain('see what an agent gets: bearings read "edited one"');
  });
});

describe('bad use', () => {
  it('M31 import of a file that is not there ends with 2 and names the sources there are', () => {
    const { code, stdout } = run('learn', '--from', 'nope.md');
    expect({ code, stdout }).toEqual({
      code: 2,
      stdout: `nope.md: there is no such file, and the sources by name are ${IMPORT_NAMES.join(', ')}\n`,
    });
    expect(run('learn', '--from', 'cursor').code).toBe(0);
  });

  it.each(['ui', 'mcp'])('M31 %s neither lists nor takes --json', (name) => {
    expect(run(name, '--help').stdout).not.toContain('--json');
    const { code, stderr } = run(name, '--json');
    expect(code).toBe(2);
    expect(stderr).toContain('There is no option --json.');
  });

  it('M31 says what is an option and what a command, and knows two swapped letters', () => {
    expect(run('--bogus').stderr).toContain('There is no option --bogus.');
    expect(run('inti').stderr).toContain('Did you mean: bearings init');
    for (const name of ['-V', 'version']) expect(run(name).stdout).toBe(run('--version').stdout);
  });

  it('T22 T23 --detach without an engine is refused', () => {
    put(place.cwd, { 'one.xml': '<task type="atomic"><description>hello</description></task>' });
    const { code, stderr } = run('run', 'one.xml', '--detach');
    expect([code, stderr]).toEqual([2, expect.stringContaining('--detach needs an engine')]);
  });

  it.each([
    ['edit', 'brief', 'events'],
    ['workspaces', 'remove', 'events'],
    ['verify', 'key', 'add'],
    ['verify', '--trust', 'a'.repeat(64)],
    ['verify', '--new-key'],
    ['config', 'confirm', 'passphrase'],
  ])('M31 %s %s without a terminal waits for a person', (...words) => {
    const { code, stderr } = run(...words);
    expect([code, stderr]).toEqual([3, expect.stringContaining('needs a terminal')]);
  });

  it('M31 M26 what can be no fingerprint is no other key', () => {
    const { code, stderr } = run('verify', '--expect', 'abc');
    expect([code, stderr]).toEqual([2, expect.stringContaining('--expect takes the 26 letters that verify printed')]);
    expect(run('verify', '--expect', 'a'.repeat(64))).toMatchObject({ code: 1 });
  });
});

describe('tables for people', () => {
  it('T23 a run that waits fits its row, and the template can be read', () => {
    put(place.cwd, {
      'ask-me-first.xml': `<task type="sequential" name="a name that is rather long"><description>ask</description><steps>
<task type="approve" name="ask"><description>Go on?</description></task></steps></task>`,
    });
    expect(run('run', 'ask-me-first.xml').code).toBe(3);
    const { stdout } = run('runs');
    expect(stdout).toContain('waits for you');
    expect(stdout).toContain('ask-me-first.xml');
    expect(stdout).not.toContain('awaiting_person');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    const shown = run('runs', 'show', 'last').stdout;
    for (const line of shown.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(shown).toContain('bearings runs answer ');
    expect(JSON.parse(run('runs', '--json').stdout)[0].state).toBe('awaiting_person');
  });

  it('T23 a run that ended for what it was given offers no resume, neither in the list nor by itself', () => {
    put(place.cwd, {
      'needs-a-name.xml': `<task type="sequential" name="greet"><description>Greet</description><steps><task type="atomic"><description>Greet {{name}}.</description><inputs><input name="name"/></inputs></task></steps></task>`,
    });
    expect(run('run', 'needs-a-name.xml').stderr).toContain('nothing was done: fix it, then run it again');
    expect(run('runs').stdout).not.toContain('runs resume');
    expect(run('runs', 'show', 'last').stdout).toContain('fix that, then run it again');
  });

  it('M31 gaps without a workspace lists those of all, by name', () => {
    const gap = { timestamp: '2026-11-01T10:00:00Z', session_id: 's', description: 'no tide table' };
    put(join(place.home, '.bearings/workspaces/events'), { 'vocabulary_gaps.jsonl': `${JSON.stringify(gap)}\n` });
    const { stdout, code } = run('sessions', 'gaps');
    expect(code).toBe(0);
    expect(stdout).toMatch(/events .*no tide table/);
    expect(JSON.parse(run('sessions', 'gaps', '--json').stdout)[0]).toMatchObject({
      image_id: 'events',
      description: 'no tide table',
    });
    expect(JSON.parse(run('sessions', 'gaps', 'list', 'events', '--json').stdout)).toHaveLength(1);
    const lineOf = (day: string) =>
      `${JSON.stringify({ ...gap, description: `gap of the ${day}th`, timestamp: `2026-11-${day}T10:00:00Z` })}\n`;
    const workspaces = join(place.home, '.bearings/workspaces');
    put(join(workspaces, 'aperture'), { 'vocabulary_gaps.jsonl': lineOf('10') + lineOf('03') });
    put(join(workspaces, 'zoo'), { 'vocabulary_gaps.jsonl': lineOf('05') });
    const newest = JSON.parse(run('sessions', 'gaps', 'list', '--json').stdout).map(
      ({ last_at }: { last_at: string }) => last_at,
    );
    expect(newest).toEqual([...newest].sort().reverse());
    expect(newest.length).toBe(4);
  });

  it('L16 what a bundle leaves out is said by the limit it is beyond', async () => {
    put(join(root, 'many'), { 'AGENTS.md': 'a', 'docs/a.md': 'a', 'docs/b.md': 'b', 'docs/c.md': 'c' });
    const { stdout } = bearings({ ...place, cwd: join(root, 'many') }, 'load', '--table', '--max-files', '2');
    expect(stdout).toContain('2 beyond --max-files');
  });
});

function quotedWord(word: string): string {
  return /[ ;]/.test(word) ? `"${word}"` : word;
}
