import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { bearings, environment, LIBRARY, type Place } from '../support/process/binary.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

const LAYER = join(import.meta.dirname, '../support/folding-names.cjs');
const COMPOSED = 'caf\u00e9';
const DECOMPOSED = 'cafe\u0301';

// Two names that macOS and Windows take for one. A kernel that mounts such a disk is rare, so a layer is put in between; the same is
// refused on a disk that tells them apart, as a home may be synced or moved from one to the other.
const PAIRS = [
  ['manta', 'Manta', 'case'],
  [COMPOSED, DECOMPOSED, 'composed form'],
  [COMPOSED, DECOMPOSED.toUpperCase(), 'both'],
] as const;

describe.each(['a disk that folds names', 'a disk that does not'])('on %s', (disk) => {
  const isFolding = disk === 'a disk that folds names';
  let place: Place;
  const run = (...args: string[]) => bearings(place, ...args);
  const tastes = () => readdirSync(join(place.home, '.bearings/tastes')).filter((name) => name.endsWith('.md'));

  beforeEach(() => {
    const home = tempFolder();
    const variables: Record<string, string> = isFolding
      ? { FOLDING_ROOT: home, NODE_OPTIONS: `--require ${JSON.stringify(LAYER)}` }
      : {};
    place = { home, variables };
    put(home, { 'probe/Name': 'x' });
    const probe = spawnSync(process.execPath, ['-p', `fs.existsSync(${JSON.stringify(join(home, 'probe/nAME'))})`], {
      env: environment(place),
      encoding: 'utf8',
    });
    expect(probe.stdout.trim()).toBe(String(isFolding));
  });

  it.each(PAIRS)(
    'M2 the workspaces %s and %s, which differ in %s, are never two and never one in silence',
    (one, two) => {
      expect(run('init', one).code).toBe(0);
      const refused = run('init', two);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(`already a workspace "${one}"`)]);
      expect(readdirSync(join(place.home, '.bearings/workspaces'))).toEqual([one]);
      put(join(place.home, '.bearings/workspaces', one), { 'brief.md': 'The first one.\n' });
      const isSameText = one.normalize('NFC') === two.normalize('NFC');
      const read = run('read', two, '--json');
      if (isFolding && isSameText) expect(read.stdout).toContain('The first one.');
      else expect(read.stderr).toContain('not_found');
    },
  );

  it('M2 a workspace takes another case by being renamed, and keeps what it holds', () => {
    run('init', 'manta');
    put(join(place.home, '.bearings/workspaces/manta'), { 'brief.md': 'The first one.\n' });
    expect(run('workspaces', 'rename', 'manta', 'Manta').code).toBe(0);
    expect(run('read', 'Manta', '--json').stdout).toContain('The first one.');
    expect(run('read', 'manta', '--json').stderr).toContain('not_found');
    run('init', 'other');
    const taken = run('workspaces', 'rename', 'other', 'MANTA');
    expect([taken.code, taken.stderr]).toEqual([2, expect.stringContaining('already a workspace "Manta"')]);
  });

  it.each(PAIRS)('M3 a taste %s keeps out a taste %s, which differs in %s, and a proposal for it', (one, two) => {
    expect(run('edit', 'tastes', one).code).toBe(3);
    const said = expect.stringContaining(`already a taste "${one}"`);
    const made = run('edit', 'tastes', two);
    expect([made.code, made.stderr]).toEqual([2, said]);
    const proposed = run('propose', 'taste', '--file', two, '--category', 'value', '--content', 'Lift the shadows.');
    expect([proposed.code, proposed.stderr]).toEqual([2, said]);
    expect(tastes()).toEqual([`${one}.md`]);
  });

  it('M19 of two proposals for one name in two spellings the second is refused at the yes, and still waits', () => {
    run('init', 'reef');
    const answers = accepted([
      ['underwater', 'Lift the shadows.'],
      ['Underwater', 'Keep the blacks.'],
    ]);
    expect(answers).toEqual(['accepted', 'conflict: There is already a taste "underwater".']);
    expect(tastes()).toEqual(['underwater.md']);
    expect(readFileSync(join(place.home, '.bearings/tastes/underwater.md'), 'utf8')).toBe('Lift the shadows.\n');
    expect(run('review', '--list').stdout).toContain('Keep the blacks.');
    expect(run('verify').code).toBe(0);
  });

  // Both are proposed before the first is decided.
  function accepted(proposals: [file: string, content: string][]): string[] {
    const program = `
      import { openBearings } from ${JSON.stringify(pathToFileURL(LIBRARY).href)};
      import { openPerson } from ${JSON.stringify(pathToFileURL(LIBRARY).href.replace('index.js', 'person.js'))};
      const options = { home: ${JSON.stringify(join(place.home, '.bearings'))} };
      const { gate } = openBearings(options);
      const person = openPerson(options);
      const session = await gate.openSession({ workspace: 'reef', client: 'test' });
      const ids = [];
      for (const [file, content] of ${JSON.stringify(proposals)})
        ids.push((await gate.propose(session, { kind: 'taste', file, content, category: 'value' })).proposal_id);
      for (const proposal_id of ids) {
        const shown = await person.showProposal(proposal_id);
        const decision = { decision: 'accept', via: 'review', client: 'test' };
        const said = await person.decide(shown, decision).then(({ status }) => status, (e) => e.code + ': ' + e.message);
        console.log(said);
      }`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: place.home,
      env: environment(place),
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    return stdout.trim().split('\n');
  }
});
