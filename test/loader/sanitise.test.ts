import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRooms } from '../../src/bearings.ts';
import { cleanMemory } from '../../src/loader/io/clean-texts.ts';
import { agent, bearings, onTerminal } from '../support/process/binary.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

const root = tempFolder();
const home = join(root, 'home');
const KEY = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
const MAIL = 'jane.roe@contoso-mail.com';
const CARD = '4539 1488 0343 6467';
let made = 0;
function project(files: Record<string, string>): string {
  const folder = join(root, `p${made++}`);
  put(folder, {
    'AGENTS.md': 'rules\n',
    '.bearings/policy.yaml': 'extends: repo\nadapters: [{name: a, kind: file, path: a.json}]\n',
    ...files,
  });
  return folder;
}
const at = (cwd: string) => openRooms({ cwd, variables: { HOME: home } });

describe('sanitising', () => {
  it('L17 every field of an item: none of the value, a warning with class and field', async () => {
    const item = {
      id: 'W-1',
      title: `call ${MAIL}`,
      summary: `token ${KEY} and card ${CARD}`,
      tags: ['ok', MAIL],
      state: 'ready',
      meta: { deep: [{ password: 'kJ8#mQ2!vX9z' }] },
    };
    const dir = project({ 'a.json': JSON.stringify({ items: [item], [`x ${KEY}`]: 1 }) });
    const bundle = await (await at(dir).loader()).loadContext({ adapters: ['a'] });
    const said = JSON.stringify(bundle);
    for (const value of [KEY, MAIL, CARD, 'kJ8#mQ2!vX9z']) expect(said).not.toContain(value);
    for (const field of ['items[0].title', 'items[0].summary', 'items[0].tags[1]', 'items[0].meta.deep[0].password'])
      expect(bundle.warnings.join('\n')).toContain(` in ${field} is redacted.`);
    expect(bundle.files.find(({ source_class }) => source_class === 'adapter')?.excerpt).toContain(
      'title: call [redacted:',
    );
  });

  it('L17 an id that is a secret is none in paths, provenance or dropped', async () => {
    const items = Array.from({ length: 30 }, (_, n) => ({ id: `n${n}.${MAIL}`, title: 't' })).concat([
      { id: KEY, title: 't' },
    ]);
    const dir = project({ 'a.json': JSON.stringify(items) });
    const said = JSON.stringify(
      await (await at(dir).loader()).loadContext({ adapters: ['a'], fallback: 'unrestricted' }),
    );
    expect(said).not.toContain(KEY);
    expect(said).not.toContain('jane.roe');
  });

  it('L17 notes, log and gaps; what is not safe leaves alone', async () => {
    const dir = project({
      '.bearings/notes.md': `Ask ${MAIL}.\nStay.\n`,
      '.bearings/log.jsonl': `${JSON.stringify({ timestamp: 't', op: 'x', 'api.token': KEY })}\n${JSON.stringify({ timestamp: 't', op: 'fine' })}\n`,
      '.bearings/vocabulary_gaps.jsonl': `${JSON.stringify({ timestamp: 't', description: `card ${CARD}` })}\n`,
    });
    const bundle = await (await at(dir).loader()).loadContext({
      tactical: true,
      max_files: 24,
      max_total_chars: 60_000,
    });
    const said = JSON.stringify(bundle);
    for (const value of [KEY, MAIL, CARD]) expect(said).not.toContain(value);
    expect(said).toContain('Stay.');
    const warnings = bundle.warnings.join('\n');
    expect(warnings).toMatch(/tactical: \w+ in notes is redacted/);
    expect(warnings).toMatch(/in log\[\d\]\.details is redacted/);
    expect(warnings).toMatch(/in gaps\[0\]\.description is redacted/);
  });

  it('L17 a sanitiser that fails drops what it was given', async () => {
    const memory = { notes: 'n', log: [{ timestamp: null, op: 'x', details: {} }], gaps: [] };
    const { memory: left, warnings } = await cleanMemory(memory as never, async () => {
      throw new Error(KEY);
    });
    expect(left).toEqual({ notes: '', log: [], gaps: [] });
    expect(warnings).toHaveLength(3);
    expect(warnings.join()).not.toContain(KEY);
  });

  it('L25 project files: what is certain is replaced by its class, with file and line, within the budget; drift rebuilds it', async () => {
    const dir = project({ 'README.md': `ask ${MAIL}\ntoken: ${KEY}\nend\n`, 'docs/a.md': `x ${KEY}\n` });
    const place = { home, cwd: dir };
    put(home, { '.bearings/config.yaml': '' });
    const args = ['load', '--max-chars-per-file', '60', '--json'];
    const { stdout } = bearings(place, ...args);
    expect(stdout).not.toContain(KEY.slice(0, 12));
    const bundle = JSON.parse(stdout);
    expect(bundle.arguments.redact).toBe(true);
    expect(bundle.warnings).toEqual(
      expect.arrayContaining(['README.md:2: github_token is redacted.', 'docs/a.md:1: github_token is redacted.']),
    );
    // Files of a project name people on purpose.
    expect(stdout).toContain(MAIL);
    expect(bundle.files.every(({ chars }: { chars: number }) => chars <= 60)).toBe(true);
    // The second time the findings are remembered: the bytes are the same.
    expect(bearings(place, ...args).stdout).toBe(stdout);
    expect(readFileSync(join(home, '.bearings/scanned.json'), 'utf8')).not.toContain(KEY);
    writeFileSync(join(root, 'redacted.json'), stdout);
    expect(bearings(place, 'drift', join(root, 'redacted.json')).code).toBe(0);
  });

  it('L25 what only might be a secret is left as it is and warned of', async () => {
    const text = 'db = "postgres://app:marmalade@db.nordwind.de/x"\n';
    const bundle = await (await at(project({ 'README.md': text })).loader()).loadContext({});
    expect(JSON.stringify(bundle.files)).toContain('marmalade');
    expect(bundle.warnings).toContain('README.md:1: this might be a secret (url_credentials) and is left as it is.');
  });

  it('L25 half a private key takes its file with it', async () => {
    const key = `${['-----BEGIN RSA PRIV', 'ATE KEY-----'].join('')}\n${'q7Zp1xmK4t9wB3nV8sRd2LfYc6HjTe5GaUoPiQkM'.repeat(3)}\n`;
    const bundle = await (await at(project({ 'docs/key.md': key })).loader()).loadContext({});
    expect(JSON.stringify(bundle)).not.toContain('q7Zp1xmK4t');
    expect(bundle.warnings).toContain('docs/key.md: private_key is not safe to show; the file is left out.');
  });

  it('L25 --no-redact is for a person on a terminal', async () => {
    const place = { home, cwd: project({ 'README.md': `token: ${KEY}\n` }) };
    expect(bearings(place, 'load', '--no-redact', '--json')).toMatchObject({ code: 2, stdout: '' });
    const { stdout } = await onTerminal(place, ['load', '--no-redact', '--markdown']);
    expect(stdout).toContain(KEY);
    expect(stdout).toContain('github_token is shown as it is');
  });

  it('L17 a secret that the budget would cut in half is seen whole', async () => {
    const dir = project({ 'README.md': `${'x '.repeat(20)}${KEY} end\n` });
    const bundle = await (await at(dir).loader()).loadContext({ max_chars_per_file: 55 });
    expect(JSON.stringify(bundle)).not.toContain('ghp_');
  });

  it('L17 many findings are one line for a class and a file or field, with a count: JSON, terminal and MCP', async () => {
    const people = Array.from({ length: 12 }, (_, n) => `person${n}.roe@contoso-mail.com`);
    const dir = project({
      'README.md': `a key ${KEY} here.\n`.repeat(12),
      'a.json': JSON.stringify(people.map((mail, n) => ({ id: `W-${n}`, title: 't', owner: mail }))),
    });
    const place = { home, cwd: dir };
    const inFile = 'README.md:1,2,3,4,5 and 7 more: github_token is redacted.';
    const { warnings } = JSON.parse(bearings(place, 'load', '--adapter', 'a', '--json').stdout);
    expect(warnings).toContain(inFile);
    expect(warnings.filter((warning: string) => warning.includes('mail_address'))).toEqual([
      expect.stringMatching(/mail_address in items\[0\]\.owner, .*items\[11\]\.owner.* is redacted \(12 times\)\.$/),
    ]);
    const seen = (await onTerminal(place, ['load', '--adapter', 'a'])).stdout.replace(/\s+/g, ' ');
    expect(seen.split('mail_address').length - 1).toBe(1);
    const { call } = await agent(place, { roots: [`file://${dir}`] });
    const told = (await call('load_context', { task: 'x', adapters: ['a'] })).texts.slice(1).join('\n');
    expect(told.split('mail_address').length - 1).toBe(1);
    expect(told).toContain(inFile);
    expect(told).not.toContain('.roe@');
  });
});
