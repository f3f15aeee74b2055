import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openRooms } from '../../../src/bearings.ts';
import { readTranscript } from '../../../src/gate/io/transcript-reader.ts';
import { listLinks, workspaceHere } from '../../../src/settings/io/workspace-links.ts';
import { scratch } from '../scratch.ts';
import { type FuzzTarget, hold, onlyOurErrors, same } from '../target.ts';

const files = scratch();
const RUN = '20261115-100000-abcdef';
const HEADER = `{"type":"run","version":1,"id":"${RUN}","at":"2026-11-15T10:00:00.000Z","spec":{"file":"t.xml","task":{"name":"t","id":"1","type":"atomic"},"inputs":{}}}\n`;

const journal: FuzzTarget = {
  name: 'run-journal',
  words: [
    ...['{"type":"step","key":"1","asked":"a","value":', '{"type":"seen","record":{"path":"1"', '{"type":"resumed"'],
    ...[
      '{"type":"end","at":"2026-11-15T10:00:01.000Z","status":"complete","result":null}\n',
      '"kept":"',
      '}\n',
      'null',
    ],
    ...['"spec":{', '"task":', '"record":null', '"tokens":', HEADER],
  ],
  seeds: [
    HEADER,
    `${HEADER}{"type":"step","key":"1","asked":"a","value":{"text":"x"}}\n{"type":"seen","record":{"path":"1","status":"COMPLETE"}}\n{"type":"end","at":"2026-11-15T10:00:01.000Z","status":"complete","result":null,"recorded":1}\n`,
  ],
  async run(bytes) {
    const home = join(files.folder(), 'home');
    const folder = join(home, 'runs', RUN);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'journal.jsonl'), bytes);
    const bearings = openRooms({ cwd: home, home, variables: { HOME: home } });
    const listed = await (await bearings.runs()).listRuns();
    hold(listed.length <= 1, 'a folder is one run at most');
    await onlyOurErrors(async () => (await bearings.runs()).showRun(RUN));
    const text = await onlyOurErrors(async () => (await bearings.runs()).runText(RUN, 'a'.repeat(64)));
    hold(!text, 'a text is found by its own hash alone');
  },
};

const transcriptFile: FuzzTarget = {
  name: 'transcript-file',
  words: [
    '{"type":"header"',
    '{"type":"proposal","proposal":{',
    '"at":"2026-11-15T10:00:00Z"',
    '}\n',
    '\n',
    '\r\n',
    '[]\n',
    '{}\n',
  ],
  seeds: [
    '{"type":"header","session_id":"a","at":"2026-11-15T10:00:00Z"}\n{"type":"note","text":"light"}\n{"type":"footer"}\n',
    '{"type":"header"}\n{"type":"note","te',
  ],
  run(bytes) {
    const path = files.write('20261115T100000_abc.jsonl', bytes);
    const transcript = { path, scope: null, session_id: 'abc' };
    const { entries, unreadable, torn } = readTranscript(transcript);
    const lines = bytes.toString('utf8').split('\n');
    hold(torn === (lines.pop() !== ''), 'a torn end is seen');
    hold(entries.length + unreadable === lines.length, 'every whole line is read or counted');
  },
};

const links: FuzzTarget = {
  name: 'links',
  words: ['[', ']', '{"folder":"', '"mark":"', '"id":"w"', '"root":null', '../', '/etc', '\\u0000', '},', '__proto__'],
  seeds: ['[{"folder":"/nowhere","mark":"m","id":"w","root":null}]', '[{"folder":"x","mark":1},null,{"root":"/"}]'],
  run(bytes) {
    const home = join(files.folder(), 'links');
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'links.json'), bytes);
    const places = { home, homes: [home], workspaces: join(home, 'workspaces') };
    for (const link of listLinks(places)) {
      hold(
        [link.folder, link.mark, link.id].every((text) => typeof text === 'string'),
        'a link is one',
      );
      hold(link.state !== 'followed', 'a link that no folder bears out is not followed');
    }
    same(workspaceHere(places, home), null, 'a link makes no workspace');
  },
};

// Harm to one file of a finished index, written as: number of the file, kind of harm, place in two bytes, and text.
const index: FuzzTarget = {
  name: 'index',
  words: [
    '\x00\x00',
    '\x01\x01',
    '\x02\x02',
    '\xff\xff\xff\xff',
    '"format":2',
    '"parts":[',
    '"dead":[0]',
    '"bytes":1',
    'null',
  ],
  seeds: [
    Buffer.from([0, 0, 0, 0]),
    Buffer.from([1, 1, 0, 60]),
    Buffer.from([2, 2, 0, 9, 255, 255, 255]),
    Buffer.concat([Buffer.from([0, 0, 0, 0]), Buffer.from('{"format":2,"generation":1,"parts":[],"scan":{}}')]),
  ],
  max: 300,
  async run(bytes) {
    const { variables, project, cache, good, answer } = await indexed();
    const [number = 0, kind = 0, high = 0, low = 0] = bytes;
    const names = Object.keys(good);
    const name = names[number % names.length] ?? '';
    const before = good[name] ?? Buffer.alloc(0);
    const place = (high * 256 + low) % (before.length + 1);
    const text = bytes.subarray(4);
    const harmed = [
      text,
      before.subarray(0, place),
      Buffer.concat([before.subarray(0, place), text, before.subarray(place + text.length)]),
      Buffer.concat([before.subarray(0, place), text, before.subarray(place)]),
    ][kind % 4] as Buffer;
    for (const [file, content] of Object.entries(good)) writeFileSync(join(cache, file), content);
    writeFileSync(join(cache, name), harmed);
    const again = await (await openRooms({ cwd: project, variables }).matching()).rankedMatches(TASK, {
      project,
      history: false,
    });
    same(again, answer, 'a broken index is built again, and nobody notices');
  },
};

const TASK = 'where does the lighthouse keeper log the weather';
interface Indexed {
  variables: Record<string, string>;
  project: string;
  cache: string;
  good: Record<string, Buffer>;
  answer: unknown;
}
let made: Promise<Indexed> | undefined;

// One project with its index, made at the first use.
function indexed(): Promise<Indexed> {
  made ??= (async () => {
    const root = join(files.folder(), 'indexed');
    const project = join(root, 'project');
    mkdirSync(project, { recursive: true });
    writeFileSync(join(project, 'keeper.ts'), 'export function logWeather(lighthouse) {\n  return lighthouse;\n}\n');
    writeFileSync(join(project, 'tower.md'), '# Tower\n\nThe keeper climbs the lighthouse.\n');
    const variables = { HOME: root, XDG_CACHE_HOME: join(root, 'cache') };
    const answer = await (await openRooms({ cwd: project, variables }).matching()).rankedMatches(TASK, {
      project,
      history: false,
    });
    const all = readdirSync(join(root, 'cache'), { recursive: true, encoding: 'utf8' });
    const manifest = all.find((name) => name.endsWith('/current')) ?? '';
    const cache = join(root, 'cache', dirname(manifest));
    const names = readdirSync(cache)
      .filter((name) => /^(?:current|segment|listing)/.test(name))
      .sort();
    const good = Object.fromEntries(names.map((name) => [name, readFileSync(join(cache, name))]));
    return { variables, project, cache, good, answer };
  })();
  return made;
}

export const STORED_TARGETS = [journal, transcriptFile, links, index];
