import { spawn } from 'node:child_process';
import { createDecipheriv, createHash, scryptSync } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { filesBelow, pendingBelow } from '../support/mcp/asking-client.ts';
import { endedUndecided, ledgerLines, ledgerPath, openLibrary, proposed } from '../support/open-library.ts';
import { person } from '../support/person.ts';
import { bearings as binary, environment, LIBRARY, onTerminal } from '../support/process/binary.ts';
import { type Screen, screen } from '../support/process/tmux.ts';
import { put } from '../support/temp-folder.ts';

const MANTA = '.bearings/workspaces/manta';
const NOTES = `${MANTA}/notes.md`;
const { place, at, run } = person({ [NOTES]: '# Manta\n\nfirst\n', '.bearings/tastes/_default.md': '- calm\n' });
const read = (name: string) => readFileSync(at(name), 'utf8');
const pending = () => pendingBelow(at('.bearings'));
const KEYS = '[a]ccept  [e]dit  [d]ecline  [s]kip  [t] until  [u]ndo';
const WORDS = 'a sentence of my own';
// Beside what tests put in its place (`crypto-once.cjs`).
const { real: realScrypt } = scryptSync as typeof scryptSync & { real: typeof scryptSync };

// Line by line.
async function review(...passphrases: string[]): Promise<Screen> {
  const opened = screen(place, ['review', '--plain']);
  for (const [tries, passphrase] of passphrases.entries()) {
    await opened.shows(new RegExp(`(?:passphrase:[^]*){${tries + 1}}`));
    opened.enter(passphrase);
  }
  return opened;
}

/** The words, and after them the choices: what is typed before these does not count (M47). */
const asked = (words: string) =>
  new RegExp(`${words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}[^]*\\n[^\\n]*\\[\\w\\][^\\n]*\\s*$`);

/** What was there before comes last, in the one list of everything else. */
const BY_HAND = /(?:\[y\]es, adopt all|\[n\]ext)[^\n]*\s*$/;

/** Every ledger with what is signed in it, and all is well. */
const wellWith = (decisions: number) =>
  new RegExp(
    [
      '^home +2 signed by you',
      'tastes *\n +1 block of _default\\.md by hand, unaccounted: bearings review',
      `manta +${decisions} signed by you\n +2 blocks of notes\\.md by hand, unaccounted: bearings review`,
      'your key [0-9a-f]{64} · ask · made just now',
      'code ([a-z2-7]{26}) · note it down away from this machine: bearings verify --expect \\1',
      'all is well\n$',
    ].join('\n'),
  );

describe('propose and proposals', () => {
  it('M17 propose is done when it is made (exit 0), says that it waits, and writes nothing lasting', () => {
    const before = read(NOTES);
    const first = run('propose', 'notes', 'manta', '--content', 'A line.', '--reason', 'seen twice');
    expect([first.code, first.stderr]).toEqual([0, '']);
    expect(first.stdout).toMatch(/^proposed p_[0-9a-f]{16} · notes\.md of manta · waits for you: bearings review\n$/);
    const json = run('propose', 'taste', '--category', 'value', '--content', '- quiet', '--json');
    expect(json.code).toBe(0);
    expect(JSON.parse(json.stdout)).toMatchObject({
      status: 'pending',
      target: 'tastes/_default.md',
      content: '- quiet',
    });
    const again = run('propose', 'notes', 'manta', '--content', 'first');
    expect([again.code, again.stdout]).toEqual([0, 'already there: nothing new for notes.md of manta\n']);
    expect([read(NOTES), read('.bearings/tastes/_default.md'), pending().length]).toEqual([before, '- calm\n', 2]);
    const list = run('review', '--list');
    expect([list.code, list.stdout.split('\n').length]).toEqual([0, 4]);
    expect(list.stdout).toMatch(/notes\.md of manta .* just now .* A line\./);
    expect(JSON.parse(run('review', '--list', '--json').stdout)).toHaveLength(2);
    expect(run('review').code).toBe(3);
    expect(run('review').stderr).toContain('2 proposals wait, and a decision needs a terminal');
  });

  it('M17 M27 bad use is exit 2 with one sentence', () => {
    for (const words of [
      ['propose'],
      ['propose', 'brief', '--content', 'x'],
      ['propose', 'notes', 'manta'],
      ['propose', 'notes', 'nowhere', '--content', 'x'],
      ['propose', 'notes', 'manta', '--content', 'x', '--replaces', 'nowhere'],
      ['propose', 'taste', '--content', 'x'],
      ['propose', 'taste', '--content', 'x', '--category', 'value', '--file', '../x'],
      ['propose', 'notes', 'manta', '--content', 'password: hunter2horse'],
      ['review', '--list', 'accept', 'p_1'],
      ['review', '--show'],
      ['review', '--show', 'p_1'],
      ['review', '--revive', 'p_1'],
      ['review', 'nowhere'],
      ['config', 'confirm'],
      ['config', 'confirm', 'never'],
    ]) {
      const { code, stdout, stderr } = run(...words);
      expect([words, code, stdout]).toEqual([words, 2, '']);
      expect(stderr).toMatch(/^bearings: [^\n]+\n {10}[^\n]+\n$/);
    }
    expect(pending()).toEqual([]);
  });

  it('M18 without a terminal nothing is decided, and with nothing to decide all is well', () => {
    expect([run('review').code, run('review', '--list').stdout]).toEqual([0, 'nothing waits for you\n']);
    run('propose', 'notes', 'manta', '--content', 'A line.');
    expect([run('review', 'manta').code, run('config', 'confirm', 'passphrase').code, pending().length]).toEqual([
      3, 3, 1,
    ]);
  });
});

describe('review in a terminal', () => {
  it('M18 M21 shows each in its surroundings and does what the key says', async () => {
    for (const text of ['One.', 'Two.', 'Three.'])
      await proposed(openLibrary(place.home), text, { reason: `because ${text}` });
    const { shows, enter, ends } = await review();
    const first = await shows(KEYS);
    expect(first).toMatch(/1 of 3 {3}notes\.md of manta +proposed just now by studio/);
    expect(first).toContain('"because One."');
    expect(first).toMatch(/ {4}2\n {4}3 {5}first\n {2}\+ 5 {5}One\./);
    enter('x');
    await shows(asked('a   writes exactly what is shown'));
    enter('a');
    await shows('accepted · notes.md line 5 · ledger 1');
    await shows(asked('2 of 3'));
    enter('d');
    await shows('why (optional');
    enter('not now');
    await shows('declined · notes.md of manta · ledger 2');
    await shows(asked('3 of 3'));
    enter('s');
    await shows(BY_HAND);
    enter('q');
    expect(await ends()).toBe(0);
    expect([read(NOTES), pending().length]).toEqual(['# Manta\n\nfirst\n\nOne.\n', 1]);
    expect(ledgerLines(at(MANTA)).map((line) => JSON.parse(line))).toMatchObject([
      { decision: 'accept', via: 'review' },
      { decision: 'decline', reason_hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    expect(run('verify').stdout).toMatch(wellWith(2));
  });

  it('M18 leaving, an ended input and an interrupt decide nothing', async () => {
    await proposed(openLibrary(place.home), 'One.');
    for (const key of ['q', '\u0004', '\u0003', '']) {
      const { shows, enter, type, text } = await review();
      await shows(KEYS);
      if (key === 'q') enter('q');
      else if (key === '') enter();
      else type(key);
      await shows(key === '' ? 'a   writes exactly' : 'ended with 0');
      expect(text()).not.toContain('accepted');
    }
    expect([read(NOTES), pending().length]).toEqual(['# Manta\n\nfirst\n', 1]);
  });

  it('M19 what changed since it was shown is not written', async () => {
    const id = await proposed(openLibrary(place.home), 'As shown.');
    const { shows, enter, ends } = await review();
    await shows(asked('As shown.'));
    const name = Object.keys(filesBelow(at('.bearings'))).find((path) => path.endsWith(`${id}.json`)) ?? '';
    const path = at(join('.bearings', name));
    const content = 'Not that.';
    const content_sha256 = createHash('sha256').update(content).digest('hex');
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), content, content_sha256 }));
    enter('a');
    await shows('The proposal is no longer what was shown.');
    await shows(BY_HAND);
    enter('q');
    expect(await ends()).toBe(0);
    expect([read(NOTES), pending()]).toEqual(['# Manta\n\nfirst\n', [id]]);
  });

  it('M23 tells what was set aside', async () => {
    const bearings = openLibrary(place.home);
    const session = await (await bearings.sessions()).openSession('manta', 'studio');
    await (await bearings.gate()).propose(session, { kind: 'notes', content: 'Aside.' });
    const [id] = await endedUndecided(bearings, session);
    const { shows, enter, ends } = await review();
    await shows(/\[2\] +1 {2}set aside at the end of a session[\s\S]*\[n\]ext/);
    enter('2');
    await shows(asked('Set aside at the end of a session, before you decided:'));
    enter('s');
    await shows(BY_HAND);
    enter('q');
    expect(await ends()).toBe(0);
    expect(run('review', '--list', '--discarded').stdout).toContain(`${id}`);
  });
});

describe('confirm: passphrase in a terminal', () => {
  it('M18 a guess costs half a second and 128 MB: the key opens by no cheaper way', async () => {
    const asked = [
      { after: 'new passphrase:', type: `${WORDS}\n` },
      { after: 'once more:', type: `${WORDS}\n` },
    ];
    const set = await onTerminal({ ...place, asInstalled: true }, ['config', 'confirm', 'passphrase'], asked);
    expect(set.stdout).toContain('confirm is now passphrase');
    const { public_key, locked } = JSON.parse(read('.bearings/key.json'));
    const part = (name: string) => Buffer.from(locked[name], 'base64');
    const open = (N: number) => {
      const key = realScrypt(WORDS, part('salt'), 32, { N, r: 8, p: 1, maxmem: 256 * 1024 * 1024 });
      const cipher = createDecipheriv('aes-256-gcm', key, part('nonce'));
      cipher.setAAD(Buffer.from(public_key)).setAuthTag(part('tag'));
      return Buffer.concat([cipher.update(part('secret')), cipher.final()]).length;
    };
    expect(open(2 ** 17)).toBeGreaterThan(32);
    for (const N of [2, 2 ** 14, 2 ** 16]) expect(() => open(N)).toThrow('authenticate');
  });

  it('M18 is set by typing it twice, asked for at every review, proven by verify, and taken off only with it', async () => {
    await proposed(openLibrary(place.home), 'One.');
    const different = screen(place, ['config', 'confirm', 'passphrase']);
    await different.shows('new passphrase:');
    different.enter(WORDS);
    await different.shows('once more:');
    different.enter('something else');
    await different.shows('The two do not match.');
    expect(await different.ends()).toBe(2);

    const set = screen(place, ['config', 'confirm', 'passphrase']);
    await set.shows('new passphrase:');
    set.enter(WORDS);
    await set.shows('once more:');
    set.enter(WORDS);
    expect(await set.shows('confirm is now passphrase')).not.toContain(WORDS);
    expect(JSON.parse(read('.bearings/key.json')).private_key).toBeUndefined();

    const wrong = screen(place, ['review', '--plain']);
    await wrong.shows('passphrase:');
    wrong.enter('wrong words');
    await wrong.shows('The passphrase is wrong. Once more');
    wrong.enter('a');
    await wrong.shows(/wrong\. Once more[\s\S]*wrong\. Once more[\s\S]*passphrase: *\n/);
    wrong.enter('y');
    expect(await wrong.ends()).toBe(2);
    expect([read(NOTES), pending().length]).toEqual(['# Manta\n\nfirst\n', 1]);

    const right = await review('wrong words', WORDS);
    await right.shows(KEYS);
    right.enter('a');
    expect(await right.shows('accepted')).not.toContain(WORDS);
    expect(read(NOTES)).toContain('One.');

    expect(run('verify').stdout).toMatch(/manta .* 1 signed by the key in your home/);
    const proven = screen(place, ['verify']);
    await proven.shows('passphrase (empty: do not prove):');
    proven.enter(WORDS);
    expect(await proven.shows('all is well')).toMatch(/manta .* 1 signed by you/);

    const refused = screen(place, ['config', 'confirm', 'ask']);
    await refused.shows('passphrase:');
    refused.enter('wrong words');
    await refused.shows('The passphrase is wrong.');
    refused.press('C-c');
    await refused.shows('nothing changed');
    expect(JSON.parse(read('.bearings/key.json')).private_key).toBeUndefined();
    const opened = screen(place, ['config', 'confirm', 'ask']);
    await opened.shows('passphrase:');
    opened.enter(WORDS);
    await opened.shows('confirm is now ask');
    expect(run('verify').code).toBe(0);
    expect(JSON.stringify(filesBelow(place.home))).not.toContain(WORDS);
  });
});

describe('what was written in an editor', () => {
  const unsaved = () => {
    const folder = at('.bearings/unsaved');
    return existsSync(folder)
      ? readdirSync(folder, { recursive: true }).filter((name) => /text/.test(String(name)))
      : [];
  };
  const edit = () =>
    screen(place, ['edit', 'notes', 'manta'], { variables: { EDITOR: `sh -c 'echo "written for hours" >> "$0"'` } });

  it('M18 M32 a wrong passphrase is asked for again; a text that is not saved is kept in a private copy', async () => {
    await (await openLibrary(place.home).gate()).setPassphrase(WORDS);
    const before = read(NOTES);
    for (const leave of ['thrice', 'Ctrl-C']) {
      const wrong = edit();
      await wrong.shows('passphrase:');
      wrong.enter('wrong words');
      await wrong.shows('The passphrase is wrong. Once more');
      expect(unsaved()).toHaveLength(1);
      if (leave === 'Ctrl-C') wrong.press('C-c');
      else {
        wrong.enter('other words');
        await wrong.shows(/Once more[\s\S]*Once more/);
        wrong.enter('those words');
      }
      expect(await wrong.ends()).toBe(leave === 'Ctrl-C' ? 3 : 2);
      const [, path = ''] = /what you wrote\s+is in\s+(\S+text\.md)/.exec(wrong.text().replace(/\n +/g, ' ')) ?? [];
      const kept = path.replace(/^~/, place.home);
      expect([readFileSync(kept, 'utf8'), statSync(kept).mode & 0o777]).toEqual([
        `${before}written for hours\n`,
        0o600,
      ]);
      rmSync(at('.bearings/unsaved'), { recursive: true });
    }
    expect(read(NOTES)).toBe(before);

    const right = edit();
    await right.shows('passphrase:');
    right.enter('wrong words');
    await right.shows('The passphrase is wrong. Once more');
    right.enter(WORDS);
    await right.shows('saved notes.md');
    expect([read(NOTES), unsaved()]).toEqual([`${before}written for hours\n`, []]);
  });
});

describe('verify', () => {
  it('M26 ends with 0 when all is well and with 1 when something is wrong, as words and as JSON', async () => {
    expect([run('verify').code, run('verify').stdout]).toEqual([0, 'no decision was made yet\n']);
    await proposed(openLibrary(place.home), 'One.');
    const { shows, enter } = await review();
    await shows(KEYS);
    enter('a');
    await shows('accepted');
    expect(JSON.parse(run('verify', '--json').stdout)).toMatchObject({
      ok: true,
      ledgers: [
        { ledger: 'home', entries: ['key', 'workspace'].map((decision) => ({ decision, status: 'yours' })) },
        { ledger: 'tastes', entries: [] },
        { ledger: 'manta', entries: [{ decision: 'accept', status: 'yours' }] },
      ],
      faults: [],
    });
    const path = ledgerPath(at(MANTA));
    writeFileSync(path, readFileSync(path, 'utf8').replace('"accept"', '"decline"'));
    const { code, stdout } = run('verify');
    expect([code, stdout]).toEqual([1, expect.stringContaining('the signature does not match; the entry was changed')]);
    expect([run('verify', '--json').code, JSON.parse(run('verify', '--json').stdout).ok]).toEqual([1, false]);
  });
});

it('M25 processes that are the first at once share one key, one machine name and one chain', async () => {
  put(place.home, { go: '' });
  const index = pathToFileURL(LIBRARY).href;
  const person = index.replace('index.js', 'person.js');
  const script = (n: number) => `
    const { openBearings } = await import(${JSON.stringify(index)});
    const { openPerson } = await import(${JSON.stringify(person)});
    const bearings = openBearings();
    process.stdin.once('data', async () => {
      const session = await bearings.gate.openSession({ workspace: 'manta', client: 'p${n}' });
      const { proposal_id } = await bearings.gate.propose(session, { kind: 'notes', content: 'From ${n}.' });
      await openPerson().decide(await openPerson().showProposal(proposal_id), { decision: 'accept', via: 'review', client: null });
      process.exit(0);
    });
    console.log('ready');`;
  const children = [1, 2, 3, 4].map((n) =>
    spawn(process.execPath, ['--input-type=module', '-e', script(n)], {
      env: environment(place),
      cwd: place.home,
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  );
  await Promise.all(children.map((child) => new Promise((resolve) => child.stdout.once('data', resolve))));
  const codes = children.map((child) => new Promise((resolve) => child.on('close', resolve)));
  for (const child of children) child.stdin.write('go');
  expect(await Promise.all(codes)).toEqual([0, 0, 0, 0]);
  const { code, stdout } = binary(place, 'verify');
  expect([code, stdout]).toEqual([0, expect.stringMatching(wellWith(4))]);
  for (const folder of [at('.bearings'), at(MANTA)])
    expect(readdirSync(join(folder, 'ledger')).filter((name) => name.endsWith('.jsonl'))).toHaveLength(1);
  for (const n of [1, 2, 3, 4]) expect(read(NOTES).split(`From ${n}.\n`)).toHaveLength(2);
});
