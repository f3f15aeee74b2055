import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hookLine } from '../../src/clients/client-hooks.ts';
import { CLIENTS } from '../../src/clients/client-table.ts';
import { shellLine } from '../../src/clients/io/client-locations.ts';
import { pluginCommand } from '../../src/clients/io/opencode-plugin.ts';
import { whyNotId } from '../../src/safety/hidden-characters.ts';
import { effort } from '../support/effort.ts';
import { person } from '../support/person.ts';
import { bearings } from '../support/process/binary.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

// All that some shell gives a meaning to, between ordinary letters.
const piece = fc.oneof(
  fc.constantFrom(...`'"\`$%!^&|<>(){}[];,=~#*?@+-. \t`),
  fc.constantFrom('$HOME', '$(id)', '`id`', '%PATH%', '!x!', '&& calc', '“', '”', '‘', '--', 'reef', 'é', '🐟', '-'),
  fc.string({ unit: 'grapheme', maxLength: 3 }),
);
const id = fc
  .array(piece, { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join(''))
  .filter((text) => whyNotId(text) === null);
const folder = fc.array(id, { minLength: 1, maxLength: 2 }).map((names) => `C:\\Users\\${names.join('\\')}`);

describe('the line of a hook', () => {
  it('M9 is read as it was meant by a real sh, whatever the id', () => {
    const home = tempFolder();
    const show = join(home, 'show words');
    put(home, { 'show words': `for word; do printf '%s\\0' "$word"; done` });
    fc.assert(
      fc.property(id, id, (workspace, place) => {
        const words = ['hook', 'prompt', '--workspace', workspace, '--home', `/home/${place}`];
        const { stdout } = spawnSync('sh', ['-c', shellLine(['/bin/sh', show, ...words], 'linux')], {
          encoding: 'utf8',
        });
        expect(stdout).toBe(words.map((word) => `${word}\0`).join(''));
      }),
      { numRuns: effort(300) },
    );
  });

  it('M9 on Windows is refused, or read the same by cmd, PowerShell and sh', () => {
    let taken = 0;
    fc.assert(
      fc.property(id, folder, (workspace, place) => {
        const program = 'C:\\Program Files\\nodejs\\node.exe';
        const words = [`${place}\\main.cjs`, 'hook', 'prompt', '--workspace', workspace, '--home', place];
        let line: string;
        try {
          line = shellLine([program, ...words], 'win32');
        } catch (error) {
          expect(String(error)).toContain("can't name");
          return;
        }
        taken += 1;
        const meant = ['node', ...words.map((word) => word.replaceAll('\\', '/'))];
        expect([line, byCmd(line)]).toEqual([line, meant]);
        expect([line, byPowerShell(line)]).toEqual([line, meant]);
        const bySh = spawnSync('sh', ['-c', `set -- ${line}; for word; do printf '%s\\0' "$word"; done`], {
          encoding: 'utf8',
        });
        expect([line, bySh.stdout.split('\0').slice(0, -1)]).toEqual([line, meant]);
      }),
      { numRuns: effort(300) },
    );
    expect(taken).toBeGreaterThan(0);
  });

  it.each(['bearings hook session-start', 'node C:/x/main.cjs hook prompt --workspace "my reef" --home "C:/a b"'])(
    'M9 is the same for all three shells: %s',
    (line) => {
      expect(byPowerShell(line)).toEqual(byCmd(line));
      expect(byCmd(line)[0]).toMatch(/^\w+$/);
    },
  );

  it('M9 the parsers of this test know what the shells do', () => {
    expect(() => byCmd('node "a%PATH%b"')).toThrow();
    expect(() => byCmd('node a&calc')).toThrow();
    expect(() => byCmd('"C:\\x\\node.exe" & calc')).toThrow();
    expect(byCmd('node "a & b" c')).toEqual(['node', 'a & b', 'c']);
    expect(() => byPowerShell('"C:/x/node.exe" read')).toThrow();
    expect(() => byPowerShell('node "a$b"')).toThrow();
    expect(() => byPowerShell('node “a b”')).toThrow();
    expect(() => byPowerShell('node a;calc')).toThrow();
    expect(byPowerShell('node "a & b" c')).toEqual(['node', 'a & b', 'c']);
  });
});

// As cmd reads a line, then the C runtime its words. What would do anything but give a word is an error here.
function byCmd(line: string): string[] {
  if (/[%!\r\n]/.test(line)) throw new Error(`cmd puts a variable in: ${line}`);
  let quoted = false;
  for (const character of line) {
    if (character === '"') quoted = !quoted;
    else if (!quoted && /[&|<>()^]/.test(character)) throw new Error(`cmd acts on ${character}: ${line}`);
  }
  if (quoted) throw new Error(`an open quote: ${line}`);
  const [program = ''] = line.split(' ');
  if (/["/\\,;=]/.test(program)) throw new Error(`cmd would not start ${program}`);
  // Two backslashes before a quote, or one, would end it otherwise; a lone quote opens and closes.
  if (/\\"/.test(line)) throw new Error(`the runtime takes the quote for a character: ${line}`);
  return [...line.matchAll(/(?:[^ \t"]|"[^"]*")+/g)].map(([word]) => word.replaceAll('"', ''));
}

// As PowerShell reads arguments of a program (about_Parsing, about_Quoting_Rules).
function byPowerShell(line: string): string[] {
  const words: string[] = [];
  let rest = line;
  while (rest !== '') {
    const blank = /^[ \t]+/.exec(rest);
    if (blank) {
      rest = rest.slice(blank[0].length);
      continue;
    }
    const found =
      /^"([^"\u201c-\u201e$`]*)"(?=[ \t]|$)|^([^ \t"'`$&|<>(){};,@#%\u2018-\u201e][^ \t"'`$&|<>(){};,\u2018-\u201e]*)(?=[ \t]|$)/.exec(
        rest,
      );
    if (!found) throw new Error(`PowerShell acts on: ${rest}`);
    const [whole, inQuotes, bare] = found;
    if (words.length === 0 && bare === undefined) throw new Error(`a text and no program: ${line}`);
    // -name:value and -name.rest are taken apart.
    if (bare !== undefined && /^-[^ ]*[:.]/.test(bare)) throw new Error(`PowerShell splits ${bare}`);
    words.push(inQuotes ?? bare ?? '');
    rest = rest.slice(whole.length);
  }
  return words;
}

describe('what install writes, run as the client would', () => {
  const { place, at } = person({});
  const HOOK_FILES: Record<string, string> = {
    codex: '.codex/hooks.json',
    cursor: '.cursor/hooks.json',
    'copilot-cli': '.copilot/hooks/bearings.json',
    'gemini-cli': '.gemini/settings.json',
    opencode: '.config/opencode/plugin/bearings.js',
  };
  // OpenCode's plugin starts a program without a shell.
  const startOf = (client: string, text: string): [string, ...string[]] => {
    if (client === 'opencode') return pluginCommand(text, 'session-start') as [string, ...string[]];
    const { hooks } = JSON.parse(text);
    return ['sh', '-c', hookLine((hooks.SessionStart ?? hooks.sessionStart)[0])];
  };
  const HOSTILE = [`it's "here"`, '$(touch owned)', '`touch owned`', '--help', '-x', 'a;touch owned', 'a b', 'é🐟'];

  it.each(CLIENTS.filter(({ hooks }) => hooks !== null).map(({ id: client }) => client))(
    'M9 of %s gives the context of a workspace with a hostile id, as the client starts it',
    (client) => {
      for (const name of HOSTILE) {
        put(place.home, { [`.bearings/workspaces/${name}/brief.md`]: `The brief of <${name}>.\n` });
        const done = bearings(place, 'install', client, '--scope', 'user', `--workspace=${name}`, '--yes');
        expect([name, done.stderr, done.code]).toEqual([name, '', 0]);
        const text = readFileSync(at(HOOK_FILES[client] ?? '.claude/settings.json'), 'utf8');
        const env = { PATH: process.env.PATH, HOME: place.home, BEARINGS_CACHE: at('cache') };
        const [program, ...args] = startOf(client, text);
        const { stdout } = spawnSync(program, args, { cwd: place.home, env, encoding: 'utf8', input: '{}' });
        const { hookSpecificOutput: { additionalContext } = {} as never, ...flat } = JSON.parse(stdout);
        expect(additionalContext ?? flat.additionalContext ?? flat.additional_context).toContain(
          `The brief of <${name}>.`,
        );
      }
    },
  );
});
