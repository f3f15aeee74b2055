import { readFileSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { filesBelow, pendingBelow } from '../../support/mcp/asking-client.ts';
import { openLibrary, proposed } from '../../support/open-library.ts';
import { enterRaw, originOf, post, raw, withCredentials } from '../../support/page/page-requests.ts';
import { startUi } from '../../support/page/page-server.ts';
import { person } from '../../support/person.ts';
import { put } from '../../support/temp-folder.ts';

const NOTES = '.bearings/workspaces/manta/notes.md';
const { place, at } = person({
  [NOTES]: '# Manta\n',
  '.bearings/workspaces/manta/brief.md': 'Quiet.\n',
  '.bearings/tastes/_default.md': '- calm\n',
  'outside/secret.md': 'OUTSIDE',
  'outside/brief.md': 'OUTSIDE',
});
// Joined at run time, so that no scanner takes this file for a leak.
const TOKEN = ['ghp', '_', '16C7e42F292c6912E7710c838347Ae178B4a'].join('');

async function inside() {
  const ui = await startUi(place);
  const headers = withCredentials((await enterRaw(ui)) ?? { cookie: '', token: '' });
  return { ui, headers };
}
const PATHS = [
  ...[
    '../outside/secret.md',
    '..%2Foutside%2Fsecret.md',
    '%2e%2e/outside/secret',
    '/etc/passwd',
    '....//secret',
    'a\0b',
  ],
  ...[
    'x'.repeat(5_000),
    'CON',
    'nul.md',
    'NOTES.MD',
    '.',
    '..',
    'tastes/../../outside/secret.md',
    '\\..\\secret',
    '~/outside',
  ],
];
const ROUTES = [
  ...['/api/file?id=manta&file=', '/api/workspace?id='],
  ...[
    '/api/session?workspace=manta&id=',
    '/api/session?id=x&workspace=',
    '/api/file?file=notes.md&id=',
    '/api/item?key=p/',
  ],
  ...[
    '/api/item?key=b/',
    '/api/run?id=',
    '/api/step?path=1&id=',
    '/api/run-text?sha256=a&id=',
    '/api/run-text?id=x&sha256=',
  ],
];

describe('what is asked of the page', () => {
  it('M9 M31 paths that lead out, are encoded, reserved or over-long open nothing on any route', async () => {
    const { ui, headers } = await inside();
    for (const route of ROUTES)
      for (const path of PATHS)
        for (const written of [encodeURIComponent(path), path.replace(/[\0 #]/g, '_').slice(0, 2_000)]) {
          const { status, text } = await raw(ui, `${route}${written}`, { headers });
          const asked = `${route}${written.slice(0, 40)}`;
          expect([asked, status < 500]).toEqual([asked, true]);
          expect(text).not.toMatch(/OUTSIDE|root:x|\/tmp\/|node:internal/);
        }
  });

  it('M9 a repository’s link out of it shows nothing on the page', async () => {
    put(place.home, {
      'repo/.bearings/workspace.json': '{"id":"repo-id"}',
      'repo/.git/HEAD': 'ref: refs/heads/main\n',
    });
    symlinkSync(at('outside/brief.md'), at('repo/.bearings/brief.md'));
    symlinkSync(at('outside/secret.md'), at('repo/.bearings/notes.md'));
    place.cwd = at('repo');
    const { ui, headers } = await inside();
    for (const path of ['/api/memory', '/api/workspace?id=repo-id', '/api/file?file=notes.md&id=repo-id'])
      expect((await raw(ui, path, { headers })).text).not.toContain('OUTSIDE');
    place.cwd = place.home;
  });

  it('M31 bodies that are not JSON, too deep, too long, doubled or not ours are refused in a sentence, and nothing is decided', async () => {
    const settings = openLibrary(place.home);
    await (await settings.gate()).adoptAll('all', { via: 'init' });
    await proposed(settings, 'Not without the person.');
    const { ui, headers } = await inside();
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const bodies = [
      ...[
        '',
        '{',
        'null',
        '[]',
        '"accept"',
        'NaN',
        '{"action":NaN}',
        '\ufeff{}',
        '{"a":"\u2028"}',
        '{"a":1e999}',
        deep,
      ],
      ...[
        '{"__proto__":{"action":"accept"}}',
        '{"action":"accept","action":"accept"}',
        '{"constructor":{"prototype":{}}}',
      ],
      ...[`{"binding":${deep},"action":"accept"}`, `{"x":"${'x'.repeat(3 * 1024 * 1024)}"}`],
    ];
    const sent = { ...headers, origin: originOf(ui), 'content-type': 'application/json' };
    for (const path of ['/api/act', '/api/build', '/api/gap', '/api/cancel', '/api/enter'])
      for (const body of bodies) {
        const { status, text } = await raw(ui, path, { method: 'POST', headers: sent, body });
        expect([path, body.slice(0, 30), status >= 400 && status < 500]).toEqual([path, body.slice(0, 30), true]);
        expect(text).not.toMatch(/ at |RangeError|SyntaxError|\/tmp\//);
      }
    expect(readFileSync(at(NOTES), 'utf8')).toBe('# Manta\n');
    expect((await raw(ui, '/api/alive', { headers: { host: `127.0.0.1:${ui.port}` } })).status).toBe(200);
  });

  it('M20 M28 a secret or hidden character in what is edited is refused; the answer and the records hold none of it', async () => {
    const settings = openLibrary(place.home);
    await (await settings.gate()).adoptAll('all', { via: 'init' });
    const id = await proposed(settings, 'Plain text.');
    const { ui, headers } = await inside();
    for (const edited of [`The token is ${TOKEN}`, 'a\u202eb', 'a\u200bb', 'a\u{e0041}b', 'a\u001b[2Jb']) {
      const { binding } = JSON.parse((await raw(ui, `/api/item?key=p/${id}`, { headers })).text);
      const { status, text } = await post(ui, '/api/act', { binding, action: 'accept', edited }, headers);
      expect(status).toBe(400);
      expect(text).not.toContain(edited);
      expect(text).not.toContain(TOKEN);
    }
    expect(pendingBelow(at('.bearings'))).toEqual([id]);
    expect(readFileSync(at(NOTES), 'utf8')).toBe('# Manta\n');
    const records = Object.entries(filesBelow(place.home));
    expect(records.map(([path]) => path)).toContainEqual(expect.stringMatching(/manta\/ledger\/.*\.jsonl$/));
    for (const [path, text] of records) {
      expect(text, path).not.toContain(TOKEN);
      expect(text, path).not.toMatch(/[\u202e\u200b\u{e0041}\u001b]|\\u(?:202e|200b|001b|db40)/iu);
    }
  });
});
