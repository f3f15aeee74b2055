import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type AskingOptions, askingClient, pendingBelow } from '../support/mcp/asking-client.ts';
import { appHost } from '../support/page/app-host.ts';
import { expectFits, findings, picture, realBrowser } from '../support/page/page-browser.ts';
import { startUi } from '../support/page/page-server.ts';
import { person } from '../support/person.ts';
import { LEGACY, MODERN } from '../support/process/binary.ts';

const NOTES = '.bearings/workspaces/manta/notes.md';
const { place, at } = person({
  [NOTES]: '# Notes\n\nKept the red channel at +0.15, no further.\n',
  '.bearings/workspaces/reef/brief.md': 'Another one.\n',
  '.bearings/tastes/_default.md': '- calm\n\n- keep it quiet\n',
});
const chrome = realBrowser();
const host = appHost();
const notes = () => readFileSync(at(NOTES), 'utf8');
const pending = () => pendingBelow(at('.bearings'));

const client = (options: AskingOptions = {}) => askingClient(place, { era: MODERN, ...options });

describe.each([
  ['2025', LEGACY],
  ['2026', MODERN],
] as const)('the inbox inside a chat, for a client of %s', (_, era) => {
  it('M18 shows what this session proposed; its button asks the person, and only her yes writes', async () => {
    const other = await client({ era, name: 'elsewhere' });
    await other.propose('Of another session.');
    const { client: mcp, propose, call, asked } = await client({ era });
    const id = await propose('WB runs cool on this set;\nstart from 5,400 K.');
    await call('propose_taste_update', {
      content: '- keep it calm',
      category: 'value',
      replaces: '- keep it quiet',
      reason: 'Said twice.',
    });
    const { app, calls, troubles } = await host.show(await chrome.newContext(), mcp);
    await app.getByText('2 proposals of this session').waitFor();
    await app.getByText('Said twice.').waitFor();
    expect(await app.locator('.removed .line').allTextContents()).toEqual(['- keep it quiet']);
    expect(await app.locator('.added .line').allTextContents()).toEqual([
      'WB runs cool on this set;',
      'start from 5,400 K.',
      '- keep it calm',
    ]);
    await app.getByText('1 more proposal of other sessions').waitFor();
    const text = (await app.locator('main').textContent()) ?? '';
    expect(text).not.toContain('Of another session.');
    expect(asked).toEqual([]);
    await app.getByRole('button', { name: 'Decide…' }).first().click();
    await app.getByText('notes.md of manta: You accepted it.').waitFor();
    await app.getByText('1 proposal of this session').waitFor();
    expect(asked).toEqual([expect.stringContaining('+ WB runs cool on this set;')]);
    expect(calls).toEqual([
      { name: 'confirm_notes_update', arguments: { proposal_id: id } },
      { name: 'list_proposals', arguments: { image_id: 'manta' } },
    ]);
    expect(notes()).toContain('start from 5,400 K.');
    expect(troubles).toEqual([]);
  });
});

describe('the inbox inside a chat', () => {
  it('M18 M21 a no is told; without an answer it waits, and the app says how to decide', async () => {
    const declining = await client({ reply: 'decline' });
    await declining.propose('Not this.');
    const first = await host.show(await chrome.newContext(), declining.client);
    await first.app.getByRole('button', { name: 'Decide…' }).click();
    await first.app.getByText('notes.md of manta: You declined it.').waitFor();
    await first.app.getByText('Nothing waits for you').waitFor();
    const mute = await client({ elicits: false });
    const id = await mute.propose('Perhaps.');
    const second = await host.show(await chrome.newContext(), mute.client);
    await second.app.getByRole('button', { name: 'Decide…' }).click();
    await second.app.getByText('Not decided yet. To decide now: bearings review, in a terminal.').waitFor();
    expect(pending()).toEqual([id]);
    expect(notes()).not.toMatch(/Not this|Perhaps/);
  });

  it('M18 opens the person’s page at that proposal while one runs: the address holds its id and nothing else', async () => {
    const ui = await startUi(place);
    const { client: mcp, propose } = await client({ elicits: false });
    const id = await propose('To be decided on the page.');
    const { app, links, calls } = await host.show(await chrome.newContext(), mcp);
    await app.getByRole('button', { name: 'Open your page' }).click();
    await expect.poll(() => links).toEqual([`${ui.address}p/${id}`]);
    expect(calls).toEqual([]);
    expect(pending()).toEqual([id]);
  });

  it('shows the beginning where the host reads no resources, and asks nothing where it calls no tools', async () => {
    const { client: mcp, propose } = await client();
    await propose(`The beginning.\n${'and so on '.repeat(100)}`);
    const { app, calls } = await host.show(await chrome.newContext(), mcp, { can: {} });
    await app.getByText('The beginning.').waitFor();
    expect(await app.getByRole('button', { name: 'Decide…' }).isDisabled()).toBe(true);
    expect(await app.getByRole('button', { name: 'Open your page' }).count()).toBe(0);
    expect(calls).toEqual([]);
  });

  it('M28 hostile texts run nothing, ask for nothing and are read as text', async () => {
    const hostile = [
      '<img src=x onerror="globalThis.ran=1;parent.ran=1;fetch(`http://evil.test/`)">',
      '</script><script>globalThis.ran = 1</script>',
      '<svg onload=alert(1)></svg><iframe src="http://evil.test/"></iframe>',
      '[x](javascript:alert(1)) <a href="javascript:alert(1)">Decide…</a>',
      '<button class="ask">Decide…</button> <meta http-equiv="refresh" content="0;url=http://evil.test/">',
      '"}}],"proposals":[{"yours":true}] <!-- <script>',
      'x'.repeat(3_000),
    ];
    const { client: mcp, propose, call } = await client();
    for (const line of hostile) await propose(line);
    const [first = ''] = hostile;
    await call('propose_taste_update', {
      content: '- t',
      category: 'value',
      file: `${first.slice(0, 20)}`,
      reason: first,
    });
    const { page, app, troubles, links } = await host.show(await chrome.newContext(), mcp);
    await app.getByText('8 proposals of this session').waitFor();
    await app.locator('blockquote').waitFor();
    expect(await app.locator('.added .line').allTextContents()).toEqual([...hostile, '- t']);
    expect(await app.locator('blockquote').textContent()).toBe(first);
    expect(await app.locator('img, svg, iframe, a, meta[http-equiv=refresh]').count()).toBe(0);
    expect(await app.locator('script').count()).toBe(1);
    expect(await app.locator('button.ask').count()).toBe(8);
    for (const frame of page.frames()) expect(await frame.evaluate('globalThis.ran')).toBeUndefined();
    expect([troubles, links]).toEqual([[], []]);
    await expectFits(page);
  });

  it('holds itself to a policy: no other script, no network, no form', async () => {
    const { client: mcp, propose } = await client();
    await propose('One.');
    const { app, troubles } = await host.show(await chrome.newContext(), mcp);
    await app.getByText('1 proposal of this session').waitFor();
    const outcome = await app.evaluate(async () => {
      const refused: string[] = [];
      // biome-ignore lint/suspicious/noExplicitAny: in the browser
      const { document, fetch } = globalThis as any;
      // Its own policy, not the host's: only that one names its script by hash.
      document.addEventListener(
        'securitypolicyviolation',
        (event: { effectiveDirective: string; originalPolicy: string }) => {
          if (event.originalPolicy.includes('sha256-')) refused.push(event.effectiveDirective);
        },
      );
      await fetch('http://127.0.0.1:1/').catch(() => undefined);
      const script = document.createElement('script');
      script.textContent = 'globalThis.ran = 1';
      document.body.append(script);
      const image = document.createElement('img');
      const failed = new Promise((done) => {
        image.onerror = done;
      });
      image.src = 'http://127.0.0.1:1/x.png';
      document.body.append(image);
      await failed;
      // biome-ignore lint/suspicious/noExplicitAny: in the browser
      return { refused, ran: (globalThis as any).ran ?? null };
    });
    expect(outcome.ran).toBeNull();
    expect(new Set(outcome.refused)).toEqual(new Set(['connect-src', 'script-src-elem', 'img-src']));
    expect(troubles.filter((line) => !/Content Security Policy|127\.0\.0\.1:1\//.test(line))).toEqual([]);
  });

  it('M18 M31 a model that makes the app’s calls decides nothing, whatever it says beside them', async () => {
    const { client: mcp, call, propose } = await client({ elicits: false });
    const id = await propose('Push to main without asking.');
    const before = notes();
    for (const tool of ['confirm_notes_update', 'list_proposals']) {
      const own = tool === 'list_proposals' ? { image_id: 'manta' } : { proposal_id: id };
      for (const more of [{ decision: 'accept' }, { action: 'accept' }, { confirmed: true }, { _meta: { ui: true } }]) {
        const { isError, texts } = await call(tool, { ...own, ...more });
        expect({ tool, more, isError, code: texts[0]?.includes('invalid_input') }).toEqual({
          tool,
          more,
          isError: true,
          code: true,
        });
      }
    }
    const { value } = await call('confirm_notes_update', { proposal_id: id });
    expect(value).toMatchObject({ status: 'awaiting_person' });
    await mcp.readResource({ uri: `bearings://proposals/${id}` });
    expect([notes(), pending()]).toEqual([before, [id]]);
    await expect(mcp.readResource({ uri: 'bearings://proposals/p_0' })).rejects.toThrow(/No pending proposal/);
  });

  it('M39 a server for one workspace shows no proposal of another', async () => {
    const everywhere = await client();
    await everywhere.call('read_context', { image_id: 'manta' });
    const id = await everywhere.propose('Of manta alone.');
    const pinned = await client({ args: ['--workspace', 'reef'] });
    await expect(pinned.client.readResource({ uri: `bearings://proposals/${id}` })).rejects.toThrow(/No pending/);
  });
});

for (const theme of ['light', 'dark'] as const)
  it(`${theme}: fits at 360 and 800 px, with no serious finding of axe`, async () => {
    const { client: mcp, propose, call } = await client({ elicits: false, name: 'claude-ai' });
    await propose('WB estimate runs a touch cool on this set;\nstart from 5,400 K.');
    await call('propose_taste_update', {
      content: '- keep it calm, also in print',
      category: 'value',
      replaces: '- keep it quiet',
      reason: 'The person asked for it twice, for the book and for the wall.',
    });
    await propose(Array.from({ length: 20 }, (__, at) => `- frame ${at + 1}: warmed a little`).join('\n'));
    const context = await chrome.newContext({ colorScheme: theme });
    const opened = await host.show(context, mcp, { theme, axe: true });
    const { page, app, troubles } = opened;
    await app.getByText('frame 20: warmed a little').waitFor();
    await app.getByRole('button', { name: 'Decide…' }).first().click();
    await app.getByText('Not decided yet.').waitFor();
    for (const width of [360, 800]) {
      await page.setViewportSize({ width, height: 1_000 });
      await picture(page, `chat-inbox-${width}-${theme}`);
      await expectFits(page);
      expect(await app.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
      expect(await findings(app)).toEqual([]);
    }
    expect(troubles).toEqual([]);
  });
