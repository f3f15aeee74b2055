import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openRooms } from '../../src/bearings.ts';
import { ledgerLines } from '../support/open-library.ts';
import { person } from '../support/person.ts';
import { bearings } from '../support/process/binary.ts';
import { screen as openScreen } from '../support/process/tmux.ts';

const QUIET =
  '<context_management><inherit_context>none</inherit_context><fresh_context>disabled</fresh_context></context_management>';
const TEMPLATE = `<task type="sequential" name="letter"><description>A letter</description><steps>
<task type="atomic" name="draft"><description>Write this to the dear reef:\nDear reef</description>${QUIET}</task>
<approve name="agreed"><description>May this letter go out?</description></approve>
<task type="atomic" name="send"><description>Send this:\n{{text}}</description><inputs><input name="text" from="agreed.content"/></inputs>${QUIET}</task>
</steps></task>`;
const { place, at } = person({ '.bearings/config.yaml': '', 'project/letter.xml': TEMPLATE });
const here = () => ({ ...place, cwd: at('project') });
const cli = (...args: string[]) => bearings(here(), ...args);
const open = () =>
  openRooms({
    home: at('.bearings'),
    cwd: at('project'),
    variables: { BEARINGS_CACHE: at('cache'), HOME: place.home },
  });
// Answers are in the home's own chain.
const ledger = () =>
  ledgerLines(at('.bearings'))
    .map((line) => JSON.parse(line))
    .filter(({ decision }) => decision === 'approve');

// Waits for the person; its id.
function waitingRun(): string {
  const { code, stdout } = cli('run', 'letter.xml', '--json');
  expect(code).toBe(3);
  // The answer to a program and its text say that it waits, not that it failed.
  expect(JSON.parse(stdout)).toMatchObject({ state: 'awaiting_person' });
  expect(JSON.parse(stdout).result.notes.summary).toMatch(/ waits: The run waits for the person\.$/);
  return JSON.parse(stdout).run;
}

describe('T26 a run that waits', () => {
  it('T13 T26 has failed nowhere: runs show marks what waits', () => {
    const run = waitingRun();
    const shown = cli('runs', 'show', run).stdout;
    expect(shown).toMatch(/^1 +\? letter/m);
    expect(shown).not.toContain('✗');
    const step = cli('runs', 'show', run, '1').stdout;
    expect(step).toContain('waits for you');
    expect(step).not.toContain('FAILED');
  });

  it('T5 T26 check --strict does not demand a block that <approve> can’t have', () => {
    const block = (format: string) =>
      `<context_management><inherit_context>full</inherit_context>${format}<fresh_context>disabled</fresh_context></context_management>`;
    const steps = '<steps><approve name="ok"><description>May it?</description></approve></steps>';
    const accumulates = '<accumulate_data>true</accumulate_data><accumulation_format>notes_only</accumulation_format>';
    const whole = `<task type="sequential"><description>d</description>${block(accumulates)}${steps}</task>`;
    writeFileSync(at('project/strict.xml'), whole);
    expect(cli('check', 'strict.xml', '--strict')).toMatchObject({
      code: 0,
      stdout: expect.not.stringContaining('error '),
    });
    writeFileSync(at('project/strict.xml'), whole.replace('<description>May', `${block('')}<description>May`));
    expect(cli('check', 'strict.xml').code).toBe(1);
  });

  it('T13 T25 a step of a template that was called names that file, and the sequence around the call', () => {
    writeFileSync(
      at('project/inner.xml'),
      `\n\n\n<task type="atomic" name="deep"><description>Low tide</description></task>`,
    );
    writeFileSync(
      at('project/outer.xml'),
      `<task type="sequential"><description>d</description><steps><task type="atomic" name="a"><description>Tides</description>${QUIET}</task><call template="inner.xml"/></steps></task>`,
    );
    expect(cli('run', 'outer.xml').code).toBe(0);
    const step = cli('runs', 'show', 'last', '1.2.call').stdout;
    expect(step).toContain('from  inner.xml:4');
    expect(step).toContain('from  earlier steps of 1\n');
  });
});

const journal = (run: string) => at(`.bearings/runs/${run}/journal.jsonl`);

describe('T26 M26 an answer to a run is a decision of the person', () => {
  it('T26 M26 it is an entry of the ledger, verify checks it, the run goes on and does not ask again', async () => {
    const run = waitingRun();
    expect(cli('verify').stdout).toContain('no decision was made yet');
    await (await open().runs()).answerRun(run, { answer: 'edit', text: 'Dear sea', reason: 'it is larger' });
    const [entry] = ledger();
    expect(entry).toMatchObject({
      decision: 'approve',
      answer: 'edit',
      edited: true,
      subject: `run ${run} 1.2#approve`,
      level: 'ask',
      v: 3,
    });
    // The text is beside the chain, where it can be erased.
    expect(JSON.stringify(entry)).not.toContain('Dear sea');
    expect(cli('verify').stdout).toMatch(/^home +2 signed by you[\s\S]*all is well/m);
    // Nothing was cut off: it was answered, and goes on when the person says so.
    expect(cli('runs').stdout).toMatch(new RegExp(`${run} +answered [\\s\\S]*resume ${run}`));
    const resumed = cli('runs', 'resume', run, '--json');
    expect(resumed.code).toBe(0);
    expect(JSON.stringify(JSON.parse(resumed.stdout).result)).toContain('Dear sea');
    expect(ledger()).toHaveLength(1);
    expect(JSON.parse(cli('verify', '--json').stdout)).toMatchObject({ ok: true, runs: [] });
    expect(cli('review').stdout).toContain('nothing waits for you');
  });

  it('M26 a crash between the ledger and the journal: the word is there, and nobody is asked again', async () => {
    const run = waitingRun();
    const before = readFileSync(journal(run));
    await (await open().runs()).answerRun(run, { answer: 'accept' });
    writeFileSync(journal(run), before);
    expect(await (await open().runs()).waitingRuns()).toEqual([]);
    writeFileSync(journal(run), before);
    expect(cli('runs', 'resume', run, '--json').code).toBe(0);
    expect(ledger()).toHaveLength(1);
  });

  it('M18 M26 an answer that somebody wrote into the journal, or took from another run, is not taken, and verify tells', async () => {
    const [first, second] = [waitingRun(), waitingRun()];
    await (await open().runs()).answerRun(first, { answer: 'accept' });
    const [real] = readFileSync(journal(first), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ key }) => key === '1.2#approve');
    for (const value of [{ ...real.value, entry: '{}' }, real.value, 'yes', null]) {
      const forged = { ...real, value };
      appendFileSync(journal(second), `${JSON.stringify(forged)}\n`);
      expect(cli('runs', 'resume', second, '--json').code).toBe(3);
      const { code, stdout } = cli('verify');
      expect({ code, stdout }).toEqual({
        code: 1,
        stdout: expect.stringContaining(`run ${second}: no decision of yours covers the answer at 1.2#approve`),
      });
    }
    await (await open().runs()).answerRun(second, { answer: 'decline', reason: 'no' });
    expect(cli('verify').code).toBe(0);
    expect(cli('runs', 'resume', second, '--json').stdout).toContain('The person declined: no');
  });

  it('M18 M26 an answer counts as it was signed, whatever the journal was made to say of it, and verify tells', async () => {
    const run = waitingRun();
    await (await open().runs()).answerRun(run, { answer: 'decline', reason: 'no' });
    const signed = readFileSync(journal(run), 'utf8');
    const changed = signed.replace('"answer":"decline"', '"answer":"accept"');
    expect(changed).not.toBe(signed);
    writeFileSync(journal(run), changed);
    expect(cli('verify').stdout).toContain(`run ${run}: no decision of yours covers the answer at 1.2#approve`);
    const resumed = cli('runs', 'resume', run, '--json');
    expect([resumed.code, resumed.stdout]).toEqual([1, expect.stringContaining('The person declined: no')]);
  });

  it('M18 M28 nobody but the person: a pipe is refused, a secret is not taken over, a passphrase is needed where one is set', async () => {
    const run = waitingRun();
    for (const command of [['review'], ['runs', 'answer', run]]) {
      const { code, stderr } = cli(...command);
      expect({ command, code }).toEqual({ command, code: 3 });
      expect(stderr).toMatch(/needs a terminal|Only a person/);
    }
    const secret = `ghp_${'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'}`;
    const refused = (await open().runs()).answerRun(run, { answer: 'edit', text: secret });
    await expect(refused).rejects.toThrow(/looks like a secret/);
    await (await open().gate()).setPassphrase('a long passphrase');
    await expect((await open().runs()).answerRun(run, { answer: 'accept' })).rejects.toThrow(/need the passphrase/);
    await expect((await open().runs()).answerRun(run, { answer: 'accept', passphrase: 'wrong one' })).rejects.toThrow(
      /wrong/,
    );
    await (await open().runs()).answerRun(run, { answer: 'accept', passphrase: 'a long passphrase' });
    expect(ledger().at(-1)).toMatchObject({ decision: 'approve', level: 'passphrase' });
    expect(cli('runs', 'resume', run, '--json').code).toBe(0);
  });
});

describe('T26 on a real terminal', () => {
  it('T26 M47 review shows what a run waits for before the proposals: edit, accept, and how to go on', async () => {
    const run = waitingRun();
    writeFileSync(at('editor.sh'), '#!/bin/sh\nprintf "in my own words" > "$1"\n', { mode: 0o755 });
    const screen = openScreen(here(), ['review'], { columns: 100, variables: { EDITOR: at('editor.sh') } });
    const first = await screen.shows('[a]ccept  [e]dit  [d]ecline  [s]kip');
    expect(first).toContain('May this letter go out?');
    expect(first).toContain('Dear reef');
    expect(first).toContain(`run ${run}`);
    await screen.chooses('e', 'as you edited it');
    await screen.chooses('a', `accepted as edited · run ${run} · bearings runs resume ${run}`);
    expect(await screen.ends()).toBe(0);
    expect(ledger()[0]).toMatchObject({ decision: 'approve', answer: 'edit', via: 'review' });
    expect(cli('runs', 'resume', run).stdout).toContain('in my own words');
  });

  it('T25 L21 a program of a template is shown as one, and the printed command takes its permission back', async () => {
    const script = '<task type="script" timeout_seconds="10"><description>x</description>';
    writeFileSync(at('project/script.xml'), `${script}<command><arg>sh</arg><arg>count.sh</arg></command></task>`);
    const screen = openScreen(here(), ['check', 'script.xml', '--allow'], { columns: 100 });
    expect(await screen.shows('[y/n]')).toMatch(/program +script sh count\.sh/);
    screen.enter('y');
    await screen.shows('bearings policy revoke "script sh count.sh"');
    await screen.ends();
    expect(screen.text()).not.toMatch(/adapter|limits/);
    expect(cli('policy', 'revoke', 'script sh count.sh').stdout).toContain('took back 1 permission');
  });

  it('T26 runs answer asks the same way and goes on at once; a decline takes a reason', async () => {
    const run = waitingRun();
    const screen = openScreen(here(), ['runs', 'answer', run], { columns: 100 });
    await screen.shows('May this letter go out?');
    await screen.chooses('d', 'why (optional)');
    screen.enter('too short');
    expect(await screen.ends()).toBe(1);
    expect(screen.text()).toContain('The person declined: too short');
    expect(screen.text()).toContain('Change the template or its inputs, then run it again.');
    expect(`${screen.text()}${cli('runs', 'show', run).stdout}`).not.toContain('runs resume');
    const listed = cli('runs', 'list').stdout;
    expect([listed.includes('stopped'), listed.includes('runs resume')]).toEqual([true, false]);
  });
});
