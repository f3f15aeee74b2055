import { showHidden } from '../../safety/hidden-characters.ts';
import { ageOf } from '../views/age.ts';
import { counted } from '../views/columns.ts';
import type { Step } from './conversation.ts';

// First of all: a client's own question may have been answered by a program.
export const reviewClients: Step = async ({ bearings, screen }) => {
  const gate = await bearings.gate();
  const decided = await gate.decidedByClients();
  if (decided.length === 0) return true;
  const now = new Date();
  const key = await screen.choose({
    lines: () => [
      `${counted(decided.length, 'decision')} since you last looked came through a client's own question:`,
      '',
      ...decided.map(({ decision, at, client, target }) =>
        showHidden(`  ${decision.padEnd(8)} ${target} · ${client ?? 'unknown'} · ${ageOf(at, now)}`),
      ),
      '',
      'If you were not asked, a program answered: elicitation_off: "*" in config.yaml, then bearings why.',
    ],
    keys: '[g]o on  [?] help  [q]uit',
    yes: 'g',
    help: ['g   you have seen these; they are not shown again', 'q   shows them again next time'],
  });
  if (key === 'q') return false;
  await gate.rememberClientDecisions();
  return true;
};
