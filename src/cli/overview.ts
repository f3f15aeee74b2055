import { BearingsError } from '../errors.ts';
import type { EvaluatedCase } from '../loader/evaluate-past.ts';
import { showHidden } from '../safety/hidden-characters.ts';
import { defineCommand } from './command.ts';
import { counted, fitTo } from './views/columns.ts';
import { learnedLines } from './views/learn-view.ts';

const NEWEST_BYTES = 50 * 1024 * 1024;
const LONGEST_MS = 1_200;
const LONGEST_COMMIT_MS = 1_400;

// `bearings` alone: what agents on this machine believe here, and what to do next. Counts only: it writes nothing and
// quotes nothing of the person's before they ask with `learn`.
export const command = defineCommand({
  help: 'bearings',
  maxWords: 0,
  async run({ bearings, terminal }) {
    const ending = new AbortController();
    const within = (ms: number) => AbortSignal.any([ending.signal, AbortSignal.timeout(ms)]);
    const end = (): void => ending.abort();
    process.on('SIGINT', end);
    const measuring = (await bearings.evaluation()).lastCommit(within(LONGEST_COMMIT_MS)).catch(() => null);
    const learned = await (await bearings.learning()).learn({ newest: NEWEST_BYTES, signal: within(LONGEST_MS) });
    const states = await (await bearings.clients()).clientStates();
    const clients = states.filter(({ found, installed }) => found && installed.length === 0).map(({ title }) => title);
    const gate = await bearings.gate();
    // Null without a workspace here.
    const orNull = (error: unknown) => {
      if (error instanceof BearingsError) return null;
      throw error;
    };
    const decided = async (file: string) =>
      (await gate.blame(file).catch(orNull))?.blocks.filter(({ origin }) => origin).length ?? null;
    const [notes, brief] = [await decided('notes.md'), await decided('brief.md')];
    const yours = [...(brief ? ['the brief'] : []), ...(notes ? [counted(notes, 'note')] : [])];
    const memory = await (await bearings.memory()).overview().catch(orNull);
    const ofNotes = memory?.unaccounted.find(({ file, ofRepository }) => ofRepository && file === 'notes.md');
    const brought = ofNotes?.count ?? 0;
    const waiting = (await gate.listProposals('all')).length;
    const wishes = learned.candidates.reduce((sum, { count }) => sum + count, 0);
    const isKnown = learned.sources.length + learned.transcripts.length + clients.length > 0 || notes !== null;
    if (!isKnown) end();
    const measured = await measuring;
    process.off('SIGINT', end);
    const { columns } = terminal;
    const lines = !isKnown
      ? []
      : [
          ...learnedLines(learned, columns, 0),
          ...(learned.isPartial ? ['  there was no time to read all of it; bearings learn takes it'] : []),
          ...(wishes > 0 ? [`  you corrected agents or asked for something lasting ${counted(wishes, 'time')}`] : []),
          `You confirmed ${yours.join(' and ') || 'nothing yet'}.`,
          ...(brought > 0
            ? [`This repository brings ${counted(brought, 'note')} you did not confirm: bearings review`]
            : []),
          '',
          ...(measured === null ? [] : [...commitLines(measured, columns), '']),
        ];
    const steps: [line: string, about: string, isMeant: boolean][] = isKnown
      ? [
          ['init', 'memory for this repository', notes === null],
          ['read', 'what an agent gets on its first turn', notes !== null],
          ['review', `${counted(waiting, 'proposal')} to decide`, waiting > 0],
          ['review', 'decide on what the repository brings', waiting === 0 && brought > 0],
          ['learn', 'decide on the best ten: about a minute', wishes > 0 || learned.isPartial],
          ['install', `set up ${clients.join(', ')}: found here`, clients.length > 0],
          ['load --task "…"', 'what one call gives an agent for a task', true],
          ['--help', 'more commands', true],
        ]
      : [
          ['init', 'memory for this repository', memory?.isInRepository === true],
          ['init first-steps', 'a workspace: the memory of one subject', memory?.isInRepository !== true],
          ['propose notes --content "…"', 'a note, as an agent would propose it', true],
          ['review', 'say yes or no to it', true],
          ['read', 'what an agent gets from now on', true],
        ];
    for (const [line, about, isMeant] of steps) if (isMeant) lines.push(`  ${`bearings ${line}`.padEnd(36)}  ${about}`);
    for (const line of lines) terminal.print(fitTo(line, terminal.columns));
    return 0;
  },
});

// What one bundle would have held of it.
function commitLines({ task, changed, held: { bundle } }: EvaluatedCase, columns: number): string[] {
  if (!bundle) return [];
  const [before, after] = ['For your last commit ("', '") one call would have given'];
  const held = Math.round(bundle.files * changed);
  const all = changed === 1 ? 'the one file' : `${held} of the ${changed} files`;
  const files = `${changed === 1 && held === 0 ? 'not ' : ''}${all} you changed`;
  const share = `${Math.round(100 * bundle.lines)} % of the lines`;
  return [
    `${before}${fitTo(showHidden(task), columns - before.length - after.length)}${after}`,
    `  ${files}, ${share}, in ${counted(bundle.chars, 'character')}`,
  ];
}
