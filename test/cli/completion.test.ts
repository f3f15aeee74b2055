import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { parseLine } from '../../src/cli/run.ts';
import { parseServeOptions } from '../../src/mcp/serve.ts';
import { person } from '../support/person.ts';
import { BINARY, environment, STARTED } from '../support/process/binary.ts';

const { place, at, run } = person({
  '.bearings/workspaces/manta/brief.md': 'x\n',
  '.bearings/workspaces/reef/brief.md': 'x\n',
});

// What bash would offer for these words, the last one half typed.
function offered(...words: string[]): string[] {
  writeFileSync(at('script'), run('doctor', 'completion', 'bash').stdout);
  const line = [
    `bearings() { ${[process.execPath, ...STARTED, BINARY].map((word) => `"${word}"`).join(' ')} "$@"; }`,
    `source '${at('script')}'`,
    `COMP_WORDS=(bearings ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}`,
    '_bearings; printf "%s\\n" "${COMPREPLY[@]}"',
  ].join('\n');
  const { stdout, stderr } = spawnSync('bash', ['-c', line], { env: environment(place), encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter(Boolean);
}

// As a shell would split it: quotes keep blanks together.
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}

describe('completion', () => {
  it('offers commands, their options and workspace ids in bash', () => {
    expect(offered('re')).toEqual(['read', 'review']);
    expect(offered('install', 'cursor', '--und')).toEqual(['--undo']);
    expect(offered('read', '')).toEqual(['manta', 'reef']);
    expect(offered('history', 'notes.md', '')).toEqual(['manta', 'reef']);
    expect(offered('undo', '--t')).toContain('--to');
    expect(offered('install', 'cursor', '--workspace', 'm')).toEqual(['manta']);
    expect(offered('read', '--fo')).toEqual(['--for']);
  });

  it('knows every command in every shell, and no other shell', () => {
    for (const shell of ['bash', 'zsh']) {
      const { code, stdout } = run('doctor', 'completion', shell);
      expect(code).toBe(0);
      for (const name of Object.keys(COMMANDS)) expect(stdout).toMatch(new RegExp(`\\b${name}\\b`));
    }
    expect(run('doctor', 'completion', 'csh').code).toBe(2);
  });

  it('every command has help with examples that begin with it', async () => {
    for (const [name, { load }] of Object.entries(COMMANDS)) {
      const { command } = await load();
      expect(command.examples.length).toBeGreaterThan(0);
      for (const { line, about } of command.examples) {
        expect(line).toMatch(new RegExp(`\\bbearings ${name}\\b`));
        expect(about.length).toBeGreaterThan(5);
      }
      for (const line of command.usage) expect(line).toMatch(new RegExp(`^bearings ${name}\\b`));
    }
    expect(run('install', '--help').stdout).toContain('Examples');
  });

  it('every example of a command’s help is a line that its parser takes', async () => {
    for (const [name, { load }] of Object.entries(COMMANDS)) {
      const { command } = await load();
      // Of a pipe, each part that is ours.
      for (const { line } of command.examples)
        for (const part of line.split(/\s\|\s|\s&&\s/).filter((piece) => /^bearings /.test(piece.trim()))) {
          const [, used, ...args] = wordsOf(part.trim().replace(/\s[<>]\s?\S+/g, ''));
          const meant = used === name ? command : (await COMMANDS[used ?? '']?.load())?.command;
          if (!meant) throw new Error(`${line}: no command ${used}`);
          await expect(parseLine(used ?? '', meant, args), line).resolves.toBeDefined();
          if (used === 'mcp') expect(parseServeOptions(args), line).toBeTypeOf('object');
        }
      const shown = run(name, '--help', '--all').stdout;
      // Beside a long line there is no room: what it is about is below it, further in.
      const shownExamples = shown.split('\nExamples\n')[1]?.match(/^ {2}\S/gm) ?? [];
      expect(shownExamples.length, name).toBe(command.examples.length);
    }
    await expect(parseLine('read', (await COMMANDS.read?.load())?.command as never, ['--nope'])).rejects.toThrow();
  });
});
