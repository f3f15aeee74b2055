import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRooms } from '../../src/bearings.ts';
import { shownOf } from '../../src/gate/proposals/proposal.ts';
import { person } from '../support/person.ts';
import { agent, onTerminal } from '../support/process/binary.ts';
import { put } from '../support/temp-folder.ts';

const { at, place, run } = person({
  '.bearings/workspaces/w/notes.md': '',
});
const notes = () => at('.bearings/workspaces/w/notes.md');
const settings = (now = () => new Date()) =>
  openRooms({
    now,
    home: at('.bearings'),
    cwd: place.home,
    variables: { HOME: place.home, BEARINGS_CACHE: at('.cache/bearings') },
  });

async function accept(content: string, kind: 'notes' | 'taste' = 'notes') {
  const bearings = settings();
  const session = await (await bearings.sessions()).openSession('w', 'test');
  const proposed = await (await bearings.gate()).propose(session, { kind, content, category: 'value' });
  if (proposed.status !== 'pending') throw new Error('expected a pending proposal');
  const { proposal } = await (await bearings.gate()).showProposal(proposed.proposal_id);
  return (await bearings.gate()).decide(shownOf(proposal), null, { decision: 'accept', via: 'review', client: null });
}

const told = async (opened = settings()) =>
  (await (await opened.memory()).readContext('w')).warnings.filter((line) => line.includes('unaccounted'));

describe('M32 the back door', () => {
  it('M32 lines written straight into notes or a taste are served, and told in one line with a count', async () => {
    await accept('A note that I accepted.');
    await accept('- A taste that I accepted.', 'taste');
    expect(await told()).toEqual([]);
    appendFileSync(notes(), 'right below\n\nand another\nof two lines\n');
    appendFileSync(at('.bearings/tastes/_default.md'), '\n- smuggled\n');
    const { context } = await (await settings().memory()).readContext('w');
    expect(context.notes.summary).toContain('of two lines');
    expect(context.tastes.default).toContain('smuggled');
    expect(await told()).toEqual([
      expect.stringMatching(
        /^3 blocks unaccounted \(1 in tastes\/_default\.md, 2 in notes\.md\): it was written by hand, .*bearings review$/,
      ),
    ]);
    const { stdout, stderr } = run('read', 'w', '--json');
    expect(JSON.parse(stdout)).toEqual(context);
    expect(stderr).toMatch(/^warning: 3 blocks unaccounted[^\n]*\n$/);
    expect(run('read', 'w', '--table').stdout).toMatch(/2 blocks unaccounted +bearings review/);
    const { call } = await agent(place);
    const { texts } = await call('read_context', { image_id: 'w' });
    expect(texts.slice(1).filter((text) => text.includes('3 blocks unaccounted'))).toEqual(texts.slice(1, 2));
  });

  it('M32 moving and re-wrapping reports none of them as new, and re-ordering only what was moved', async () => {
    await accept('first block\nwith two lines');
    await accept('second block, all in one line');
    await accept('third');
    writeFileSync(notes(), '\nfirst block with two lines\n\n\nsecond block,\n  all in\n\tone line\n\n\nthird');
    expect(await told()).toEqual([]);
    expect((await (await settings().gate()).unaccountedBlocks('all')).length).toBe(0);
    writeFileSync(notes(), 'third\n\nfirst block\nwith two lines\n\nsecond block, all in one line\n');
    expect((await (await settings().gate()).unaccountedBlocks('all')).map(({ block }) => block.text)).toEqual([
      'third',
    ]);
  });

  it('M32 nothing is adopted by itself; the person adopts or takes out, and the earlier text is kept', async () => {
    await accept('mine');
    appendFileSync(notes(), 'evil\n\nkeep this\n');
    for (let i = 0; i < 3; i += 1) expect(await told()).toHaveLength(1);
    const bearings = settings();
    const [evil, keep] = await (await bearings.gate()).unaccountedBlocks('all');
    expect([evil?.block.text, keep?.block.text]).toEqual(['evil', 'keep this']);
    if (!evil || !keep) throw new Error('expected two blocks');
    await (await bearings.gate()).adoptBlock(keep, { via: 'review' });
    await (await bearings.gate()).takeOutBlock(evil, { via: 'review' });
    expect(readFileSync(notes(), 'utf8')).toBe('mine\n\nkeep this\n');
    expect(await told()).toEqual([]);
    const { blocks } = await (await bearings.gate()).blame('notes.md', 'w');
    expect(blocks.map(({ origin }) => origin?.decision)).toEqual(['accept', 'adopt']);
    expect((await (await bearings.gate()).verify()).faults.map(({ message }) => message)).toEqual([]);
    const earlier = run('verify', '--json');
    expect(JSON.parse(earlier.stdout).ok).toBe(true);
    // Written back behind the person's back: unaccounted again.
    appendFileSync(notes(), '\nevil\n');
    expect(await told()).toHaveLength(1);
    await expect((await bearings.gate()).takeOutBlock(keep, { via: 'review' })).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  it('M32 tastes with decisions are not said to have none because the workspace has none', async () => {
    await accept('- calm', 'taste');
    put(place.home, { '.bearings/workspaces/fresh/brief.md': 'Nobody decided here.\n' });
    const shown = run('read', 'fresh', '--table').stdout;
    expect(shown).toMatch(/tastes +_default +1 line/);
    expect(shown).not.toContain('no decisions yet');
  });

  it('M32 M51 what is there before the first decision is told like any other, and one answer adopts it all', async () => {
    put(place.home, {
      '.bearings/workspaces/w/brief.md': 'About w.\n',
      '.bearings/workspaces/w/notes.md': 'old one\n\nold two\n',
      '.bearings/tastes/_default.md': '- old taste\n',
    });
    expect(await told()).toEqual([
      expect.stringMatching(/^4 blocks unaccounted \(1 in tastes\/_default\.md, 2 in notes\.md, 1 in brief\.md\)/),
    ]);
    const shown = run('read', 'w', '--table').stdout;
    expect(shown.match(/[12] blocks? unaccounted +bearings review/g)).toHaveLength(3);
    const bearings = settings();
    expect(await (await bearings.gate()).neverAccounted('all')).toMatchObject([
      { target: 'tastes/_default.md', blocks: 1, text: '- old taste\n' },
      { target: 'notes.md of w', blocks: 2 },
      { target: 'brief.md of w', blocks: 1 },
    ]);
    expect(await (await bearings.gate()).adoptAll('all', { via: 'review' })).toBe(4);
    expect(await (await bearings.gate()).neverAccounted('all')).toEqual([]);
    expect(await told()).toEqual([]);
    expect(run('why', 'notes.md', 'w').stdout).toMatch(/old one\n +by hand.*signed by you/);
    const [{ first_line: line }] = JSON.parse(run('why', 'notes.md', 'w', '--json').stdout).blocks;
    expect(run('why', `notes.md:${line}`, 'w').stdout).toMatch(/\n1 block, /);
    expect(run('why', 'notes.md:99', 'w').stderr).toContain('There is no text at line 99 of notes.md.');
  });

  it('M32 what the person changes through bearings edit is hers at once; what she left alone is not', async () => {
    await accept('mine');
    appendFileSync(notes(), '\nsmuggled\n');
    writeFileSync(at('editor.sh'), '#!/bin/sh\nprintf "\\nby my hand\\n" >> "$1"\n', { mode: 0o755 });
    const { stdout } = await onTerminal({ ...place, variables: { EDITOR: at('editor.sh') } }, ['edit', 'notes', 'w']);
    expect(stdout).toContain('1 block is yours');
    const { blocks } = JSON.parse(run('why', 'notes.md', 'w', '--json').stdout);
    expect(blocks.map((block: { origin: { decision: string } | null }) => block.origin?.decision ?? null)).toEqual([
      'accept',
      null,
      'edit',
    ]);
  });

  it('M14 M32 a server that runs on tells what is unaccounted after each change, by whomever', async () => {
    // An hour later nothing is too fresh to be remembered.
    const server = settings(() => new Date(Date.now() + 3_600_000));
    await accept('one');
    appendFileSync(notes(), '\nsmuggled\n');
    for (const _ of ['counted', 'remembered'])
      expect(await told(server)).toEqual([expect.stringMatching(/^1 block unaccounted/)]);
    await accept('two');
    expect(await told(server)).toEqual([expect.stringMatching(/^1 block unaccounted/)]);
    appendFileSync(notes(), '\nsmuggled too\n');
    expect(await told(server)).toEqual([expect.stringMatching(/^2 blocks unaccounted/)]);
    writeFileSync(notes(), 'one\n\ntwo\n');
    expect(await told(server)).toEqual([]);
  });

  it('M26 blame names proposal, session, client, decision and signer of each block', async () => {
    await accept('a note\nof two lines');
    const [block] = JSON.parse(run('why', 'notes.md', 'w', '--json').stdout).blocks;
    expect(block).toMatchObject({
      first_line: 1,
      last_line: 2,
      text: 'a note\nof two lines',
      origin: {
        decision: 'accept',
        client: null,
        proposed_by: 'test',
        proposal_id: expect.stringMatching(/^p_/),
        session_id: expect.any(String),
        signed_by: 'you',
        seq: 1,
      },
    });
    const shown = run('why', 'notes.md', 'w').stdout;
    for (const line of shown.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(shown).toContain('by test');
    await accept('- t', 'taste');
    expect(run('why', 'tastes/_default.md').stdout).toContain('accepted');
    expect(run('why', 'brief.md', 'w').code).toBe(0);
    expect(run('why', '../x').code).toBe(2);
  });

  it('M32 a replacement inside a block does not launder the lines around it', async () => {
    put(place.home, { '.bearings/tastes/_default.md': '- a\n- smuggled\n' });
    const bearings = settings();
    const session = await (await bearings.sessions()).openSession('w', 'test');
    const proposed = await (await bearings.gate()).propose(session, {
      kind: 'taste',
      content: '- c',
      replaces: '- a',
      category: 'value',
    });
    if (proposed.status !== 'pending') throw new Error('expected a pending proposal');
    const { proposal } = await (await bearings.gate()).showProposal(proposed.proposal_id);
    await (await bearings.gate()).decide(shownOf(proposal), null, { decision: 'accept', via: 'review', client: null });
    const [left] = await (await bearings.gate()).unaccountedBlocks('all');
    expect(left?.block.text).toBe('- smuggled');
    expect(readFileSync(join(at('.bearings'), 'tastes/_default.md'), 'utf8')).toBe('- c\n- smuggled\n');
  });
});
