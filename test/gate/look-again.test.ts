import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openRooms } from '../../src/bearings.ts';
import { shownOf } from '../../src/gate/proposals/proposal.ts';
import { ledgerLines } from '../support/open-library.ts';
import { everythingElse, press, realBrowser } from '../support/page/page-browser.ts';
import { startUi } from '../support/page/page-server.ts';
import { person } from '../support/person.ts';
import { screen as openScreen } from '../support/process/tmux.ts';

const WORKSPACE = '.bearings/workspaces/w';
const { at, place, run } = person({ [`${WORKSPACE}/brief.md`]: 'About w.\n' });
const chrome = realBrowser();
const notes = () => readFileSync(at(`${WORKSPACE}/notes.md`), 'utf8');
const lastEntry = () => JSON.parse(ledgerLines(at(WORKSPACE)).at(-1) ?? '{}');
const opened = (now?: string) =>
  openRooms({
    home: at('.bearings'),
    cwd: place.home,
    variables: { HOME: place.home, BEARINGS_CACHE: at('.cache/bearings') },
    ...(now ? { now: () => new Date(now) } : {}),
  });

// Accepted long ago, with a day that has come since.
async function rememberedUntil(content: string, until: string, more: { kind?: 'taste'; category?: 'value' } = {}) {
  const bearings = opened('2026-01-01T10:00:00Z');
  await (await bearings.gate()).adoptAll('all', { via: 'init' });
  const session = await (await bearings.sessions()).openSession({ id: 'w' }, 'studio');
  const answer = await (await bearings.gate()).propose(session, { kind: 'notes', content, until, ...more });
  if (answer.status !== 'pending') throw new Error(answer.status);
  const { proposal } = await (await bearings.gate()).showProposal(answer.proposal_id);
  const said = { decision: 'accept', via: 'review', client: null, until: proposal.until } as const;
  await (await bearings.gate()).decide(shownOf(proposal), null, said);
}

describe('M43 a date to review it again', () => {
  it('M43 is in the ledger and not in the text; told once it has come, for notes and tastes', async () => {
    await rememberedUntil('Wait for the vendor.', '2026-02-01');
    await rememberedUntil('Prefer the old lens.', '1y', { kind: 'taste', category: 'value' });
    expect(notes()).toBe('Wait for the vendor.\n');
    expect(lastEntry()).toMatchObject({ decision: 'accept', until: '2026-02-01' });
    const told = async (now: string) => (await (await opened(now).memory()).readContext('w')).warnings;
    expect(await told('2026-01-31T23:00:00Z')).toEqual([]);
    expect(await told('2026-02-01T01:00:00Z')).toEqual([
      '1 block is due for review: notes.md line 1 (since 2026-02-01). The person decides: bearings review',
    ]);
    expect((await told('2027-02-01T01:00:00Z')).join()).toMatch(
      /^2 blocks are due for review: tastes\/_default\.md line 1 \(since 2027-01-01\); notes\.md line 1/,
    );
  });

  it('M43 keep ends it, a new date sets it again, retire takes the block out', async () => {
    await rememberedUntil('Wait for the vendor.', '2026-02-01');
    const late = opened('2026-03-01T10:00:00Z');
    const due = async (now: string) => (await opened(now).gate()).dueBlocks('w');
    const [first] = await (await late.gate()).dueBlocks('w');
    if (!first) throw new Error('it is due');
    await expect((await late.gate()).keepBlock(first, { via: 'review', until: 'soon' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    await (await late.gate()).keepBlock(first, { via: 'review', until: '1m' });
    expect(await due('2026-03-31T10:00:00Z')).toEqual([]);
    const [again] = await due('2026-04-01T10:00:00Z');
    expect(again).toMatchObject({ until: '2026-04-01', block: { text: 'Wait for the vendor.' }, code: [] });
    const later = opened('2026-04-01T10:00:00Z');
    if (again) await (await later.gate()).keepBlock(again, { via: 'review' });
    expect(await due('2099-01-01T10:00:00Z')).toEqual([]);
    expect((await (await later.gate()).blame('notes.md', 'w')).blocks[0]?.origin?.decision).toBe('accept');
    expect((await (await later.gate()).verify()).faults.every(() => false)).toBe(true);
  });

  it('M43 propose takes --until, and review sets it, shows it and asks when it has come', async () => {
    expect(run('propose', 'notes', 'w', '--content', 'x y', '--until', 'yesterday')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('This is not a day to review it again.'),
    });
    await rememberedUntil('Wait for the vendor.', '2026-02-01');
    run('propose', 'notes', 'w', '--content', 'Try the new lens.', '--until', '2099-05-01');
    expect(run('read', 'w', '--json').stderr).toContain('1 block is due for review');
    const screen = openScreen(place, ['review'], { columns: 100, rows: 30 });
    expect(await screen.shows('[t] until')).toContain('to review again on 2099-05-01');
    screen.press('t');
    await screen.shows('review it again (a date');
    screen.type('2098-01-02');
    screen.press('Enter');
    await screen.shows('to review again on 2098-01-02');
    screen.press('a');
    expect(await screen.shows('does this still hold?')).toContain('you wanted to review this again on 2026-02-01');
    screen.press('r');
    expect(await screen.ends()).toBe(0);
    expect(notes()).toBe('Try the new lens.\n');
    const entries = ledgerLines(at(WORKSPACE)).map((line) => JSON.parse(line));
    expect(entries.map(({ decision, until }) => [decision, until]).slice(-2)).toEqual([
      ['accept', '2098-01-02'],
      ['retire', undefined],
    ]);
    expect(run('verify').code).toBe(0);
  });

  for (const looks of [[], ['--plain']])
    it(`M43 M47 a date that is none leaves the question open, and what is typed next decides nothing ${looks.join()}`, async () => {
      await rememberedUntil('Wait for the vendor.', '2026-02-01');
      run('propose', 'notes', 'w', '--content', 'Try the new lens.');
      const before = ledgerLines(at(WORKSPACE)).length;
      const screen = openScreen(place, ['review', ...looks], { columns: 100, rows: 50 });
      const answers = async (wrong: string, sentence: RegExp) => {
        screen.enter(wrong);
        await screen.shows(sentence);
      };
      // Line by line a key is a letter and Enter.
      const choose = async (after: string, key: string) => {
        await screen.shows(new RegExp(`${after}[^]*\\[q\\]uit *\\n`));
        if (looks.length > 0) screen.enter(key);
        else screen.press(key);
      };
      const OPEN = '[^]*again \\(a date[^\n]*: *\\n';
      await choose('Try the new lens', 't');
      await screen.shows(new RegExp(OPEN));
      await answers('2020-01-01', new RegExp(`must be after today${OPEN}`));
      await answers('a', new RegExp(`not a day to review it again${OPEN}`));
      expect(ledgerLines(at(WORKSPACE))).toHaveLength(before);
      screen.enter('2098-01-02');
      await choose('to review again on 2098-01-02', 's');
      await choose('does this still hold', 't');
      await screen.shows(new RegExp(`still hold${OPEN}`));
      await answers('soon', new RegExp(`again on 2026-02-01[^]*not a day to review it again${OPEN}`));
      await answers('r', new RegExp(`soon[^]*not a day[^]*not a day to review it again${OPEN}`));
      screen.enter('2097-01-02');
      expect(await screen.ends()).toBe(0);
      expect(notes()).toBe('Wait for the vendor.\n');
      expect(lastEntry()).toMatchObject({ decision: 'look_again', until: '2097-01-02' });
      expect(ledgerLines(at(WORKSPACE))).toHaveLength(before + 1);
    });

  it('M42 M43 the page lists what is due with keep, edit, retire and a new date', async () => {
    await rememberedUntil('Wait for the vendor.', '2026-02-01');
    await rememberedUntil('Ask the other vendor.', '2026-02-01');
    const ui = await startUi(place);
    const { page } = await chrome.enter(ui);
    const shows = (text: string) => page.locator('.item', { hasText: text }).first().waitFor();
    await everythingElse(page);
    await shows('Wait for the vendor.');
    await shows('You wanted to review this again on 2026-02-01');
    await press(page, 't');
    // What is no date leaves the question open.
    await page.locator('.editor input').fill('soon');
    await page.keyboard.press('Enter');
    await page.getByText('This is not a day to review it again.').waitFor();
    expect(await page.locator('.editor input').count()).toBe(1);
    await page.locator('.editor input').fill('2099-01-01');
    await page.keyboard.press('Enter');
    await shows('Ask the other vendor.');
    expect(lastEntry()).toMatchObject({ decision: 'look_again', until: '2099-01-01', via: 'page' });
    await press(page, 'e');
    await page.locator('.editor textarea').fill('Ask both vendors.');
    await page.keyboard.press('Control+Enter');
    await shows('As you edited it');
    await press(page, 'k');
    await page.locator('.empty').waitFor();
    expect(notes()).toBe('Wait for the vendor.\n\nAsk both vendors.\n');
    expect(lastEntry()).toMatchObject({ decision: 'edit', via: 'page' });
  });
});
