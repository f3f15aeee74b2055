import { BearingsError } from '../errors.ts';
import { defineCommand } from './command.ts';
import { counted, fitTo } from './views/columns.ts';
import { learnedLines } from './views/learn-view.ts';

const NEWEST_BYTES = 50 * 1024 * 1024;
const LONGEST_MS = 1_200;
const FIRST_STEPS: [string, string][] = [
  ['init first-steps', 'a workspace: the memory of one subject'],
  ['propose notes --content "…"', 'a note, as an agent would propose it'],
  ['review', 'say yes or no to it'],
  ['read', 'what an agent gets from now on'],
];

// `bearings` alone: what agents on this machine believe here, and what to do next. Counts only: it writes nothing and
// quotes nothing of the person's before they ask with `learn`.
export const command = defineCommand({
  help: 'bearings',
  maxWords: 0,
  async run({ bearings, terminal }) {
    const signal = AbortSignal.timeout(LONGEST_MS);
    const learned = await (await bearings.learning()).learn({ newest: NEWEST_BYTES, signal });
    const states = await (await bearings.clients()).clientStates();
    const clients = states.filter(({ found, installed }) => found && installed.length === 0).map(({ title }) => title);
    const gate = await bearings.gate();
    // Null without a workspace here.
    const notes = await gate.blame('notes.md').catch((error: unknown) => {
      if (error instanceof BearingsError) return null;
      throw error;
    });
    const confirmed = notes?.blocks.filter(({ origin }) => origin !== null).length ?? 0;
    const waiting = (await gate.listProposals('all')).length;
    const wishes = learned.candidates.reduce((sum, { count }) => sum + count, 0);
    const isKnown = learned.sources.length + learned.transcripts.length + clients.length > 0 || notes !== null;
    const next: [string, string, boolean][] = [
      ['init', 'memory for this repository', notes === null],
      ['read', 'what an agent gets on its first turn', notes !== null],
      ['review', `${counted(waiting, 'proposal')} to decide`, waiting > 0],
      ['learn', 'decide on the best ten: about a minute', wishes > 0],
      ['install', `set up ${clients.join(', ')}: found here`, clients.length > 0],
      ['load --task "…"', 'what one call gives an agent for a task', true],
      ['--help', 'more commands', true],
    ];
    const lines = isKnown
      ? [
          ...learnedLines(learned, terminal.columns, 0),
          ...(wishes > 0 ? [`  you corrected agents or asked for something lasting ${counted(wishes, 'time')}`] : []),
          `You confirmed ${confirmed === 0 ? 'nothing yet' : counted(confirmed, 'note')}.`,
          '',
        ]
      : [];
    const steps = isKnown ? next.flatMap(([line, about, isMeant]) => (isMeant ? [[line, about]] : [])) : FIRST_STEPS;
    for (const [line, about] of steps) lines.push(`  ${`bearings ${line}`.padEnd(36)}  ${about}`);
    for (const line of lines) terminal.print(fitTo(line, terminal.columns));
    return 0;
  },
});
