import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientOptions } from '@modelcontextprotocol/client';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { shownOf } from '../../src/gate/proposals/proposal.ts';
import { isLong } from '../support/effort.ts';
import {
  type AskingOptions,
  askingClient,
  filesBelow,
  pendingBelow,
  type Reply,
} from '../support/mcp/asking-client.ts';
import { sharedHttpServer } from '../support/mcp/http-server.ts';
import { openLibrary, sha256 } from '../support/open-library.ts';
import { person } from '../support/person.ts';
import { LEGACY, MODERN } from '../support/process/binary.ts';
import { put } from '../support/temp-folder.ts';

const HOME = '.bearings';
const NOTES = `${HOME}/workspaces/manta/notes.md`;
const DEFAULT = `${HOME}/tastes/_default.md`;
const { place, at, run } = person({
  [NOTES]: '# Manta\n\nfirst\n',
  [DEFAULT]: '- calm\n\n- keep it quiet\n',
  [`${HOME}/workspaces/other/brief.md`]: 'Another one.\n',
});
const read = (name: string) => readFileSync(at(name), 'utf8');
const pending = () => pendingBelow(at(HOME));
const pendingFile = (id: string) => {
  const name = Object.keys(filesBelow(at(HOME))).find((path) => path.endsWith(`${id}.json`));
  return at(join(HOME, name ?? 'none'));
};
const entriesOf = (name: string) => {
  const files = Object.entries(filesBelow(at(HOME))).filter(
    ([path]) => path.includes(`${name}/ledger/`) && !path.includes('/texts/'),
  );
  return files.flatMap(([path, text]) =>
    path.endsWith('.jsonl')
      ? text
          .trim()
          .split('\n')
          .map((l) => JSON.parse(l))
      : [],
  );
};
const transcripts = () =>
  Object.entries(filesBelow(at(HOME)))
    .filter(([path]) => /sessions\/[^/]+\.jsonl$/.test(path))
    .map(([, text]) => text)
    .join('');
const readLog = () =>
  read(`${HOME}/workspaces/manta/log.jsonl`)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const setting = (text: string) => put(place.home, { [`${HOME}/config.yaml`]: text });

// Each era and each transport once; a long run has the other two pairs as well.
const PAIRS = [
  ['2025', LEGACY, 'stdio'],
  ['2026', MODERN, 'HTTP'],
  ['2026', MODERN, 'stdio'],
  ['2025', LEGACY, 'HTTP'],
] as const;

describe.each(isLong ? PAIRS : PAIRS.slice(0, 2))('the gate towards a client of %s', (_, era, transport) => {
  describe(`over ${transport}`, () => gateTowards(era, transport === 'HTTP'));
});

function gateTowards(era: ClientOptions, isHttp: boolean) {
  const client = async (options: AskingOptions = {}) =>
    askingClient(place, { era, http: isHttp ? await sharedHttpServer(place) : undefined, ...options });

  it('M17 M18 M22 a proposal waits on disk, the person sees target and exact text, and a yes writes it', async () => {
    const { call, asked, propose } = await client();
    const before = read(NOTES);
    const content = 'The manta turns left.\n\n- second line';
    const id = await propose(content);
    expect(pending()).toEqual([id]);
    expect(JSON.parse(readFileSync(pendingFile(id), 'utf8'))).toMatchObject({ content, client: 'studio' });
    expect(statSync(pendingFile(id)).mode & 0o777).toBe(0o600);
    expect(read(NOTES)).toBe(before);
    const { value } = await call('confirm_notes_update', { proposal_id: id });
    expect(value).toEqual({ status: 'accepted', proposal_id: id, target: 'notes.md of manta' });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain('Target: notes.md of manta');
    expect(asked[0]).toContain('+ The manta turns left.\n+\n+ - second line');
    expect(read(NOTES)).toBe(`${before}\n${content}\n`);
    expect(pending()).toEqual([]);
    expect(entriesOf('manta')).toMatchObject([
      { decision: 'accept', via: 'elicitation', client: 'studio', proposal_id: id },
    ]);
    expect(transcripts()).toContain(`"type":"decision"`);
    expect(run('verify').code).toBe(0);
  });

  it('M18 the person may put it in other words in the form; an empty field keeps the text as shown', async () => {
    const edited = await client({ form: { text: 'The manta turns right.' } });
    const id = await edited.propose('The manta turns left.');
    await edited.call('confirm_notes_update', { proposal_id: id });
    expect(read(NOTES)).toContain('The manta turns right.');
    expect(read(NOTES)).not.toContain('turns left');
    expect(entriesOf('manta')).toMatchObject([{ decision: 'accept', edited: true }]);
    const same = await client({ form: { text: '  ' } });
    const other = await same.propose('It likes the shade.');
    await same.call('confirm_notes_update', { proposal_id: other });
    expect(read(NOTES)).toContain('It likes the shade.');
    expect(run('verify').code).toBe(0);
  });

  if (era === LEGACY)
    it.each<Reply>(['accept', 'decline'])(
      'M18 Codex without a terminal answers by itself, before anyone could read: %s decides nothing',
      async (reply) => {
        const codex = await client({ reply, name: 'codex-mcp-client' });
        const id = await codex.propose('The manta turns left.');
        const { value } = await codex.call('confirm_notes_update', { proposal_id: id });
        expect(value).toMatchObject({ status: 'awaiting_person' });
        expect([pending(), entriesOf('manta')]).toEqual([[id], []]);
      },
    );

  it.each([
    [{ decision: 'accept' }, 'accepted'],
    [{ decision: 'decline' }, 'declined'],
    [{ text: 'The manta turns right.' }, 'awaiting_person'],
  ])('M18 Codex sends no empty field, so it shows a choice: %j is %s', async (form, status) => {
    const schemas: unknown[] = [];
    const reply = (): Promise<Reply> => new Promise((read) => setTimeout(read, 1_200, 'accept'));
    const onAsked = ({ requestedSchema }: Record<string, unknown>) => schemas.push(requestedSchema);
    const codex = await client({ reply, form, onAsked, name: 'codex-mcp-client' });
    const id = await codex.propose('The manta turns left.');
    const { value } = await codex.call('confirm_notes_update', { proposal_id: id });
    expect(value).toMatchObject({ status });
    expect(schemas).toMatchObject([{ required: ['decision'] }]);
    expect(read(NOTES).includes('turns left')).toBe(status === 'accepted');
    expect(read(NOTES)).not.toContain('turns right');
  });

  if (era === LEGACY)
    it('M18 Codex asks for other words in a second question', async () => {
      const reply = (): Promise<Reply> => new Promise((read) => setTimeout(read, 1_200, 'accept'));
      const forms = [{ decision: 'edit' }, { text: 'The manta turns right.' }];
      const form: Record<string, string> = {};
      const onAsked = () => {
        for (const key of Object.keys(form)) delete form[key];
        Object.assign(form, forms.shift());
      };
      const codex = await client({ reply, form, onAsked, name: 'codex-mcp-client' });
      const id = await codex.propose('The manta turns left.');
      const { value } = await codex.call('confirm_notes_update', { proposal_id: id });
      expect(value).toMatchObject({ status: 'accepted' });
      expect(codex.asked).toHaveLength(2);
      expect(read(NOTES)).toContain('The manta turns right.');
      expect(read(NOTES)).not.toContain('turns left');
    });

  it('M54 the question says what a rule will stop, or ask about', async () => {
    const { call, propose, asked } = await client();
    for (const content of ['Never run `npm publish`: CI does.\n\nAsk before editing `db/**`.', 'We never run late.'])
      await call('confirm_notes_update', { proposal_id: await propose(content) });
    const rules =
      '\nThis is a rule: it will stop the command `npm publish`\nThis is a rule: you will be asked before edits of `db/**`\n\n';
    expect(asked.map((question) => question.includes(rules))).toEqual([true, false]);
    expect(asked[1]).not.toContain('rule');
  });

  it('M21 a no is the person’s decision: recorded, not written, not asked again', async () => {
    const { call, propose } = await client({ reply: 'decline' });
    const before = read(NOTES);
    const id = await propose('No good.');
    expect((await call('confirm_notes_update', { proposal_id: id })).value).toMatchObject({ status: 'declined' });
    expect([read(NOTES), pending()]).toEqual([before, []]);
    expect(entriesOf('manta')).toMatchObject([{ decision: 'decline' }]);
    expect((await call('confirm_notes_update', { proposal_id: id })).value).toMatchObject({
      error: { code: 'not_found' },
    });
  });

  it.each<Reply>(['cancel', 'silence'])('M18 %s leaves it pending and says how to decide', async (reply) => {
    setting('ask_timeout_seconds: 1\n');
    const { call, propose, asked, client: speaking } = await client({ reply });
    const before = read(NOTES);
    const id = await propose('Perhaps.');
    const asking = call('confirm_notes_update', { proposal_id: id });
    if (reply === 'silence' && era === MODERN) {
      // A client of 2026 waits for the person by itself: what is never answered is never asked of the server again.
      asking.catch(() => undefined);
      while (asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      await speaking.close();
      const { call: next } = await client({ elicits: false });
      expect((await next('list_proposals', { image_id: 'manta' })).value).toMatchObject({ total: 1 });
    } else
      expect((await asking).value).toMatchObject({
        status: 'awaiting_person',
        how: expect.stringContaining('bearings review'),
      });
    expect([read(NOTES), pending(), entriesOf('manta')]).toEqual([before, [id], []]);
  });

  it('M18 an answer that comes too late decides nothing', async () => {
    setting('ask_timeout_seconds: 1\n');
    // A server of 2025 gives up by itself; one of 2026 hears of the answer only with the next call.
    let givenUp = () => {};
    const isGivenUp = new Promise<void>((resolve) => {
      givenUp = resolve;
    });
    const late = async (): Promise<Reply> => {
      if (era === MODERN) await new Promise((resolve) => setTimeout(resolve, 1300));
      else await isGivenUp;
      return 'accept';
    };
    const { call, propose } = await client({ reply: late });
    const before = read(NOTES);
    const id = await propose('Too late.');
    expect((await call('confirm_notes_update', { proposal_id: id })).value).toMatchObject({
      status: 'awaiting_person',
    });
    givenUp();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect([read(NOTES), pending(), entriesOf('manta')]).toEqual([before, [id], []]);
  });

  it('M18 an accept that arrives after the call was cancelled is ignored', async () => {
    const cancel = new AbortController();
    const { call, propose } = await client({
      reply: async () => {
        cancel.abort();
        await new Promise((resolve) => setTimeout(resolve, 100));
        return 'accept';
      },
    });
    const before = read(NOTES);
    const id = await propose('Called off.');
    await expect(call('confirm_notes_update', { proposal_id: id }, cancel.signal)).rejects.toThrow();
    expect((await call('list_proposals', { image_id: 'manta' })).value).toMatchObject({ total: 1 });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect([read(NOTES), pending(), entriesOf('manta')]).toEqual([before, [id], []]);
  });

  it('M18 M22 a client that goes away during the question leaves it pending, and the next one finds it', async () => {
    const first = await client({ reply: 'silence' });
    const id = await first.propose('Left behind.');
    first.call('confirm_notes_update', { proposal_id: id }).catch(() => undefined);
    while (first.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await first.client.close();
    const second = await client();
    expect((await second.call('list_proposals', { image_id: 'manta' })).value).toMatchObject({ total: 1 });
    expect((await second.call('confirm_notes_update', { proposal_id: id })).value).toMatchObject({
      status: 'accepted',
    });
  });

  it('M18 a client that can’t ask, or that the person switched off, is told how the person decides', async () => {
    const mute = await client({ elicits: false });
    const id = await mute.propose('Nobody to ask.');
    const waits = { status: 'awaiting_person', proposal_id: id, how: expect.stringContaining('bearings review') };
    expect((await mute.call('confirm_notes_update', { proposal_id: id })).value).toMatchObject(waits);
    const speaking = await client();
    for (const off of ['studio', '"other, studio"', '"*"']) {
      setting(`elicitation_off: ${off}\n`);
      expect((await speaking.call('confirm_notes_update', { proposal_id: id })).value).toMatchObject(waits);
    }
    expect([speaking.asked, pending(), entriesOf('manta')]).toEqual([[], [id], []]);
    setting('elicitation_off: other\n');
    expect((await speaking.call('confirm_notes_update', { proposal_id: id })).value).toMatchObject({
      status: 'accepted',
    });
  });

  it('M27 unknown id, other kind and twice are not_found, and nothing is written', async () => {
    const { call, propose, asked } = await client();
    const id = await propose('Once only.');
    for (const wrong of ['p_0000000000000000', '', '..', '../x', `${id}\0`, 'x'.repeat(5000)])
      expect((await call('confirm_notes_update', { proposal_id: wrong })).value).toMatchObject({
        error: { code: 'not_found' },
      });
    expect((await call('confirm_taste_update', { proposal_id: id })).value).toMatchObject({
      error: { code: 'not_found' },
    });
    expect(asked).toEqual([]);
    expect((await call('confirm_notes_update', { proposal_id: id })).value).toMatchObject({ status: 'accepted' });
    const once = read(NOTES);
    expect((await call('confirm_notes_update', { proposal_id: id })).value).toMatchObject({
      error: { code: 'not_found' },
    });
    expect([read(NOTES), entriesOf('manta').length]).toEqual([once, 1]);
  });
}

describe('the gate towards any client', () => {
  const client = (options: AskingOptions = {}) => askingClient(place, options);

  it.each([
    ['content', { content: 'Something else.' }],
    ['target', { file: 'brief.md' }],
    ['kind', { kind: 'taste', category: 'value', file: '_default.md' }],
  ])('M19 a proposal whose %s changed on disk while the person was asked is not written', async (_, change) => {
    const { call, propose } = await client({
      reply: async () => {
        const path = pendingFile(id);
        writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...change }));
        return 'accept';
      },
    });
    const id = await propose('What was shown.');
    const before = filesBelow(at(HOME));
    const { isError, value } = await call('confirm_notes_update', { proposal_id: id });
    expect([isError, value]).toEqual([true, { error: expect.objectContaining({ code: expect.any(String) }) }]);
    const after = filesBelow(at(HOME));
    for (const name of ['workspaces/manta/notes.md', 'workspaces/manta/brief.md', 'tastes/_default.md'])
      expect(after[name]).toBe(before[name]);
    expect(entriesOf('manta')).toEqual([]);
  });

  it('M19 other lines to replace than those shown are not replaced', async () => {
    const { call } = await client({
      reply: async () => {
        const path = pendingFile(String(id));
        writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), replaces: '- keep it quiet' }));
        return 'accept';
      },
    });
    const { value } = await call('propose_taste_update', { content: '- loud', category: 'value', replaces: '- calm' });
    const id = value.proposal_id;
    const before = read(DEFAULT);
    const answered = (await call('confirm_taste_update', { proposal_id: id })).value;
    expect(answered).not.toMatchObject({ status: 'accepted' });
    expect(read(DEFAULT)).toBe(before);
  });

  it('M19 M22 a pending file edited before the question is none without its hash; with it, it is shown and written as it is now', async () => {
    const { call, propose, asked } = await client();
    const id = await propose('First words.');
    const path = pendingFile(id);
    writeFileSync(path, readFileSync(path, 'utf8').replace('First words.', 'Other words.'));
    expect((await call('confirm_notes_update', { proposal_id: id })).value).toMatchObject({
      error: { code: 'not_found' },
    });
    const [before, after] = ['First words.', 'Other words.'].map(sha256);
    writeFileSync(path, readFileSync(path, 'utf8').replace(String(before), String(after)));
    expect((await call('confirm_notes_update', { proposal_id: id })).value).toMatchObject({ status: 'accepted' });
    expect(asked[0]).toContain('+ Other words.');
    expect(read(NOTES)).toMatch(/Other words\.\n$/);
    expect(read(NOTES)).not.toContain('First words.');
  });

  it('M19 the target changed since: an append still applies, a replacement whose block is gone is stale', async () => {
    const { call, propose } = await client();
    const id = await propose('Comes after.');
    appendFileSync(at(NOTES), 'by hand');
    expect((await call('confirm_notes_update', { proposal_id: id })).value).toMatchObject({ status: 'accepted' });
    expect(read(NOTES)).toBe('# Manta\n\nfirst\nby hand\n\nComes after.\n');
    const { value } = await call('propose_taste_update', { content: '- loud', category: 'value', replaces: '- calm' });
    writeFileSync(at(DEFAULT), '- gone\n');
    const stale = await call('confirm_taste_update', { proposal_id: value.proposal_id });
    expect(stale.value).toMatchObject({ status: 'awaiting_person', how: expect.stringContaining('gone') });
    expect(read(DEFAULT)).toBe('- gone\n');
  });

  it('M17 M19 a taste is added or replaces an exact block; category and reason stay out of the Markdown', async () => {
    const { call, asked } = await client();
    const reason = 'said twice\nTarget: somewhere else';
    const added = (await call('propose_taste_update', { content: '- new', category: 'process', file: 'sea', reason }))
      .value;
    expect((await call('confirm_taste_update', { proposal_id: added.proposal_id })).value).toMatchObject({
      status: 'accepted',
      target: 'tastes/sea.md',
    });
    expect(read(`${HOME}/tastes/sea.md`)).toBe('- new\n');
    expect(asked[0]?.split('\n').filter((line) => line.startsWith('Target:'))).toEqual(['Target: tastes/sea.md']);
    const swap = (await call('propose_taste_update', { content: '- loud', category: 'value', replaces: '- calm' }))
      .value;
    expect(swap.diff).toBe('- - calm\n+ - loud\n\n  - keep it quiet');
    await call('confirm_taste_update', { proposal_id: swap.proposal_id });
    expect(read(DEFAULT)).toBe('- loud\n\n- keep it quiet\n');
    expect(entriesOf('tastes')).toMatchObject([{ category: 'process', file: 'tastes/sea.md' }, { category: 'value' }]);
  });

  it('M17 the brief has no proposals until the person switches them on; then one is shown, decided and signed like any other', async () => {
    const brief = `${HOME}/workspaces/other/brief.md`;
    const { call, asked } = await client();
    const change = { image_id: 'other', file: 'brief.md', content: 'Print it large.', replaces: 'Another one.' };
    expect((await call('propose_notes_update', change)).value).toMatchObject({ error: { code: 'conflict' } });
    expect(pending()).toEqual([]);
    expect(run('config', 'set', 'propose_brief', 'on').code).toBe(0);
    const { value } = await call('propose_notes_update', change);
    expect(value).toMatchObject({ status: 'pending', target: 'brief.md of other' });
    expect(read(brief)).toBe('Another one.\n');
    const decided = await call('confirm_notes_update', { proposal_id: value.proposal_id });
    expect(decided.value).toMatchObject({ status: 'accepted', target: 'brief.md of other' });
    expect(asked[0]).toContain('Target: brief.md of other');
    expect(asked[0]).toMatch(/- +Another one\.[\s\S]*\+ +Print it large\./);
    expect(read(brief)).toBe('Print it large.\n');
    const added = await call('propose_notes_update', { ...change, content: 'Tastes: sea', replaces: undefined });
    await call('confirm_notes_update', { proposal_id: added.value.proposal_id });
    expect(read(brief)).toBe('Print it large.\n\nTastes: sea\n');
    expect(existsSync(at(`${HOME}/workspaces/other/notes-archive.md`))).toBe(false);
    const context = await call('read_context', { image_id: 'other' });
    expect(context.texts.join()).not.toContain('in brief.md)');
    expect(run('verify').code).toBe(0);
    const wrong = await call('propose_notes_update', { ...change, file: 'log.jsonl' });
    expect(wrong.value).toMatchObject({ error: { code: 'invalid_input' } });
  });

  it('M19 M28 what is there already is already_present, at the proposal and at the yes', async () => {
    const { call, propose } = await client();
    for (const content of ['first', '\n  first  \n\n', '# Manta\n\nfirst', '- calm', 'Another one.']) {
      const { value } = await call('propose_notes_update', { image_id: 'manta', content });
      expect([content, value.status]).toEqual([content, content === 'Another one.' ? 'pending' : 'already_present']);
    }
    const id = await propose('Twice.');
    const before = `${read(NOTES)}\nTwice.\n`;
    writeFileSync(at(NOTES), before);
    expect((await call('confirm_notes_update', { proposal_id: id })).value).toMatchObject({
      status: 'already_present',
    });
    expect(read(NOTES)).toBe(before);
    expect(entriesOf('manta')).toMatchObject([{ already_present: true }]);
    expect(pending()).not.toContain(id);
  });

  it('M19 M29 text that waits already makes no second proposal, from whichever session; other lines, paths or words do', async () => {
    const { call, propose } = await client();
    const id = await propose('Said again.');
    const again = { image_id: 'manta', content: '\nSaid again.\n', reason: 'seen once more' };
    const waits = { status: 'already_waiting', proposal_id: id, target: 'notes.md of manta', content: 'Said again.' };
    expect((await call('propose_notes_update', again)).value).toMatchObject(waits);
    const other = await client({ name: 'other' });
    expect((await other.call('propose_notes_update', again)).value).toMatchObject(waits);
    expect(pending()).toEqual([id]);
    const paths = ['src/**'];
    for (const different of [
      { ...again, paths },
      { ...again, content: 'Said again!' },
    ])
      expect((await other.call('propose_notes_update', different)).value.status).toBe('pending');
    const asked = await other.call('withdraw_proposal', { proposal_id: id });
    expect(asked.value).toMatchObject({ error: { code: 'conflict' } });
    await call('withdraw_proposal', { proposal_id: id });
    expect((await other.call('propose_notes_update', again)).value.status).toBe('pending');
  });

  it('M19 a replacement whose new text is elsewhere in the file is already_present, and replaces nothing', async () => {
    const { call } = await client();
    const swap = { category: 'value', replaces: '- calm' };
    const before = read(DEFAULT);
    const known = await call('propose_taste_update', { ...swap, content: '- keep it quiet' });
    expect(known.value).toMatchObject({ status: 'already_present' });
    const { value } = await call('propose_taste_update', { ...swap, content: '- loud' });
    writeFileSync(at(DEFAULT), `${before}\n- loud\n`);
    expect((await call('confirm_taste_update', { proposal_id: value.proposal_id })).value).toMatchObject({
      status: 'already_present',
    });
    expect(read(DEFAULT)).toBe(`${before}\n- loud\n`);
    const [entry] = entriesOf('tastes');
    expect(entry).toMatchObject({ already_present: true });
    expect(entry).not.toHaveProperty('replaced');
  });

  it('M26 the ledger tells who proposed from where the person was asked', async () => {
    const { propose } = await client({ name: 'studio' });
    const asks = await client({ name: 'desk' });
    await asks.call('confirm_notes_update', { proposal_id: await propose('Seen by both.') });
    expect(entriesOf('manta')).toMatchObject([{ client: 'desk', proposed_by: 'studio', via: 'elicitation' }]);
  });

  it('M21 an agent withdraws its own proposal, and not another client’s', async () => {
    const mine = await client({ name: 'studio' });
    const other = await client({ name: 'other' });
    const id = await mine.propose('Mine.');
    expect((await other.call('withdraw_proposal', { proposal_id: id })).value).toMatchObject({
      error: {
        code: 'conflict',
        message: 'This proposal belongs to another session.',
        hint: expect.stringContaining('The person can decline it: bearings review'),
      },
    });
    expect(pending()).toEqual([id]);
    expect((await mine.call('withdraw_proposal', { proposal_id: id })).value).toEqual({
      status: 'withdrawn',
      proposal_id: id,
    });
    expect([pending(), entriesOf('manta')]).toEqual([[], []]);
    expect((await mine.call('withdraw_proposal', { proposal_id: id })).value).toMatchObject({
      error: { code: 'not_found' },
    });
    expect(transcripts()).toContain('"type":"withdrawn"');
  });

  it('M23 a clean end sets undecided proposals aside with their full text; revive brings one back', async () => {
    const { call, propose } = await client();
    const other = await client({ name: 'other' });
    const content = 'Kept in full.\n\nBoth blocks.';
    const id = await propose(content);
    const foreign = await other.propose('Of another session.');
    await (await openLibrary(place.home).gate()).markShown(id, 'review');
    expect((await call('end_session', { image_id: 'manta' })).value).toEqual({ status: 'ended', discarded: [id] });
    expect(pending()).toEqual([foreign]);
    const log = read(`${HOME}/workspaces/manta/log.jsonl`)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const target = 'notes.md of manta';
    expect(log).toHaveLength(1);
    expect(log[0]).toEqual({
      timestamp: expect.any(String),
      op: 'proposal_discarded',
      proposal_id: id,
      target,
      content_sha256: sha256(content),
    });
    expect(transcripts()).toContain(`"type":"discarded","at":`);
    expect(transcripts()).toContain(JSON.stringify(content));
    expect(transcripts()).toContain('"type":"session_end"');
    expect((await call('confirm_notes_update', { proposal_id: id })).value).toMatchObject({
      error: { code: 'not_found' },
    });
    expect(run('review', '--list', '--discarded').stdout).toContain(id);
    expect(run('review', '--revive', id).code).toBe(0);
    expect(pending().sort()).toEqual([id, foreign].sort());
    expect((await call('confirm_notes_update', { proposal_id: id })).value).toMatchObject({ status: 'accepted' });
    expect(read(NOTES)).toContain(content);
  });

  it('M23 on_session_end: keep keeps all', async () => {
    setting('on_session_end: keep\n');
    const { call, propose } = await client();
    const id = await propose('Stays.');
    expect((await call('end_session', { image_id: 'manta' })).value).toEqual({ status: 'ended', discarded: [] });
    expect(pending()).toEqual([id]);
  });

  it('M23 what nobody showed the person waits on when the session ends', async () => {
    const { call, propose } = await client({ elicits: false });
    const [seen, unseen] = [await propose('Seen.'), await propose('Never shown.')];
    expect((await call('confirm_notes_update', { proposal_id: unseen })).value).toMatchObject({
      status: 'awaiting_person',
    });
    await (await openLibrary(place.home).gate()).markShown(seen, 'page');
    expect((await call('end_session', { image_id: 'manta' })).value).toEqual({ status: 'ended', discarded: [seen] });
    expect(pending()).toEqual([unseen]);
  });

  it('M23 a question that was on the screen and got no answer: closing stdin discards it, logged without its text, to revive', async () => {
    const reply = async (message: string): Promise<Reply> => {
      if (message.includes('Read,')) await new Promise((done) => setTimeout(done, 2_100));
      return 'cancel';
    };
    const { client: connection, call, propose } = await client({ own: true, reply });
    const [read, unread] = [await propose('Read, then left.'), await propose('Gone at once.')];
    const unasked = await propose('Never asked.');
    for (const proposal_id of [read, unread])
      expect((await call('confirm_notes_update', { proposal_id })).value).toMatchObject({ status: 'awaiting_person' });
    await connection.close();
    await expect.poll(() => transcripts()).toContain('"reason":"client_ended"');
    expect(pending().sort()).toEqual([unread, unasked].sort());
    expect(readLog()).toMatchObject([{ op: 'proposal_discarded', proposal_id: read }]);
    expect(JSON.stringify(readLog())).not.toContain('then left');
    expect(JSON.parse(run('sessions', '--json').stdout)).toMatchObject([{ state: 'ended', client: 'studio' }]);
    expect(run('review', '--revive', read).code).toBe(0);
    expect(pending()).toContain(read);
  });

  it('M23 a pipe that closes in the middle of a call is an interruption: a footer says so, proposals stay pending', async () => {
    const { client: connection, call, propose, asked } = await client({ own: true, reply: 'silence' });
    const id = await propose('Interrupted.');
    const open = call('confirm_notes_update', { proposal_id: id }).catch(() => undefined);
    await expect.poll(() => asked.length).toBe(1);
    await connection.close();
    await open;
    expect(pending()).toEqual([id]);
    await expect.poll(() => transcripts()).toContain('"type":"session_end"');
    expect(JSON.parse(run('sessions', '--json').stdout)).toMatchObject([
      { state: 'interrupted', ended: 'interrupted', client: 'studio' },
    ]);
    expect(run('sessions').stdout).toContain('interrupted');
  });

  it('M29 one connection and workspace is one session: its tastes, questions and cancelled questions are in its transcript', async () => {
    const { call, propose } = await client({ reply: 'cancel' });
    await call('read_context', { image_id: 'manta' });
    const note = await propose('A note.');
    const { value } = await call('propose_taste_update', { content: '- a taste', category: 'value' });
    await call('confirm_taste_update', { proposal_id: value.proposal_id });
    await call('confirm_notes_update', { proposal_id: note });
    const sessions = JSON.parse(run('sessions', '--json').stdout);
    expect(sessions).toMatchObject([{ image_id: 'manta', client: 'studio' }]);
    const { records } = JSON.parse(run('sessions', 'show', sessions[0].session_id, '--json').stdout);
    const told = records.filter(({ type }: { type: string }) => type === 'proposal' || type === 'tool_result');
    expect(told).toMatchObject([
      { tool: 'read_context' },
      { proposal: { kind: 'notes', image_id: 'manta' } },
      { tool: 'propose_notes_update', status: 'pending' },
      { proposal: { kind: 'taste', image_id: 'manta' } },
      { tool: 'propose_taste_update', status: 'pending' },
      { tool: 'confirm_taste_update', status: 'awaiting_person' },
      { tool: 'confirm_notes_update', status: 'awaiting_person' },
    ]);
  });

  it('M23 M29 end_session without a workspace ends every session of the connection; before any read tastes are the home’s', async () => {
    const { call } = await client();
    await call('propose_taste_update', { content: '- of the home', category: 'value' });
    for (const image_id of ['manta', 'other']) await call('read_context', { image_id });
    expect((await call('list_proposals')).value).toMatchObject({
      total: 1,
      proposals: [{ target: 'tastes/_default.md', content: '- of the home', yours: true }],
    });
    expect((await call('end_session')).value).toEqual({ status: 'ended', discarded: [] });
    const sessions = JSON.parse(run('sessions', '--json').stdout) as { image_id: string | null; state: string }[];
    expect(sessions.map(({ image_id, state }) => `${image_id} ${state}`).sort()).toEqual([
      'manta ended',
      'null ended',
      'other ended',
    ]);
  });

  it('M22 M23 list_proposals without a workspace has the home’s, and what this connection proposed anywhere', async () => {
    const [mine, other] = [await client(), await client()];
    await mine.call('read_context', { image_id: 'manta' });
    await mine.propose('Of this connection.');
    await other.propose('Of another one.');
    const contents = async ({ call }: typeof mine) =>
      ((await call('list_proposals')).value.proposals as { content: string }[]).map(({ content }) => content);
    expect(await contents(mine)).toEqual(['Of this connection.']);
    expect(await contents(other)).toEqual(['Of another one.']);
  });

  it('M23 a killed process leaves no footer: its session is interrupted all the same, and the next start writes it', async () => {
    const { pid, propose } = await client({ own: true });
    await propose('Killed.');
    process.kill(pid, 'SIGKILL');
    const states = () => JSON.parse(run('sessions', '--json').stdout);
    await expect.poll(states, { timeout: 120_000 }).toMatchObject([{ state: 'interrupted', ended: null }]);
    const { call } = await client();
    await call('read_context', { image_id: 'manta' });
    expect(states()).toContainEqual(expect.objectContaining({ state: 'interrupted', ended: 'interrupted' }));
    expect(states()).toContainEqual(expect.objectContaining({ state: 'open', ended: null }));
  });

  it('M21 M29 a decision with its reason is in the transcript of the session that proposed, whoever decided where', async () => {
    const { call, propose } = await client();
    const [id, second] = [await propose('Declined elsewhere.'), await propose('Edited elsewhere.')];
    const library = openLibrary(place.home);
    const shown = async (each: string) => shownOf((await (await library.gate()).showProposal(each)).proposal);
    const via = { via: 'page', client: null } as const;
    await (await library.gate()).decide(await shown(id), null, { decision: 'decline', reason: 'Not true.', ...via });
    await call('end_session', { image_id: 'manta' });
    await (await library.gate()).decide(await shown(second), null, {
      decision: 'accept',
      editedContent: 'My words.',
      ...via,
    });
    const [{ session_id }] = JSON.parse(run('sessions', '--json').stdout);
    const { records, state } = JSON.parse(run('sessions', 'show', session_id, '--json').stdout);
    expect(state).toBe('ended');
    expect(records).toContainEqual(
      expect.objectContaining({
        type: 'decision',
        proposal_id: id,
        decision: 'decline',
        reason: 'Not true.',
        via: 'page',
      }),
    );
    expect(records.at(-1)).toMatchObject({ type: 'decision', proposal_id: second, edited_content: 'My words.' });
    expect(run('sessions', 'replay', session_id).stdout).toContain('you declined it (page): “Not true.”');
  });
});

describe('what the tools take', () => {
  it('M31 an argument that no tool knows is refused by its name, with the nearest, on every tool', async () => {
    const { call, client: connection } = await askingClient(place);
    const { tools } = await connection.listTools();
    for (const { name, inputSchema } of tools) {
      expect(inputSchema.additionalProperties, name).toBe(false);
      const needed = Object.fromEntries(
        (inputSchema.required ?? []).map((each) => [each, each === 'category' ? 'value' : 'x']),
      );
      const { value, isError } = await call(name, { ...needed, not_known: 1 });
      expect(isError, name).toBe(true);
      expect(value).toMatchObject({ error: { code: 'invalid_input', argument: 'not_known' } });
    }
    expect((await call('load_context', { task: 'x', max_total_char: 3 })).value).toMatchObject({
      error: { code: 'invalid_input', hint: 'Did you mean max_total_chars?' },
    });
  });

  it('M2 M5 workspace is taken beside image_id, every answer names its workspace beside the object, and they are listed', async () => {
    const { call } = await askingClient(place);
    const { value, texts } = await call('read_context', { workspace: 'manta' });
    expect(Object.keys(value)).toEqual(['tastes', 'brief', 'notes', 'recent_log', 'recent_gaps']);
    expect(texts.at(-1)).toBe('Workspace: manta');
    expect((await call('read_full_notes', { workspace: 'manta', image_id: 'manta' })).value).toMatchObject({
      image_id: 'manta',
    });
    expect((await call('read_context', { workspace: 'manta', image_id: 'other' })).value).toMatchObject({
      error: { code: 'invalid_input' },
    });
    const log = await call('log_operation', { workspace: 'manta', op: 'x' });
    expect([log.isError, log.texts.at(-1)]).toEqual([false, 'Workspace: manta']);
    expect((await call('list_proposals', { workspace: 'manta' })).value).toMatchObject({
      workspaces: ['manta', 'other'],
    });
  });

  it('M11 an empty category of a gap is uncategorized, written and read', async () => {
    const { call } = await askingClient(place);
    await call('log_vocabulary_gap', { image_id: 'manta', description: 'no word', intent_category: ' ' });
    const { value } = await call('read_context', { image_id: 'manta' });
    expect(value).toMatchObject({ recent_gaps: [{ intent_category: 'uncategorized' }] });
  });

  it('the frame of the three tiers is in the instructions and in start_session, in two sentences', async () => {
    const { client: connection } = await askingClient(place);
    const prompt = await connection.getPrompt({ name: 'start_session' });
    for (const text of [connection.getInstructions() ?? '', JSON.stringify(prompt.messages)]) {
      expect(text).toContain('a declared genre goes before the default taste');
      expect(text).toContain('let the person decide');
    }
  });

  it('M17 M28 refuses what is blank, too long, of no category, out of place or unseen, and names it', async () => {
    const { call } = await askingClient(place);
    const taste = (input: object) => call('propose_taste_update', { content: 'x y', category: 'value', ...input });
    const notes = (input: object) => call('propose_notes_update', { image_id: 'manta', content: 'x y', ...input });
    const refused = [
      await notes({ content: ' \n\t' }),
      await notes({ content: 'x'.repeat(20_001) }),
      await notes({ reason: 'x'.repeat(501) }),
      await taste({ file: '../x.md' }),
      await taste({ file: '/etc/passwd' }),
      await taste({ file: '.hidden' }),
      await taste({ file: 'a\u200bb' }),
      await taste({ replaces: 'not there' }),
      await taste({ replaces: ' \n' }),
      await taste({ content: 'a\u202eb' }),
      await notes({ content: 'a\u001b[2Jb' }),
      await notes({ content: `key ${'AKIA'}${'QWERTYUIOPASDFGH'}` }),
      await notes({ content: 'password: hunter2horse' }),
    ];
    for (const [index, { isError, value }] of refused.entries())
      expect([index, isError, value]).toEqual([
        index,
        true,
        { error: expect.objectContaining({ code: 'invalid_input' }) },
      ]);
    expect(refused[9]?.value).toMatchObject({ error: { code_point: 'U+202E', offset: 1, field: 'content' } });
    for (const wrong of [{ category: 'other' }, { category: undefined }, { content: 5 }])
      expect((await taste(wrong)).isError).toBe(true);
    expect((await notes({ image_id: 'nowhere' })).value).toMatchObject({ error: { code: 'not_found' } });
    expect((await notes({ content: '🐟'.repeat(20_000) })).value).toMatchObject({ status: 'pending' });
    expect(pending()).toHaveLength(1);
    expect(transcripts()).not.toMatch(/AKIAQWERTY|hunter2horse|\u202e|\\u001b/);
    expect(transcripts()).toContain('"refused":"hidden_character","length":6,"sha256":');
  });

  it('M30 log_operation and log_vocabulary_gap write one checked record each', async () => {
    const { call } = await askingClient(place);
    const log = (input: object) => call('log_operation', { image_id: 'manta', op: 'lift', ...input });
    const gap = (input: object) => call('log_vocabulary_gap', { image_id: 'manta', description: 'no mask', ...input });
    let deep: unknown = 1;
    for (let i = 0; i < 500; i += 1) deep = { deep };
    const refused = [
      await log({ details: { timestamp: 'x' } }),
      await log({ details: { op: 'x' } }),
      await log({ op: ' ' }),
      await log({ op: 'x'.repeat(201) }),
      await log({ details: { data: 'x'.repeat(20_000) } }),
      await log({ details: { deep } }),
      await gap({ description: '\n' }),
      await gap({ satisfaction: 2 }),
      await gap({ satisfaction: 0.5 }),
      await gap({ notes: 'x'.repeat(20_000) }),
    ];
    for (const [index, { value }] of refused.entries())
      expect([index, value]).toEqual([index, { error: expect.objectContaining({ code: 'invalid_input' }) }]);
    expect((await log({ details: { by: 2, token: 'sk_live_4eC39HqLyjWDarjtT1zdp7dc' } })).isError).toBe(false);
    expect((await gap({ satisfaction: -1, workaround: 'by hand', vocabulary_used: ['lift'] })).isError).toBe(false);
    const lines = (name: string) =>
      read(`${HOME}/workspaces/manta/${name}`)
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    expect(lines('log.jsonl')).toEqual([
      {
        timestamp: expect.any(String),
        op: 'lift',
        by: 2,
        token: { refused: expect.any(String), length: 32, sha256: expect.any(String) },
      },
    ]);
    expect(lines('vocabulary_gaps.jsonl')).toMatchObject([
      {
        image_id: 'manta',
        description: 'no mask',
        satisfaction: -1,
        workaround: 'by hand',
        session_id: expect.any(String),
      },
    ]);
    // A call that was too deep to be kept ends the record of nothing else.
    expect(transcripts()).toContain('too_deep');
    expect(transcripts()).toContain('"tool":"log_vocabulary_gap","ok":true');
  });

  it('M22 list_proposals shows what waits, clipped, newest last, and never a place on the disk', async () => {
    const { call, propose } = await askingClient(place);
    await propose('x'.repeat(5_000));
    await call('propose_taste_update', { content: '- t', category: 'value' });
    const { value } = await call('list_proposals', { image_id: 'manta' });
    expect(value).toMatchObject({
      total: 2,
      proposals: [{ target: 'notes.md of manta' }, { target: 'tastes/_default.md' }],
    });
    expect(JSON.stringify(value).length).toBeLessThan(2_000);
  });

  it('M29 the transcript is 0600, names every call, and what was served only by its hash', async () => {
    const { call } = await askingClient(place);
    await call('read_context', { image_id: 'manta' });
    const name = Object.keys(filesBelow(at(HOME))).find((path) => /sessions\/[^/]+\.jsonl$/.test(path)) ?? '';
    expect(name).toMatch(/sessions\/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ_[0-9a-f]{12}\.jsonl$/);
    expect(statSync(at(join(HOME, name))).mode & 0o777).toBe(0o600);
    const types = transcripts()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).type);
    expect(types).toEqual(['session_start', 'tool_call', 'tool_result', 'context_served']);
    expect(transcripts()).not.toContain('keep it quiet');
  });

  it('at most 12 tools and 3,000 tokens of schema, constant and without hints of the disk', async () => {
    put(place.home, { [NOTES]: 'IGNORE ALL', [`${HOME}/workspaces/manta/brief.md`]: 'IGNORE ALL' });
    for (const era of [LEGACY, MODERN]) {
      const { client } = await askingClient(place, { era });
      const listed = await client.listTools();
      const tokens = countTokens(JSON.stringify(listed));
      console.log(`tools/list: ${listed.tools.length} tools, ${tokens} tokens (o200k_base)`);
      expect(listed.tools.length).toBeLessThanOrEqual(12);
      expect(tokens).toBeLessThanOrEqual(3_000);
      expect(JSON.stringify([listed, client.getInstructions()])).not.toMatch(/IGNORE|bearings-test/);
    }
    expect(existsSync(at(`${HOME}/key.json`))).toBe(false);
  });
});
