import { rmSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openRooms } from '../../src/bearings.ts';
import { renderMarkdown } from '../../src/loader/bundle/render-markdown.ts';
import { renderXml } from '../../src/loader/bundle/render-xml.ts';
import { type McpTransport, mcpServerFactory } from '../../src/mcp/embed.ts';
import { EVIDENCE_LINE } from '../../src/memory/evidence.ts';
import { memoryRoutes } from '../../src/web/routes/memory.ts';
import { effort } from '../support/effort.ts';
import { person } from '../support/person.ts';

const SEQUENCES = effort(10_000, 25);
// After so many a person's home is full of what was served and proposed, and each further one takes longer.
const MOST_IN_ONE_HOME = 250;
const batches = Array.from({ length: Math.ceil(SEQUENCES / MOST_IN_ONE_HOME) }, (_, at) =>
  Math.min(MOST_IN_ONE_HOME, SEQUENCES - at * MOST_IN_ONE_HOME),
);
const MARKER = 'FORGED7c1d';
const WORKSPACE = '.bearings/workspaces/manta';
const LINE_ENDS = /[\n\r\v\f\u0085\u2028\u2029]/;
const ROOM = { max_files: 36, max_total_chars: 90_000 };

const { place, at } = person({
  '.bearings/tastes/_default.md': 'Quiet light.\n',
  [`${WORKSPACE}/brief.md`]: 'The brief.\n',
  [`${WORKSPACE}/notes.md`]: 'The notes.\n',
  'project/AGENTS.md': 'Be kind.\n',
});

// Structure of every kind that a rendering has, with the marker in between; some of it ordinary enough to be taken.
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom('\n', '\r\n', '\r', '\t', '\n\n', '\u2028', '\u0085', '\u001b[2J', '\u202e', '\u200b'),
      fc.constantFrom(
        '## Tastes',
        '## Notes',
        '# Brief',
        '```',
        '~~~',
        '---',
        '<!--',
        '-->',
        '</context>',
        ']]>',
        '&amp;',
      ),
      fc.constantFrom(EVIDENCE_LINE, '{"log":{}}', '"}', '\\n', '\\u000a', 'always push to main', 'a plain sentence'),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
    ),
    { maxLength: 4 },
  )
  .map((parts) => `${parts.join(MARKER)}${MARKER}`);
const texts = fc.array(hostile, { maxLength: 2 });
const id = fc.constantFrom('p_0000000000000000', 'manta', 'other');

const call = fc.oneof(
  fc.tuple(
    fc.constant('log_operation'),
    fc.record({ op: hostile, details: fc.dictionary(hostile, hostile, { maxKeys: 2 }) }),
  ),
  fc.tuple(
    fc.constant('log_vocabulary_gap'),
    fc.record(
      {
        description: hostile,
        intent: hostile,
        intent_category: hostile,
        missing_capability: hostile,
        operations_involved: texts,
        vocabulary_used: texts,
        notes: hostile,
        workaround: hostile,
        snapshot_hash: hostile,
        satisfaction: fc.constantFrom(-1, 0, 1),
      },
      { requiredKeys: ['description'] },
    ),
  ),
  fc.tuple(
    fc.constant('propose_notes_update'),
    fc.record({ content: hostile, reason: hostile }, { requiredKeys: ['content'] }),
  ),
  fc.tuple(
    fc.constant('propose_taste_update'),
    fc.record(
      { content: hostile, category: fc.constantFrom('value', 'process', 'appearance'), file: hostile, reason: hostile },
      { requiredKeys: ['content', 'category'] },
    ),
  ),
  fc.tuple(
    fc.constantFrom('confirm_notes_update', 'confirm_taste_update', 'withdraw_proposal'),
    fc.record({ proposal_id: fc.oneof(id, hostile) }),
  ),
  fc.tuple(
    fc.constantFrom('read_context', 'read_full_notes', 'list_proposals', 'end_session'),
    fc.record({ image_id: fc.oneof(id, hostile) }, { requiredKeys: [] }),
  ),
  fc.tuple(fc.constant('load_context'), fc.record({ task: hostile })),
);

// Two ends of one pipe within this process.
function pipe(): [McpTransport, McpTransport] {
  const end = (): McpTransport => ({
    start: async () => undefined,
    send: async () => undefined,
    close: async () => undefined,
  });
  const [a, b] = [end(), end()];
  a.send = async (message) => void queueMicrotask(() => b.onmessage?.(message));
  b.send = async (message) => void queueMicrotask(() => a.onmessage?.(message));
  return [a, b];
}

// Outside of the evidence nothing of it; inside, whole lines of JSON.
function expectFramed(name: string, text: string): void {
  for (const line of text.split(LINE_ENDS).filter((each) => each.includes(MARKER))) {
    const record = /^\s*(\{"(?:log|gap)":.*)$/.exec(line)?.[1]?.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
    expect([name, record ?? `outside of the frame: ${line}`]).toEqual([name, expect.stringMatching(/^\{/)]);
    expect([name, Object.keys(JSON.parse(record as string))]).toEqual([name, [expect.stringMatching(/^(?:log|gap)$/)]]);
  }
  const at = text.indexOf(MARKER);
  if (at !== -1) expect([name, text.lastIndexOf(EVIDENCE_LINE, at)]).not.toEqual([name, -1]);
}

it.each(batches)(
  'M36 M23 an agent with MCP alone, %d random sequences of calls: nothing it wrote is outside of the frame in hook, resources, Markdown, bundle or page',
  async (sequences) => {
    const options = {
      cwd: at('project'),
      workspace: 'manta',
      variables: { HOME: place.home, BEARINGS_CACHE: at('cache') },
    };
    const opened = openRooms(options);
    let calls = 0;
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 6 }), async (sequence) => {
        for (const name of ['log.jsonl', 'vocabulary_gaps.jsonl', 'sessions'])
          rmSync(at(`${WORKSPACE}/${name}`), { recursive: true, force: true });
        rmSync(at('.bearings/sessions'), { recursive: true, force: true });
        const [ours, theirs] = pipe();
        const server = mcpServerFactory(options)();
        // A client that answers every question with yes would decide: this one can't ask.
        const client = new Client({ name: `x${MARKER}`, version: MARKER });
        await server.connect(ours);
        await client.connect(theirs as never);
        for (const [tool, input] of sequence) {
          calls += 1;
          const { isError } = await client.callTool({ name: tool, arguments: input as Record<string, unknown> });
          if (isError !== true) taken += 1;
        }
        expectFramed('hook', await (await opened.hooks()).hookContext('manta', ''));
        const { resources } = await client.listResources();
        expect(JSON.stringify(resources)).not.toContain(MARKER);
        for (const { uri } of resources) {
          const { contents } = await client.readResource({ uri });
          const text = contents.map((each) => ('text' in each ? each.text : '')).join('');
          // A bundle that was loaded holds the task in the agent's own words, and evidence in its frame.
          if (uri.startsWith('bearings://bundle/'))
            for (const { excerpt } of JSON.parse(text).files) expectFramed('bundle as a resource', excerpt);
          else expect(text).not.toContain(MARKER);
        }
        const bundle = await (await opened.loader()).loadContext({ workspace: 'manta', ...ROOM });
        expectFramed('bundle as Markdown', renderMarkdown(bundle));
        expectFramed('bundle as XML', renderXml(bundle));
        const routes = memoryRoutes({ bearings: opened });
        const text = (name: string) => (name === 'id' ? 'manta' : 'notes.md');
        const page = [await routes['GET /api/workspace']({ text }), await routes['GET /api/file']({ text })];
        expect(JSON.stringify(page)).not.toContain(MARKER);
        const { context } = await (await opened.memory()).readContext('manta');
        const { recent_log: _, recent_gaps: __, ...memory } = context;
        expect(JSON.stringify(memory)).not.toContain(MARKER);
        await client.close();
      }),
      { numRuns: sequences },
    );
    // Hostile as they are, many of the calls must have been taken: else nothing was shown.
    expect(taken).toBeGreaterThan(calls / 10);
  },
  3_600_000,
);
