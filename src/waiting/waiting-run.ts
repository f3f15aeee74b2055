import type { GivenAnswer, WaitingRun } from '../tasks/answer-run.ts';
import type { Acted, Added, Edit, Waiting } from './waiting.ts';

/** What a run waits for, as every face shows it. */
export function waitingToDecide(waiting: WaitingRun, say: (given: GivenAnswer) => Promise<Acted>): Waiting {
  const { run, question, name, file, at, shown, sha256: shownSha256 } = waiting;
  const accept = ({ edited: text }: Added, edit: Edit) =>
    say(
      text === undefined ? { answer: 'accept', shownSha256, ...edit } : { answer: 'edit', text, shownSha256, ...edit },
    );
  const decline = ({ reason }: Added, edit: Edit) =>
    say({ answer: 'decline', ...(reason !== undefined && { reason }), shownSha256, ...edit });
  return {
    ...{ type: 'approve', key: `a/${run}`, title: question, about: `${name || file} · run ${run}`, at },
    parts: [{ is: 'text', text: shown, isOwn: true }],
    choices: [
      ['a', 'accept', 'the run goes on with exactly what is shown', 'accept'],
      ['e', 'edit', 'your words in its place; you see the result before you accept it', 'edit'],
      ['d', 'decline', 'ends the run, with a reason if you like', 'decline'],
      ['s', 'skip', 'leaves it for later', 'skip'],
    ],
    deeds: { accept, decline },
  };
}
