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
        Object.entries(COMMANDS).map(async ([name, { load }]) => commandHelp(name, (await load()).command)),
      )),
    ];
    expect(texts.flatMap((text) => text.split('\n')).filter((line) => widthOf(line) > 80)).toEqual([]);
  });
});
