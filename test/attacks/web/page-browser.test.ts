import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { pendingBelow } from '../../support/mcp/asking-client.ts';
import { endedUndecided, openLibrary, proposed } from '../../support/open-library.ts';
import { everythingElse, press, realBrowser } from '../../support/page/page-browser.ts';
import { raw } from '../../support/page/page-requests.ts';
import { startUi } from '../../support/page/page-server.ts';
import { person } from '../../support/person.ts';

const HOME = '.bearings';
const WORKSPACE = `${HOME}/workspaces/manta`;
const { place, at } = person({
  [`${WORKSPACE}/notes.md`]: '# Manta\n',
  [`${WORKSPACE}/brief.md`]: 'Tastes: evil\n',
  [`${HOME}/tastes/_default.md`]: '- calm\n',
});
const chrome = realBrowser();
const notes = () => readFileSync(at(`${WORKSPACE}/notes.md`), 'utf8');
const pending = () => pendingBelow(at(HOME));

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

// Another program of this machine, with a page of its own: an agent can start one.
async function evilSite(
  html: string,
): Promise<{ address: string; seen: { url: string; headers: IncomingHttpHeaders }[] }> {
  const seen: { url: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, answer) => {
    seen.push({ url: request.url ?? '', headers: request.headers });
    answer.setHeader('content-type', 'text/html');
    answer.end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, seen };
}

async function scene() {
  const settings = openLibrary(place.home);
  await (await settings.gate()).adoptAll('all', { via: 'init' });
  const id = await proposed(settings, 'Not without the person.');
  const ui = await startUi(place);
  const visit = await chrome.enter(ui);
  await visit.page.locator('.diff').waitFor();
  return { library: settings, id, ui, ...visit };
}

describe('another site in the person’s own browser', () => {
  it('DNS rebinding: a foreign name that leads here shows nothing and decides nothing', async () => {
    const { ui, id } = await scene();
    const page = await (await chrome.newContext()).newPage();
    const answer = await page.goto(`http://evil.test:${ui.port}/`);
    expect(answer?.status()).toBe(421);
    const status = await page.evaluate(
      `fetch('/api/act', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }).then((a) => a.status)`,
    );
    expect(status).toBe(421);
    expect(pending()).toEqual([id]);
  });

  it('fetch, forms, EventSource, WebSocket and beacons from another port decide nothing and read nothing', async () => {
    const { ui, id, page } = await scene();
    const evil = await evilSite('<!doctype html><title>evil</title><body></body>');
    const other = await page.context().newPage();
    await other.goto(`${evil.address}api/steal`);
    const tries = `(async () => {
      const to = ${JSON.stringify(ui.address)};
      const out = {};
      const attempt = async (name, work) => { try { out[name] = await work(); } catch (error) { out[name] = 'failed'; } };
      const text = (answer) => answer.text();
      await attempt('get', () => fetch(to + 'api/queue', { credentials: 'include' }).then(text));
      await attempt('cors', () => fetch(to + 'api/act', { method: 'POST', credentials: 'include', headers: { 'content-type': 'application/json', 'x-bearings-token': 'x' }, body: '{}' }).then(text));
      await attempt('simple', () => fetch(to + 'api/act', { method: 'POST', mode: 'no-cors', credentials: 'include', headers: { 'content-type': 'text/plain' }, body: '{}' }).then((a) => a.type));
      await attempt('events', () => new Promise((resolve) => { const s = new EventSource(to + 'api/stamp', { withCredentials: true }); s.onopen = () => resolve('open'); s.onerror = () => resolve('failed'); }));
      await attempt('socket', () => new Promise((resolve) => { const s = new WebSocket(to.replace('http', 'ws') + 'api/stamp'); s.onopen = () => resolve('open'); s.onerror = () => resolve('failed'); }));
      await attempt('script', () => new Promise((resolve) => { const s = document.createElement('script'); s.src = to + 'api/queue'; s.onload = () => resolve('loaded'); s.onerror = () => resolve('failed'); document.body.append(s); }));
      navigator.sendBeacon(to + 'api/act', new Blob(['{}'], { type: 'text/plain' }));
      return out;
    })()`;
    expect(await other.evaluate(tries)).toEqual({
      get: 'failed',
      cors: 'failed',
      simple: 'failed',
      events: 'failed',
      socket: 'failed',
      script: 'failed',
    });
    await other.setContent(
      `<form method="post" enctype="text/plain" action="${ui.address}api/act"><input name='{"a":"' value='"}'></form>`,
    );
    await Promise.all([other.waitForNavigation(), other.evaluate('document.forms[0].submit()')]);
    expect(await other.locator('body').innerText()).toContain('wrong_origin');
    expect(pending()).toEqual([id]);
    expect(notes()).toBe('# Manta\n');
  });

  it('a server on another port may get the cookie, as cookies ignore ports; alone it opens nothing', async () => {
    const { ui, page } = await scene();
    const evil = await evilSite('<!doctype html>evil');
    const other = await page.context().newPage();
    await other.goto(`${evil.address}api/steal`);
    const cookie = evil.seen.find(({ url }) => url === '/api/steal')?.headers.cookie ?? '';
    expect(cookie).toContain(`bearings_page_${ui.port}=`);
    expect(await other.evaluate('document.cookie')).toBe('');
    expect(await other.evaluate('localStorage.length')).toBe(0);
    expect((await raw(ui, '/api/queue', { headers: { cookie } })).status).toBe(401);
    expect((await raw(ui, '/api/queue', { headers: { cookie, 'x-bearings-token': cookie } })).status).toBe(401);
  });

  it('clickjacking: the page shows in no frame', async () => {
    const { ui, id, page } = await scene();
    const evil = await evilSite(
      `<!doctype html><style>iframe{opacity:.01;width:1200px;height:800px}</style><iframe src="${ui.address}p/${id}"></iframe><object data="${ui.address}"></object><embed src="${ui.address}">`,
    );
    const other = await page.context().newPage();
    await other.goto(evil.address);
    await other.waitForTimeout(800);
    for (const frame of other.frames().slice(1)) expect(await frame.locator('.shell, .entry').count()).toBe(0);
    expect(other.frames().length).toBeGreaterThan(1);
    expect(pending()).toEqual([id]);
  });
});

describe('stored script', () => {
  const EVIL = 'http://evil.example:9';
  const PAYLOADS = [
    '<script>window.pwned = 1</script>',
    `<img src="${EVIL}/x.png" onerror="window.pwned = 2">`,
    '"><svg onload="window.pwned = 3">',
    `<iframe srcdoc="<script>parent.pwned = 4</script>"></iframe>`,
    `<style>@import url(${EVIL}/x.css); body { background: url(${EVIL}/y.png) }</style>`,
    `<link rel="stylesheet" href="${EVIL}/z.css"><meta http-equiv="refresh" content="0;url=${EVIL}">`,
    '[click](javascript:window.pwned=5)',
    '[click](JaVaScRiPt&colon;window.pwned=6)',
    '[data](data:text/html,<script>window.pwned=7</script>)',
    '<a href="javascript:window.pwned=8">x</a> <javascript:window.pwned=9>',
    `![image](${EVIL}/remote.png) ![x](data:image/svg+xml,<svg/onload=alert(1)>)`,
    `[ref]: javascript:window.pwned=10\n[ref]`,
    `<${EVIL}/auto> vbscript:x file:///etc/passwd`,
    '<base href="http://evil.example/"><form action="http://evil.example/"><button autofocus onfocus="window.pwned=11">',
    '{{constructor.constructor("window.pwned=12")()}} ${window.pwned=13} `window.pwned=14`',
    '| a |\n|---|\n| <img src=x onerror=window.pwned=15> [y](javascript:window.pwned=16) |',
    '- [ ] <details open ontoggle=window.pwned=17>',
    '```html\n<script>window.pwned=18</script>\n```',
  ];

  it('in every field that an agent writes, in every place of the page: nothing runs, nothing is loaded', async () => {
    const settings = openLibrary(place.home);
    await (await settings.gate()).adoptAll('all', { via: 'init' });
    const all = PAYLOADS.join('\n\n');
    const client = `<img src=x onerror=window.pwned=20>`.slice(0, 60);
    const session = await (await settings.sessions()).openSession({ id: 'manta' }, client);
    session.record({ type: 'tool_call', tool: PAYLOADS[0] ?? '', arguments: { [PAYLOADS[2] ?? '']: all } });
    session.record({ type: 'note', text: all });
    await (await settings.gate()).propose(session, {
      kind: 'notes',
      content: all,
      reason: `${PAYLOADS[1]} ${PAYLOADS[6]}`,
    });
    const taste = { kind: 'taste', category: 'value' } as const;
    await (await settings.gate())
      .propose(session, { ...taste, content: all, file: '<img src=x onerror=alert(1)>.md' })
      .catch(() => null);
    await (await settings.gate()).propose(session, {
      ...taste,
      content: PAYLOADS.join('\n'),
      file: 'evil.md',
      reason: PAYLOADS[3],
    });
    await (await settings.gate()).propose(session, {
      ...taste,
      content: '- quiet <script>window.pwned=21</script>',
      replaces: '- calm',
    });
    await (await settings.sessions()).logOperation({ id: 'manta' }, PAYLOADS[0] ?? '', { all });
    const ending = await (await settings.sessions()).openSession({ id: 'manta' }, client);
    await (await settings.gate()).propose(ending, { kind: 'notes', content: `${PAYLOADS[4]}\n${PAYLOADS[7]}` });
    await endedUndecided(settings, ending);
    ending.end(PAYLOADS[0] ?? '');
    const ui = await startUi(place);
    const { page, foreign, complaints } = await chrome.enter(ui);
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    const check = async (where: string): Promise<void> => {
      await page.waitForTimeout(200);
      const found = await page.evaluate(`({
        pwned: window.pwned,
        elements: [...document.querySelectorAll('#page script, #page img, #page iframe, #page style, #page link, #page object, #page embed, #page base, #page meta, #page details, #page form:not(.editor):not(.row-end)')].map((e) => e.outerHTML),
        links: [...document.querySelectorAll('#page a')].map((a) => a.getAttribute('href')).filter((href) => !/^(\\/|#main$|https?:\\/\\/|mailto:)/.test(href)),
        handlers: [...document.querySelectorAll('#page *')].flatMap((e) => [...e.attributes]).filter((a) => /^on/i.test(a.name) || a.name === 'srcdoc').map((a) => a.name),
      })`);
      expect({ where, ...(found as object), dialogs, foreign, complaints }).toEqual({
        where,
        pwned: undefined,
        elements: [],
        links: [],
        handlers: [],
        dialogs: [],
        foreign: [],
        complaints: [],
      });
    };
    await page.locator('.diff').waitFor();
    await check('inbox');
    for (let at = 0; at < 3; at += 1) {
      await press(page, 'j');
      await check(`inbox ${at + 2}`);
    }
    // Accepted, it is memory.
    const waiting = await (await settings.gate()).listProposals('all');
    for (let left = waiting.length; left > 0; left -= 1) {
      await page.goto(ui.address);
      await page.locator('.diff').waitFor();
      // A long text is accepted once its end was shown (M47).
      await press(page, 'End');
      await press(page, 'a');
      await page
        .locator('.said', { hasText: /accepted/ })
        .first()
        .waitFor();
      await check('after accept');
    }
    expect(notes()).toContain('<script>window.pwned = 1</script>');
    for (const path of ['memory', 'memory/w/manta/notes', 'memory/tastes/evil', 'memory/tastes/_default']) {
      await page.goto(`${ui.address}${path}`);
      await page.locator('.item').waitFor();
      await page.waitForTimeout(300);
      await check(path);
      expect(await page.locator('.item a').count()).toBe(0);
    }
    for (const { session_id } of await (await settings.gate()).listSessions('manta')) {
      await page.goto(`${ui.address}sessions/manta/${session_id}`);
      await page.locator('.story li').first().waitFor();
      await check(`session ${session_id}`);
    }
  });

  it('hidden characters in a file are shown as what they are', async () => {
    const settings = openLibrary(place.home);
    await (await settings.gate()).adoptAll('all', { via: 'init' });
    const { appendFileSync } = await import('node:fs');
    appendFileSync(at(`${WORKSPACE}/notes.md`), '\npay \u202Eevil\u202C \u200Bnow \u001b[31m\n');
    const ui = await startUi(place);
    const { page } = await chrome.enter(ui);
    await everythingElse(page);
    const text = await page.locator('.diff .added').innerText();
    for (const shown of ['\\u{202e}', '\\u{200b}', '\\u{1b}']) expect(text).toContain(shown);
    expect(text).not.toMatch(/[\u202e\u200b\u001b]/);
  });
});
