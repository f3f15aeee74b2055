import { describe, expect, it } from 'vitest';
import { COMMANDS } from './commands.ts';
import { commandHelp, GROUPS, generalHelp } from './help.ts';
import { widthOf } from './views/columns.ts';

describe('help', () => {
  it('M31 names every command once, by what it is for', () => {
    expect(GROUPS.flatMap(([, names]) => names).sort()).toEqual(Object.keys(COMMANDS).sort());
  });

  it('M31 fits 80 columns, all of it', async () => {
    const texts = [
      generalHelp('0.1.0', false),
      generalHelp('0.1.0', true),
      ...(await Promise.all(
        Object.entries(COMMANDS).map(async ([name, { load }]) => commandHelp(name, (await load()).command, true)),
      )),
    ];
    expect(texts.flatMap((text) => text.split('\n')).filter((line) => widthOf(line) > 80)).toEqual([]);
  });

  it('M31 shows a command on one screen of 24 lines, and all of it behind --all', async () => {
    for (const [name, { load }] of Object.entries(COMMANDS)) {
      const { command } = await load();
      const [shown, all] = [false, true].map((whole) => commandHelp(name, command, whole).split('\n')) as [
        string[],
        string[],
      ];
      expect(shown.length, name).toBeLessThan(24);
      if (shown.length < all.length) expect(shown.at(-1)).toBe(`The rest: bearings ${name} --help --all`);
      expect(all.filter((line) => /^ {2}--\w/.test(line))).toHaveLength(Object.keys(command.options).length);
      expect(all.filter((line) => line.startsWith(`  ${command.examples[0]?.line}`)).length).toBeGreaterThan(0);
    }
  });
});
