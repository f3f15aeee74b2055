import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openRooms } from '../../src/bearings.ts';
import { VERSION } from '../../src/version.ts';
import { accepted, sha256 } from '../support/open-library.ts';
import { agent, bearings } from '../support/process/binary.ts';
import { dateBack, put, tempFolder } from '../support/temp-folder.ts';

// What the product keeps in the cache folder. A new kind belongs here, with a lie of its own where a file of it can lie.
const KINDS = ['index'];
const SMUGGLED = 'smuggled words that no decision stands behind';
const TOKEN = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
const TASK = 'order prints by mail, as docs/mail.md says';

const home = tempFolder();
const cache = join(home, '.cache/bearings');
const clean = join(home, 'clean-cache');
const mark = join(home, 'it-ran');
const project = join(home, 'project');
const notes = join(home, '.bearings/workspaces/manta/notes.md');
const place = { home, cwd: project };
const CODE = `(require("node:fs").writeFileSync(${JSON.stringify(mark)}, ""));\n`;

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());

// Everything a person or an agent is told that must not depend on the cache.
async function answers() {
  const { stdout: read, stderr: told } = bearings(place, 'read', 'manta', '--json');
  const { stdout: loaded, stderr } = bearings(place, 'load', '--task', TASK, '--json');
  expect(stderr).toBe('');
  const { client, call } = await agent(place);
  const { texts } = await call('read_context', { image_id: 'manta' });
  await client.close();
  const matches = JSON.parse(bearings(place, 'match', TASK, '--json').stdout) as { path: string }[];
  const bundle = JSON.parse(loaded) as { files: { path: string; excerpt: string }[]; warnings: string[] };
  return {
    read,
    told,
    texts,
    loadWarnings: bundle.warnings,
    verified: bearings(place, 'verify', '--json').code,
    blamed: bearings(place, 'why', 'notes.md', 'manta', '--json').stdout,
    // In the order of their names: a rank may change.
    files: bundle.files.map(({ path, excerpt }) => [path, excerpt]).sort(),
    matches: matches.map(({ path }) => path).sort(),
  };
}

let expected: Awaited<ReturnType<typeof answers>>;

beforeAll(async () => {
  put(home, {
    '.bearings/workspaces/manta/brief.md': 'About prints.\n',
    // Longer than what is always read whole.
    '.bearings/workspaces/manta/notes.md': Array.from({ length: 4_000 }, (_, n) => `- print ${n} was ordered\n`).join(
      '',
    ),
    'project/README.md': 'Prints are ordered by mail.\n',
    'project/src/order.ts': 'export const orderPrints = (mail: string) => mail;\n',
    'project/docs/mail.md': `How to order prints by mail.\n\nTo order prints by mail, token: ${TOKEN}\n`,
  });
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', project, '-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args]);
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'prints');
  const opened = openRooms({ cwd: project, variables: { HOME: home, BEARINGS_CACHE: cache } });
  await (await opened.gate()).adoptAll('manta', { via: 'init' });
  await accepted(opened, 'A note that the person accepted.');
  appendFileSync(notes, `\n${SMUGGLED}\n`);
  for (const path of filesIn(project)) dateBack(path);
  dateBack(notes);
  await answers();
  expected = await answers();
  cpSync(cache, clean, { recursive: true });
});

async function withPlanted(plant: () => void) {
  rmSync(cache, { recursive: true });
  cpSync(clean, cache, { recursive: true, preserveTimestamps: true });
  plant();
  const got = await answers();
  expect(existsSync(mark)).toBe(false);
  expect(got).toEqual(expected);
}

const overwriteAll = (change: (bytes: Buffer) => string | Uint8Array) => () => {
  for (const path of filesIn(cache)) writeFileSync(path, change(readFileSync(path)));
};

const inPlaceOfEach = (make: (path: string) => void) => () => {
  for (const path of filesIn(cache)) {
    rmSync(path);
    make(path);
  }
};

const GARBAGE: Record<string, () => void> = {
  'a pipe in place of each': inPlaceOfEach((path) => execFileSync('mkfifo', [path])),
  'a link to an endless device in place of each': inPlaceOfEach((path) => symlinkSync('/dev/zero', path)),
  'a folder in place of each': inPlaceOfEach((path) => mkdirSync(path)),
  emptied: overwriteAll(() => ''),
  'cut in half': overwriteAll((bytes) => bytes.subarray(0, bytes.length >> 1)),
  'a program in place of each': overwriteAll(() => CODE),
  'a program before each': overwriteAll((bytes) => Buffer.concat([Buffer.from(CODE), bytes])),
  'every tenth byte another': overwriteAll((bytes) => bytes.map((byte, n) => (n % 10 === 9 ? byte ^ 1 : byte))),
  'numbers made zero': overwriteAll((bytes) => bytes.toString('latin1').replace(/\d+/g, '0')),
};

// The exact form that an earlier version believed, for the very files that are there now.
function countedAsNone(): string {
  const ledgers = readdirSync(join(notes, '../ledger')).map((name) => join(notes, '../ledger', name));
  const keys = ['key.json', 'ledger'].map((name) => join(home, '.bearings', name));
  const key = [notes, ...ledgers, ...keys]
    .map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }))
    .map((stat) => (stat ? `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}` : '-'))
    .join('|');
  return JSON.stringify({ key, count: 0 });
}

const LIES: Record<string, () => void> = {
  'no block is unaccounted': () => {
    const { dev, ino } = statSync(notes, { bigint: true });
    put(cache, { [`accounts/${dev}-${ino}.json`]: countedAsNone() });
  },
  'no text holds a secret': () => {
    const texts = Object.fromEntries(filesIn(project).map((path) => [sha256(readFileSync(path, 'utf8')), []]));
    for (const name of ['looked.json', 'scanned.json'])
      put(cache, { [name]: JSON.stringify({ rules: `${VERSION} 3`, texts }) });
  },
  'the notes have three lines': () => {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(notes, { bigint: true });
    const facts = { lines: 3, stride: 65_536, marks: [0, 3] };
    put(cache, {
      [`lines/${dev}-${ino}.json`]: JSON.stringify({ key: `${ino} ${size} ${mtimeNs} ${ctimeNs}`, facts }),
    });
  },
  'compiled code and printed answers': () => {
    for (const name of ['read', 'load', 'match', 'verify', 'why', 'mcp'])
      put(cache, { [`code/${name}-${process.version}.bin`]: CODE + CODE, [`outputs/${name}.bin`]: SMUGGLED });
    put(cache, { 'main.cjs': CODE, 'index.js': CODE, 'node_modules/yaml/index.js': CODE });
  },
};

describe('files that someone else planted in the cache folder', () => {
  it('are tried for every kind the product keeps there, and the answers hold something to hide', () => {
    expect([...new Set(filesIn(clean).map((path) => relative(clean, path).split('/')[0]))].sort()).toEqual(KINDS);
    expect(expected.told).toContain('1 block unaccounted (1 in notes.md)');
    expect(expected.texts[1]).toContain('1 block unaccounted');
    expect(expected.loadWarnings.join()).toContain('docs/mail.md:3: github_token is redacted');
    expect(JSON.stringify(expected.files)).not.toContain(TOKEN);
    expect(expected.matches).toContain('src/order.ts');
  });

  it.each(Object.entries(GARBAGE))('M32 L17 run nothing, hide nothing and bring in no text: %s', async (_, plant) => {
    await withPlanted(plant);
  });

  it.each(Object.entries(LIES))('M32 L17 are not believed where they lie: %s', async (_, plant) => {
    await withPlanted(plant);
  });
});
