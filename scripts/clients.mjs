// npm run test:clients [-- --client claude-code]: real clients, each in a home of its own, driven by a scripted model on loopback.
//   --client NAME   one of claude-code, codex, gemini-cli, opencode
//   --json          the table as JSON
// Each is set up by `bearings install`, as a person would. Clients are brought into the cache folder of the tests; no account is
// needed. What can't be tried is said.
import { CLIENTS } from './clients/client-table.mjs';
import { tryInTerminal } from './clients/in-terminal.mjs';
import { MARK, run, withPlace } from './clients/place.mjs';
import { optionsOf } from './options.mjs';
import { bringFromNpm, bringTmux } from './testing/tools.mjs';

const NOT_HERE = 75;
const NOTE = 'The parser drops the last token.';

const { values } = optionsOf(import.meta.url, { options: { client: { type: 'string' }, json: { type: 'boolean' } } });

const propose = { tool: 'propose_notes_update', input: { content: NOTE, reason: 'seen in a test' } };
const confirm = (body) => ({
  tool: 'confirm_notes_update',
  input: { proposal_id: body.match(/p_[0-9a-f]{16}/g)?.at(-1) ?? 'p_0' },
});

const wanted = values.client === undefined ? Object.keys(CLIENTS) : [values.client];
const rows = [];
for (const name of wanted) {
  const client = CLIENTS[name];
  if (!client) {
    console.error(`There is no client "${name}" here. Known: ${Object.keys(CLIENTS).join(', ')}.`);
    process.exit(2);
  }
  rows.push(...(await tried(name, client)));
}
if (values.json) console.log(JSON.stringify(rows, null, 2));
const failed = rows.filter(({ result }) => result === 'failed');
const absent = rows.filter(({ result }) => result === 'not tried');
console.log(
  `\n${rows.length - failed.length - absent.length} seen, ${failed.length} failed, ${absent.length} not tried`,
);
process.exitCode = failed.length > 0 ? 1 : absent.length === rows.length ? NOT_HERE : 0;

async function tried(name, client) {
  const own = [];
  const row = (what, result, why = '') => {
    own.push({ client: name, what, result, why });
    if (!values.json) console.log(`${name.padEnd(12)} ${result.padEnd(10)} ${what}${why && `: ${why}`}`);
  };
  const check = (what, holds, why) => row(what, holds ? 'seen' : 'failed', holds ? '' : why);
  const folder = bringFromNpm(name, client.npm);
  if (!folder) {
    row('the client itself', 'not tried', `${client.npm[0]} can't be had`);
    return own;
  }
  const program = client.program(folder);
  await tryWithoutTerminal(name, client, { program, row, check });
  if (client.hasShared) await tryShared(name, client, { program, check });
  if (client.subagent) await trySubagent(name, client, { program, check });
  if (!client.terminal) row('its terminal', 'not tried', 'it has no question of ours and no hook');
  else if (!bringTmux()) row('its terminal', 'not tried', 'needs tmux');
  else await tryInTerminal(name, client, { program, check, note: NOTE, steps: [propose, confirm] });
  return own;
}

async function tryWithoutTerminal(name, client, { program, row, check }) {
  await withPlace(name, client, [{ tool: 'read_context' }, propose, confirm, { text: 'Done.' }], async (place) => {
    const said = await run(program, client.args, place);
    const turns = place.model.main();
    const first = turns[0] ?? { tools: [], body: '' };
    const ours = first.tools.filter((tool) =>
      /bearings|read_context|_update|proposal|_session|log_|load_context|full_notes/.test(tool),
    );
    check('12 tools are listed', ours.length === 12, `${ours.length}; it said: ${said.slice(-300)}`);
    if (client.hasHook)
      check('context at the start, before any call', first.body.includes(MARK), 'the first request lacks it');
    else row('context at the start, before any call', 'not tried', 'install writes no hook for it');
    check('read_context answers', turns[1]?.body.includes(MARK) ?? false, 'the second request lacks it');
    check('a proposal waits', turns[2]?.body.includes('proposal_id') ?? false, 'the third request lacks it');
    check(
      'where it can’t ask, nothing is decided',
      !place.bearings('show', 'notes').includes(NOTE),
      'the note was written',
    );
    check('and it still waits for the person', place.bearings('review', '--list').includes('The parser'), 'it is gone');
    check('nothing of the clone ran in our name', !place.ran(), 'its node_modules/bearings was started');
  });
}

// By the file that a team shares, which names no path.
async function tryShared(name, client, { program, check }) {
  const use = async (place) => {
    await run(program, client.args, place);
    const turns = place.model.main();
    check(
      'the same by the project’s shared file',
      turns[1]?.body.includes(MARK) ?? false,
      'the second request lacks it',
    );
    check('and nothing of the clone ran there', !place.ran(), 'its node_modules/bearings was started');
  };
  await withPlace(name, client, [{ tool: 'read_context' }, { text: 'Done.' }], use, 'project');
}

// The hook of a sub-agent: nothing in the script reads the context.
async function trySubagent(name, client, { program, check }) {
  const script = [client.subagent, { text: 'A part is mended.' }, { text: 'Done.' }];
  await withPlace(name, client, script, async (place) => {
    await run(program, client.args, place);
    const [asked] = place.model
      .main()
      .filter(({ body }) => body.includes('Mend a part.') && !body.includes('tool_use'));
    check('a sub-agent has the same context', asked?.body.includes(MARK) ?? false, 'its first request lacks it');
  });
}
