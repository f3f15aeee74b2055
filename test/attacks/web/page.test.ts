import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { effort } from '../../support/effort.ts';
import { askingClient, filesBelow, pendingBelow } from '../../support/mcp/asking-client.ts';
import { openLibrary, proposed } from '../../support/open-library.ts';
import { enterRaw, originOf, post, raw, withCredentials } from '../../support/page/page-requests.ts';
import { startUi, until } from '../../support/page/page-server.ts';
import { person } from '../../support/person.ts';
import { BINARY, environment, LEGACY, MODERN, STARTED } from '../../support/process/binary.ts';

// More than the page lets stay in any case.
const IDLE = effort(10_000, 1_000);
const HOME = '.bearings';
const NOTES = `${HOME}/workspaces/manta/notes.md`;
const { place, at } = person({ [NOTES]: '# Manta\n' });
const notes = () => readFileSync(at(NOTES), 'utf8');
const pending = () => pendingBelow(at(HOME));

async function scene() {
  const settings = openLibrary(place.home);
  await (await settings.gate()).adoptAll('all', { via: 'init' });
  const id = await proposed(settings, 'Not without the person.');
  return { library: settings, id, ui: await startUi(place) };
}

// What the page would send to accept it, after it was shown.
async function acceptance(ui: Awaited<ReturnType<typeof startUi>>, id: string, headers: Record<string, string>) {
  const { text } = await raw(ui, `/api/item?key=p/${id}`, { headers });
  return { binding: JSON.parse(text).binding, action: 'accept' };
}

const untouched = () => {
  expect(notes()).toBe('# Manta\n');
  expect(pending()).toHaveLength(1);
};

describe('the page’s door', () => {
  it('the proof that the way itself works: with everything right it is accepted, once', async () => {
    const { ui, id } = await scene();
    const right = withCredentials((await enterRaw(ui)) ?? { cookie: '', token: '' });
    const said = await acceptance(ui, id, right);
    expect((await post(ui, '/api/act', said, right)).status).toBe(200);
    expect(notes()).toContain('Not without the person.');
    expect((await post(ui, '/api/act', said, right)).status).toBe(409);
    expect(notes().split('Not without').length).toBe(2);
  });

  it('DNS rebinding: another name for this machine gets nothing, even with all credentials', async () => {
    const { ui, id } = await scene();
    const right = withCredentials((await enterRaw(ui)) ?? { cookie: '', token: '' });
    const said = await acceptance(ui, id, right);
    for (const host of [
      `evil.example:${ui.port}`,
      `localhost:${ui.port}`,
      '127.0.0.1',
      `127.0.0.1.evil.example:${ui.port}`,
      `[::1]:${ui.port}`,
      `127.0.0.1:${ui.port}.`,
    ]) {
      const answer = await post(ui, '/api/act', said, { ...right, host });
      expect({ host, status: answer.status }).toEqual({ host, status: 421 });
      expect((await raw(ui, '/', { headers: { host } })).text).not.toContain('<script');
    }
    untouched();
  });

  it('a foreign Origin gets nothing, even with all credentials', async () => {
    const { ui, id } = await scene();
    const right = withCredentials((await enterRaw(ui)) ?? { cookie: '', token: '' });
    const said = await acceptance(ui, id, right);
    for (const origin of [
      'http://evil.example',
      'null',
      `http://localhost:${ui.port}`,
      `https://127.0.0.1:${ui.port}`,
      `${originOf(ui)}.evil.example`,
      `http://127.0.0.1:${ui.port + 1}`,
    ])
      expect((await post(ui, '/api/act', said, { ...right, origin })).status).toBe(403);
    for (const site of ['cross-site', 'same-site', 'none'])
      expect((await post(ui, '/api/act', said, { ...right, 'sec-fetch-site': site })).status).toBe(403);
    expect((await raw(ui, '/api/queue', { headers: { ...right, origin: 'http://evil.example' } })).status).toBe(403);
    expect((await raw(ui, '/api/stamp', { headers: { ...right, origin: 'http://evil.example' } })).status).toBe(403);
    untouched();
  });

  it('CSRF: simple content types, empty bodies, other methods, no Origin decide nothing', async () => {
    const { ui, id } = await scene();
    const right = withCredentials((await enterRaw(ui)) ?? { cookie: '', token: '' });
    const body = JSON.stringify(await acceptance(ui, id, right));
    const origin = originOf(ui);
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
      '',
    ])
      expect(
        (await raw(ui, '/api/act', { method: 'POST', headers: { ...right, origin, 'content-type': type }, body }))
          .status,
      ).toBe(403);
    const json = { ...right, 'content-type': 'application/json' };
    expect((await raw(ui, '/api/act', { method: 'POST', headers: json, body })).status).toBe(403);
    for (const empty of ['', '{}', 'null', '[]', '"a"', '{"binding":{}}', '{"__proto__":{"action":"accept"}}'])
      expect((await raw(ui, '/api/act', { method: 'POST', headers: { ...json, origin }, body: empty })).status).toBe(
        400,
      );
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])
      expect((await raw(ui, '/api/act', { method, headers: { ...json, origin } })).status).toBe(404);
    expect(
      (await raw(ui, '/api/act', { method: 'OPTIONS', headers: { origin: 'http://evil.example' } })).headers[
        'access-control-allow-origin'
      ],
    ).toBeUndefined();
    // The cookie alone is what a browser would send along for another site.
    expect(
      (
        await raw(ui, '/api/act', {
          method: 'POST',
          headers: { cookie: right.cookie ?? '', origin, 'content-type': 'application/json' },
          body,
        })
      ).status,
    ).toBe(401);
    untouched();
  });

  it('no code, a guessed one, a used one: nobody comes in, and five guesses void the code', async () => {
    const { ui } = await scene();
    expect((await raw(ui, '/api/queue')).status).toBe(401);
    expect((await post(ui, '/api/enter', {})).status).toBe(401);
    expect((await post(ui, '/api/enter', { code: 7 })).status).toBe(401);
    const right = ui.code();
    const one = await enterRaw(ui, right);
    expect(one).not.toBeNull();
    expect(await enterRaw(ui, right)).toBeNull();
    const next = await ui.newCode();
    for (let guess = 0; guess < 5; guess += 1) expect(await enterRaw(ui, `AAAAA-AAAA${guess}`)).toBeNull();
    await until(() => ui.shown().includes('5 wrong codes were tried'));
    expect(await enterRaw(ui, next)).toBeNull();
    expect(await enterRaw(ui, await ui.newCode())).not.toBeNull();
  });

  it('a missing, guessed, mixed or doubled cookie and token open nothing', async () => {
    const { ui } = await scene();
    const one = (await enterRaw(ui)) ?? { cookie: '', token: '' };
    await ui.newCode();
    const two = (await enterRaw(ui)) ?? { cookie: '', token: '' };
    const name = one.cookie.split('=')[0];
    const tries: Record<string, string>[] = [
      {},
      { cookie: one.cookie },
      { 'x-bearings-token': one.token },
      { cookie: one.cookie, 'x-bearings-token': two.token },
      { cookie: `${name}=${'A'.repeat(43)}`, 'x-bearings-token': one.token },
      { cookie: `${name}=`, 'x-bearings-token': '' },
      { cookie: `${name}=x; ${one.cookie}`, 'x-bearings-token': one.token },
      { cookie: `${name}=${one.token}`, 'x-bearings-token': one.cookie.split('=')[1] ?? '' },
    ];
    for (const headers of tries) expect((await raw(ui, '/api/queue', { headers })).status).toBe(401);
    expect((await raw(ui, '/api/queue', { headers: withCredentials(one) })).status).toBe(200);
  });

  it('the cookie is HttpOnly and SameSite=Strict, and every answer is guarded', async () => {
    const { ui } = await scene();
    const { headers } = await post(ui, '/api/enter', { code: ui.code() });
    expect(String(headers['set-cookie'])).toMatch(/; HttpOnly; SameSite=Strict; Path=\/api\/$/);
    for (const path of [
      '/',
      '/page.js',
      '/page.css',
      '/api/queue',
      '/nowhere',
      '/memory/../../etc/passwd',
      '/api/alive',
    ]) {
      const answer = await raw(ui, path);
      const policy = String(answer.headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|\*|data:|http:/);
      expect(answer.headers).toMatchObject({
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      });
      expect(answer.text).not.toContain('root:x:');
    }
  });

  it('what was never shown, or changed since, cannot be decided', async () => {
    const { ui, id, library: settings } = await scene();
    const right = withCredentials((await enterRaw(ui)) ?? { cookie: '', token: '' });
    const { proposal } = await (await settings.gate()).showProposal(id);
    const shown = {
      proposal_id: id,
      content_sha256: proposal.content_sha256,
      target: 'notes.md of manta',
      replaces: null,
    };
    // The very name under which it would have been shown, which anybody can work out: this browser was not shown it.
    const name = createHash('sha256').update(JSON.stringify(shown)).digest('hex');
    const blind = { binding: name, action: 'accept' };
    expect((await post(ui, '/api/act', blind, right)).status).toBe(409);
    const said = await acceptance(ui, id, right);
    expect(said.binding).toBe(name);
    const file = Object.keys(filesBelow(at(HOME))).find((path) => path.endsWith(`${id}.json`)) ?? '';
    const path = at(join(HOME, file));
    const content = 'Something else.';
    const content_sha256 = createHash('sha256').update(content).digest('hex');
    writeFileSync(path, JSON.stringify({ ...proposal, content, content_sha256 }));
    expect((await post(ui, '/api/act', said, right)).status).toBe(409);
    for (const type of ['aside', 'block', 'key'])
      expect(
        (
          await post(
            ui,
            '/api/act',
            { binding: { type, proposal_id: id, content_sha256: '', fingerprint: '', target: '' }, action: 'adopt' },
            right,
          )
        ).status,
      ).toBe(400);
    untouched();
  });
});

describe('MCP and the page', () => {
  for (const [era, client] of [
    ['2025', LEGACY],
    ['2026', MODERN],
  ] as const)
    it(`M18 ${era}: the elicited address holds the id and nothing else; an agent that follows it decides nothing`, async () => {
      const { ui, id } = await scene();
      const seen: Record<string, unknown>[] = [];
      const agent = await askingClient(place, {
        era: client,
        capabilities: { form: {}, url: {} },
        reply: async () => 'accept',
        onAsked: (params) => seen.push(params),
      });
      const { value } = await agent.call('confirm_notes_update', { proposal_id: id });
      expect(value).toMatchObject({ status: 'awaiting_person', proposal_id: id });
      expect(seen).toHaveLength(1);
      expect(seen[0]).toMatchObject({ mode: 'url', url: `${ui.address}p/${id}` });
      const everything = JSON.stringify([seen, value, filesBelow(at(HOME))]);
      for (const secret of [ui.code(), ui.code().replace('-', '')]) expect(everything).not.toContain(secret);
      const followed = await raw(ui, `/p/${id}`);
      expect(followed.status).toBe(200);
      expect(followed.text).not.toContain('Not without the person.');
      expect((await raw(ui, `/api/item?key=p/${id}`)).status).toBe(401);
      const shown = { proposal_id: id, content_sha256: '', target: 'notes.md of manta', replaces: null };
      expect((await post(ui, '/api/act', { binding: { type: 'proposal', shown }, action: 'accept' })).status).toBe(401);
      untouched();
    });

  it('M18 without a running page the address is not offered; neither where another program has its port', async () => {
    const { ui, id } = await scene();
    const announced = readFileSync(at(`${HOME}/page.json`), 'utf8');
    expect(statSync(at(`${HOME}/page.json`)).mode & 0o777).toBe(0o600);
    await ui.stop();
    expect(existsSync(at(`${HOME}/page.json`))).toBe(false);
    const seen: Record<string, unknown>[] = [];
    const options = { capabilities: { url: {} }, onAsked: (params: Record<string, unknown>) => seen.push(params) };
    const agent = await askingClient(place, options);
    expect((await agent.call('confirm_notes_update', { proposal_id: id })).value.status).toBe('awaiting_person');
    const other = createServer((_, answer) => answer.end('{"page":"another"}'));
    // A port of its own: the old one may be anyone's by now.
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    writeFileSync(at(`${HOME}/page.json`), JSON.stringify({ ...JSON.parse(announced), port, pid: process.pid }));
    expect((await agent.call('confirm_notes_update', { proposal_id: id })).value.status).toBe('awaiting_person');
    other.close();
    expect(seen).toEqual([]);
    untouched();
  });

  it('the credentials of one are worth nothing to the other', async () => {
    const { ui, id } = await scene();
    const agent = await askingClient(place, { reply: 'cancel' });
    await agent.call('read_context', { image_id: 'manta' });
    await agent.propose('A second one.');
    // All an agent ever holds: ids of sessions and proposals, and hashes of what it was served.
    const names = Object.entries(filesBelow(at(HOME))).flatMap(([path, text]) => [
      path,
      ...(text.match(/[0-9a-f]{12,64}/g) ?? []),
    ]);
    const words = [...new Set(names.flatMap((name) => name.match(/[0-9a-zA-Z_-]{10,64}/g) ?? []))].slice(0, 60);
    const name = `bearings_page_${ui.port}`;
    for (const word of words)
      expect(
        (
          await raw(ui, '/api/queue', {
            headers: { cookie: `${name}=${word}`, 'x-bearings-token': word, authorization: `Bearer ${word}` },
          })
        ).status,
      ).toBe(401);
    for (const word of words.slice(0, 4)) expect(await enterRaw(ui, word)).toBeNull();
    await ui.newCode();
    const own = (await enterRaw(ui)) ?? { cookie: '', token: '' };
    for (const secret of [own.token, own.cookie, ui.code()]) {
      const answer = await agent.call('confirm_notes_update', { proposal_id: secret });
      expect(answer.isError).toBe(true);
    }
    expect((await agent.call('confirm_notes_update', { proposal_id: id })).value.status).toBe('awaiting_person');
    expect(notes()).toBe('# Manta\n');
  });
});

describe('the local server', () => {
  it('listens on loopback only', async () => {
    const { ui } = await scene();
    const hex = ui.port.toString(16).toUpperCase().padStart(4, '0');
    const listening = ['/proc/net/tcp', '/proc/net/tcp6']
      .filter((path) => existsSync(path))
      .flatMap((path) => readFileSync(path, 'utf8').split('\n'))
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local = '', , state]) => state === '0A' && local.endsWith(`:${hex}`));
    expect(listening.map(([, local]) => local)).toEqual([`0100007F:${hex}`]);
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((each) => each && !each.internal && each.family === 'IPv4');
    if (!outside) return;
    const reached = await new Promise<string>((resolve) => {
      const socket = connect(ui.port, outside.address, () => resolve('reached'));
      socket.on('error', () => resolve('refused'));
    });
    expect(reached).toBe('refused');
  });

  it(`${IDLE} idle connections do not lock out the next; endless bodies end`, async () => {
    const { ui } = await scene();
    const right = withCredentials((await enterRaw(ui)) ?? { cookie: '', token: '' });
    const idle = new Set<Socket>();
    for (let batch = 0; batch < IDLE / 100; batch += 1) {
      await Promise.all(
        Array.from(
          { length: 100 },
          () =>
            new Promise<void>((resolve) => {
              const socket = connect(ui.port, '127.0.0.1', () => resolve());
              idle.add(socket);
              socket.on('error', () => resolve());
              socket.on('close', () => idle.delete(socket));
              socket.resume();
            }),
        ),
      );
    }
    expect((await raw(ui, '/api/queue', { headers: right })).status).toBe(200);
    expect(idle.size).toBeLessThan(400);
    for (const socket of idle) socket.destroy();
    const headers = { ...right, origin: originOf(ui), 'content-type': 'application/json' };
    const long = await raw(ui, '/api/act', { method: 'POST', headers, body: 'x'.repeat(8 * 1024 * 1024) }).catch(
      () => ({ status: 400 }),
    );
    expect(long.status).toBe(400);
    expect((await raw(ui, '/api/queue', { headers: right })).status).toBe(200);
  });

  it('M18 without a terminal there is no page and no code', async () => {
    await scene();
    const { status, stdout, stderr } = spawnSync(process.execPath, [...STARTED, BINARY, 'ui', '--no-open'], {
      cwd: place.home,
      env: environment({ home: at('.') }),
      encoding: 'utf8',
      timeout: 120_000,
    });
    expect(status).toBe(3);
    expect(stdout).toBe('');
    expect(stderr).toContain('The page is for a person');
  });

  it('the browser is opened on a file of the person’s; the code is in no process list and is gone after use', async () => {
    const bin = at('bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\nprintf '%s\\n' "$@" > "${at('opened')}"\n`);
    chmodSync(join(bin, 'xdg-open'), 0o755);
    // Not from the home: programs below the working folder are not the person's.
    mkdirSync(at('elsewhere'));
    const variables = { PATH: `${bin}:${process.env.PATH}` };
    const ui = await startUi({ ...place, cwd: at('elsewhere'), variables }, []);
    await until(() => existsSync(at('opened')) && readFileSync(at('opened'), 'utf8').endsWith('\n'));
    const opened = readFileSync(at('opened'), 'utf8').trim();
    expect(opened).toBe(at(`${HOME}/page-open.html`));
    expect(statSync(opened).mode & 0o777).toBe(0o600);
    expect(readFileSync(opened, 'utf8')).toContain(`${ui.address}#${ui.code()}`);
    const running = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).stdout;
    expect(running).not.toContain(ui.code());
    expect(await enterRaw(ui)).not.toBeNull();
    await until(() => !existsSync(opened));
  });
});
