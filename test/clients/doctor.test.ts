import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FileLayer, realFiles } from '../../src/files/write-file.ts';
import { filesBelow } from '../support/mcp/asking-client.ts';
import { accepted, decided, ledgerPath, openLibrary, proposed } from '../support/open-library.ts';
import { person } from '../support/person.ts';
import { BINARY, bearings, environment, linked, onTerminal, STARTED } from '../support/process/binary.ts';
import { put } from '../support/temp-folder.ts';

interface Finding {
  check: string;
  status: string;
  what: string;
  fix: string | null;
}

const { root, place, at, run } = person({
  '.bearings/tastes/_default.md': '- calm\n',
  '.bearings/workspaces/manta/brief.md': 'Quiet mood.\n',
  '.bearings/workspaces/manta/notes.md': 'first\n',
  'repo/.git/HEAD': 'ref: refs/heads/main\n',
});
const inRepo = () => linked({ ...place, cwd: at('repo') });
const examine = () => {
  const { code, stdout, stderr } = bearings(inRepo(), 'doctor', '--json');
  expect(stderr).toBe('');
  const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: Finding[] };
  expect(code).toBe(ok ? 0 : 1);
  return { ok, broken: findings.filter(({ status }) => status === 'broken'), findings };
};

type Keys = NonNullable<Parameters<typeof onTerminal>[2]>;

// The advice as a person would carry it out: one line in a shell, `bearings` on the path; `review` on a terminal.
async function carryOut(fix: string, keys: Keys = []): Promise<void> {
  if (fix === 'bearings verify --new-key') {
    expect(
      await onTerminal(inRepo(), ['verify', '--new-key'], [{ after: 'Type new key: ', type: 'new key\n' }]),
    ).toMatchObject({
      code: 0,
    });
    return;
  }
  if (fix === 'bearings review') {
    expect(await onTerminal(inRepo(), ['review', '--plain'], keys)).toMatchObject({ code: 0 });
    return;
  }
  const own = `bearings() { ${[process.execPath, ...STARTED, BINARY].map((word) => `"${word}"`).join(' ')} "$@"; }`;
  const ran = spawnSync('bash', ['-c', `${own}\n${fix}`], {
    cwd: at('repo'),
    env: environment(inRepo()),
    encoding: 'utf8',
  });
  expect({ fix, status: ran.status, stderr: ran.stderr }).toEqual({ fix, status: 0, stderr: '' });
}

type Installed = 'cursor' | 'claude-code';
const INSTALLS: Record<Installed, string[]> = {
  cursor: ['cursor', '--scope', 'user', '--workspace', 'manta', '--yes'],
  'claude-code': ['claude-code', '--yes'],
};

// Each doctor starts what the clients' files name, which is most of its time: only what is about clients has such files.
async function healthy(...clients: Installed[]): Promise<void> {
  expect(bearings(inRepo(), 'init').code).toBe(0);
  put(at('repo/.bearings'), { 'brief.md': 'Of the reef.\n' });
  await accepted(openLibrary(place.home), 'a first note');
  for (const client of clients) expect(bearings(inRepo(), 'install', ...INSTALLS[client]).code).toBe(0);
}

// The disk of a process that dies once its intent is written.
function dyingAfterIntent(): FileLayer {
  let dead = false;
  return {
    ...realFiles,
    open(path, flags, mode) {
      if (dead) throw new Error('died');
      const file = realFiles.open(path, flags, mode);
      if (!path.includes('/intents/')) return file;
      const close = () => {
        file.close();
        dead = true;
      };
      return { ...file, close };
    },
  };
}

const home = (name: string) => at(`.bearings/${name}`);
const manta = (name: string) => at(`.bearings/workspaces/manta/${name}`);
const replaceIn = (path: string, from: string | RegExp, to: string) =>
  writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));

interface Fault {
  name: string;
  says: RegExp;
  plant(): void | Promise<void>;
  review?: Keys;
  client?: Installed;
}

const FAULTS: Fault[] = [
  {
    name: 'a home that others can write',
    says: /can be written by others/,
    plant: () => chmodSync(at('.bearings'), 0o777),
  },
  {
    name: 'a home without permission',
    says: /can’t be read and written by you/,
    plant: () => chmodSync(at('.bearings'), 0o500),
  },
  {
    name: 'a key that others can read',
    says: /key\.json can be read by others/,
    plant: () => chmodSync(home('key.json'), 0o644),
  },
  {
    name: 'a damaged key',
    says: /key\.json is damaged/,
    review: [
      { after: '[n]ext', type: '1\n' },
      { after: '[t]rust it', type: 't\n' },
      { after: '[y]es, adopt all', type: 'q\n' },
    ],
    plant: () => writeFileSync(home('key.json'), '{"public', { mode: 0o600 }),
  },
  {
    name: 'a key of two halves',
    says: /two halves of different keys/,
    review: [
      { after: '[n]ext', type: '1\n' },
      { after: '[t]rust it', type: 't\n' },
      { after: '[y]es, adopt all', type: 'q\n' },
    ],
    plant: () => {
      const key = JSON.parse(readFileSync(home('key.json'), 'utf8'));
      key.public_key = `${key.public_key.slice(0, -6)}AAAAA=`;
      writeFileSync(home('key.json'), JSON.stringify(key));
    },
  },
  {
    name: 'a wrong setting',
    says: /config\.yaml:2:1: there is no setting/,
    plant: () => put(at('.bearings'), { 'config.yaml': 'max_chars: 2000\nmax_char: 1\n' }),
  },
  {
    name: 'a configuration that is not YAML',
    says: /config\.yaml:/,
    plant: () => put(at('.bearings'), { 'config.yaml': 'a: [1\nb: }\nmax_chars: 5000\n' }),
  },
  {
    name: 'a project that sets what it may not',
    says: /\.bearings\/config\.yaml:1:1/,
    plant: () => put(at('repo/.bearings'), { 'config.yaml': 'editor: evil\n' }),
  },
  {
    name: 'a broken file of adapters',
    says: /adapters\.yaml:/,
    plant: () => put(at('.bearings'), { 'adapters.yaml': 'adapters: {x: 1}\n' }),
  },
  {
    name: 'a list of repositories that is no list',
    says: /repositories\.json is not a list/,
    plant: () => put(at('.bearings'), { 'repositories.json': '{' }),
  },
  {
    name: 'a repository that is gone',
    says: /the folder of "ghost" is gone/,
    plant: () => replaceIn(home('repositories.json'), '[', `[{"id":"ghost","root":"${at('ghost')}"},`),
  },
  {
    name: 'a repository without its id',
    says: /workspace\.json is not there/,
    plant: () => rmSync(at('repo/.bearings/workspace.json')),
  },
  {
    name: 'sessions that git would commit',
    says: /git would commit your sessions/,
    plant: () => rmSync(at('repo/.bearings/.gitignore')),
  },
  {
    name: 'a merge that would lose lines',
    says: /could lose lines/,
    plant: () => put(at('repo/.bearings'), { '.gitattributes': 'notes.md merge=union\n' }),
  },
  {
    name: 'notes that are a folder',
    says: /notes\.md is a folder/,
    review: [
      { after: '[y]es, adopt all', type: 'y\n' },
      { after: '[t] put it back', type: 't\n' },
    ],
    plant: () => {
      rmSync(manta('notes.md'));
      mkdirSync(manta('notes.md'));
    },
  },
  {
    name: 'notes without permission',
    says: /notes\.md can’t be written by you/,
    plant: () => chmodSync(manta('notes.md'), 0o400),
  },
  {
    name: 'a brief that leads nowhere',
    says: /brief\.md is a link that leads nowhere/,
    plant: () => {
      rmSync(manta('brief.md'));
      symlinkSync(at('nowhere'), manta('brief.md'));
    },
  },
  {
    name: 'a repository whose notes lead out of it',
    says: /links are not followed in a repository's \.bearings/,
    plant: () => symlinkSync(manta('notes.md'), at('repo/.bearings/notes.md')),
  },
  {
    name: 'a torn line in the ledger',
    says: /the last line is torn/,
    review: [
      { after: '[n]ext', type: '1\n' },
      { after: '[t] settle it', type: 't\n' },
      { after: '[y]es, adopt all', type: 'q\n' },
    ],
    plant: () => appendFileSync(ledgerPath(at('.bearings/workspaces/manta')), '{"seq":2,'),
  },
  {
    name: 'a decision that was started and not finished',
    says: /was started and not finished/,
    plant: async () => {
      const bearings = openLibrary(place.home, { files: dyingAfterIntent() });
      await expect(decided(bearings, await proposed(bearings, 'half decided'))).rejects.toThrow();
    },
  },
  {
    name: 'a taste that is a folder',
    says: /_default\.md is a folder/,
    plant: () => {
      rmSync(home('tastes/_default.md'));
      mkdirSync(home('tastes/_default.md'));
    },
  },
  {
    name: 'a cache that is a file',
    says: /is not a folder/,
    plant: () => {
      rmSync(at('.cache'), { recursive: true, force: true });
      put(at('.cache'), { bearings: 'x' });
    },
  },
  {
    name: 'a client whose program is gone',
    client: 'cursor',
    says: /the script it starts is gone/,
    plant: () => replaceIn(at('.cursor/mcp.json'), /main\.cjs/, 'old.cjs'),
  },
  {
    name: 'a hook whose program is gone',
    client: 'claude-code',
    says: /settings\.local\.json is out of date/,
    plant: () => replaceIn(at('repo/.claude/settings.local.json'), /main\.cjs/, 'bearings.cjs'),
  },
  {
    name: 'a client whose workspace is gone',
    client: 'cursor',
    says: /names the workspace "ray"/,
    plant: () => replaceIn(at('.cursor/mcp.json'), '"manta"', '"ray"'),
  },
  {
    name: 'a client from which our entry was taken',
    client: 'cursor',
    says: /holds no entry of ours/,
    plant: () => writeFileSync(at('.cursor/mcp.json'), '{}'),
  },
  {
    name: 'a folder of intents that is a file',
    says: /intents is not a folder/,
    plant: () => {
      rmSync(home('intents'), { recursive: true, force: true });
      writeFileSync(home('intents'), '');
    },
  },
];

describe('a PATH that begins in the project', () => {
  it.each([
    ['./node_modules/.bin', '"./node_modules/.bin"'],
    ['', '"."'],
    ['REPO/node_modules/.bin', 'a folder of this project'],
  ])('L21 %j before bearings: install and doctor warn that a clone’s bearings would be started', (name, shown) => {
    const step = name.replace('REPO', at('repo'));
    const { variables, ...rest } = inRepo();
    const there = (...steps: string[]) => ({ ...rest, variables: { ...variables, PATH: steps.join(delimiter) } });
    const path = variables?.PATH ?? '';
    const warning = `Your PATH has ${shown} before the folder of bearings: a client that starts bearings by its name would start the project's. Move it to the end.`;
    const findings = (where: ReturnType<typeof there>) =>
      (JSON.parse(bearings(where, 'doctor', '--json').stdout) as { findings: Finding[] }).findings;
    const install = (where: ReturnType<typeof there>) =>
      bearings(where, 'install', 'cursor', '--scope', 'user', '--workspace', 'manta', '--yes');
    expect(findings(there(step, path))).toContainEqual({ check: 'path', status: 'hint', what: warning, fix: null });
    expect(findings(there(path, step)).filter(({ check }) => check === 'path')).toEqual([]);
    expect(install(there(step, path))).toMatchObject({ code: 0, stderr: expect.stringContaining(warning) });
    expect(install(there(path, step))).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('M34 doctor', () => {
  it('M9 takes a repository without sessions/ for what it is, and decides there', async () => {
    put(place.home, { 'fresh/.git/HEAD': 'ref: refs/heads/main\n', 'fresh/.bearings/notes.md': 'mine\n' });
    const fresh = { ...place, cwd: at('fresh') };
    const answers = [
      { after: 'skips it', type: '\n' },
      { after: 'Type yes to adopt', type: 'yes\n' },
    ];
    const made = await onTerminal(fresh, ['init'], answers);
    expect(made.stdout).toContain('adopted');
    rmSync(at('fresh/.bearings/sessions'), { recursive: true, force: true });
    expect(bearings(fresh, 'doctor', '--json').stdout).not.toContain('links are not followed');
    rmSync(at('fresh'), { recursive: true });
    expect(bearings(place, 'doctor', '--fix', 'repositories').code).toBe(0);
  });

  it('finds nothing broken in a healthy home, changes nothing, and says what is set up', async () => {
    await healthy('cursor', 'claude-code');
    const before = filesBelow(place.home);
    const { broken, findings } = examine();
    expect(broken).toEqual([]);
    expect([...new Set(findings.map(({ check }) => check))]).toEqual(
      expect.arrayContaining([
        'node',
        'home',
        'key',
        'cache',
        'config',
        'tastes',
        'manta',
        'repo',
        'cursor',
        'claude-code',
      ]),
    );
    expect(filesBelow(place.home)).toEqual(before);
    const elsewhere = bearings(linked(place), 'doctor').stdout;
    expect(elsewhere).toContain('nothing is broken');
    expect(elsewhere).toContain(
      'settings.local.json has the session-start hook for repo; it is started by a doctor in its own project',
    );
  });

  it('L21 starts what install would write here and says what came back; any other entry is shown, not started', async () => {
    await healthy('cursor', 'claude-code');
    const { findings } = examine();
    const of = (file: string) => findings.find(({ what }) => what.includes(file))?.what;
    expect(of('.cursor/mcp.json')).toMatch(/has the server for manta: answers as bearings \d/);
    expect(of('repo/.mcp.json')).toMatch(/has the server for repo: answers as bearings \d/);
    for (const hook of ['session-start hook', 'subagent-start hook'])
      expect(findings.map(({ what }) => what).join('\n')).toMatch(
        new RegExp(`settings\\.local\\.json has the ${hook} for repo: fired, and answered with \\d+ characters`),
      );
    // In place of ours, under our name, and next to it in files that install never touched.
    const evil = { command: 'sh', args: ['-c', `touch ${at('ran')}\u001b[2J`] };
    replaceIn(at('repo/.mcp.json'), '"command": "bearings"', '"command": "./bearings"');
    put(at('repo'), {
      bearings: `#!/bin/sh\ntouch ${at('ran')}\n`,
      '.vscode/mcp.json': JSON.stringify({ servers: { bearings: evil } }),
    });
    chmodSync(at('repo/bearings'), 0o755);
    replaceIn(at('.cursor/mcp.json'), '"--workspace"', '"--no-such-option", "--workspace"');
    const { stdout } = bearings(inRepo(), 'doctor');
    expect(stdout.match(/which install would not write here: it was not started/g)).toHaveLength(3);
    expect(stdout).toContain('starts "sh -c touch');
    expect(stdout).not.toContain('\u001b[2J');
    expect(readdirSync(place.home)).not.toContain('ran');
  });

  it('an empty machine has no faults, only hints', () => {
    put(root, { 'alone/x': '' });
    const { code, stdout } = bearings({ home: `${root}/alone` }, 'doctor');
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('bearings init') });
    expect(readdirSync(`${root}/alone`)).toEqual(['x']);
  });

  it.each(FAULTS)('finds $name, and its advice fixes it', async ({ says, plant, review, client }) => {
    await healthy(...(client ? [client] : []));
    await plant();
    const { broken } = examine();
    const found = broken.find(({ what }) => says.test(what));
    expect(broken.map(({ what }) => what).join('\n')).toMatch(says);
    expect(found?.fix).toEqual(expect.any(String));
    await carryOut(found?.fix ?? 'false', review);
    // What was hidden behind it may show now: its advice must lead on, in few steps, to a healthy library.
    let now = examine();
    for (let steps = 0; steps < 3 && !now.ok; steps += 1) {
      await carryOut(now.broken[0]?.fix ?? 'false', review);
      now = examine();
    }
    expect(now.broken).toEqual([]);
  });

  it('M19 finds a proposal whose block is gone; review declines it', async () => {
    await healthy();
    const bearings = openLibrary(place.home);
    await proposed(bearings, '- calmer', { kind: 'taste', category: 'value', replaces: '- calm' });
    writeFileSync(home('tastes/_default.md'), '- other\n');
    expect(examine().broken).toMatchObject([
      { what: expect.stringMatching(/would replace what is gone/), fix: 'bearings review' },
    ]);
    const { code, stdout } = await onTerminal(
      inRepo(),
      ['review', '--plain'],
      [
        { after: '[d]ecline', type: 'd\n' },
        { after: 'why (optional)', type: '\n' },
        { after: '[q]uit', type: 'q\n' },
      ],
    );
    expect([code, stdout.includes('declined')]).toEqual([0, true]);
    expect(examine().broken).toEqual([]);
  });

  it('M26 M50 says of a tampered ledger what is wrong, and claims no cure: the person looks at it', async () => {
    await healthy();
    replaceIn(ledgerPath(at('.bearings/workspaces/manta')), '"decision":"accept"', '"decision":"decline"');
    expect(examine().broken).toMatchObject([
      {
        check: 'manta',
        what: expect.stringContaining('the signature does not match; the entry was changed'),
        fix: 'bearings review',
      },
    ]);
  });

  it('M12 tells of a line of the log that no read can use, as the read itself does', async () => {
    await healthy();
    put(at('.bearings/workspaces/manta'), { 'log.jsonl': '{"op":"crop"}\n{"op":\n{"op":"rotate"}\n' });
    const { ok, findings } = examine();
    const what = 'log.jsonl has a line that holds no JSON object: it is skipped';
    expect(ok).toBe(true);
    expect(findings.filter(({ check }) => check === 'manta')).toEqual([
      { check: 'manta', status: 'hint', what, fix: null },
    ]);
    expect(run('read', 'manta', '--json').stderr).toContain('no JSON object');
  });

  it('says which line of a client’s broken file is wrong, and touches nothing', async () => {
    await healthy('cursor');
    writeFileSync(at('.cursor/mcp.json'), '{\n"a": 1,,\n}');
    expect(examine().broken).toMatchObject([{ what: expect.stringContaining('line 2 is not valid JSON'), fix: null }]);
  });

  it('M9 runs nothing of a hostile repository and shows its names as they are', async () => {
    put(at('repo'), {
      '.git/config': `[core]\n  fsmonitor = touch ${at('ran')}\n  hooksPath = .\n`,
      '.bearings/workspace.json': JSON.stringify({ id: 'reef' }),
      '.bearings/adapters.yaml': `adapters:\n  - name: x\n    kind: command\n    command: [touch, ${at('ran')}]\n`,
      '.bearings/sessions/x\u001b[2J/p_1.json': '{}',
    });
    const { stdout } = bearings(inRepo(), 'doctor');
    expect(stdout).not.toContain('\u001b[2J');
    expect(readdirSync(place.home)).not.toContain('ran');
  });
});
