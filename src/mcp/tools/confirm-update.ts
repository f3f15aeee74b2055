import { z } from 'zod';
import { notFound } from '../../errors.ts';
import { isRetirement, shownOf } from '../../gate/proposals/proposal.ts';
import { addedText, diffText } from '../../gate/proposals/proposal-diff.ts';
import { ruleNotes } from '../../memory/rules.ts';
import { askPerson, offerPage } from '../ask-person.ts';
import { answer, defineTool, failure, type ToolCall } from '../tool.ts';

const HOW = 'Ask the person to run `bearings review` in a terminal.';
const WITH_PASSKEY = 'The person signs it with an authenticator, on the page: ask for `bearings ui` in a terminal.';
const ON_THE_PAGE = 'The person decides on the page that `bearings ui` opened, or with `bearings review`.';

export const confirmTasteTool = confirmTool('taste', 'confirm_taste_update');
export const confirmNotesTool = confirmTool('notes', 'confirm_notes_update');

function confirmTool(kind: 'taste' | 'notes', name: string) {
  return defineTool({
    name,
    title: `Ask the person about a ${kind} proposal`,
    description: `Asks the person to decide on a pending ${kind} proposal; you can't.`,
    input: z.object({ proposal_id: z.string() }),
    output: z.object({ status: z.string(), proposal_id: z.string(), target: z.string(), how: z.string().optional() }),
    readOnly: false,
    run: (call) => confirm(kind, call),
  });
}

// The tool carries no authority: it carries a question.
async function confirm(kind: 'taste' | 'notes', call: ToolCall<{ proposal_id: string }>) {
  const { bearings, input, client } = call;
  const gate = await bearings.gate();
  const { proposal, target, where, diff, state } = await gate.showProposal(input.proposal_id);
  if (proposal.kind !== kind)
    throw notFound(`No pending ${kind} proposal has this id.`, 'See what waits: list_proposals');
  const waiting = (how: string) =>
    answer({ status: 'awaiting_person', proposal_id: proposal.proposal_id, target, how });
  const asks = await (await bearings.settings()).elicitationFor(client);
  const page = asks.on && call.clientOpens ? await (await bearings.page()).runningPage() : null;
  if (page) {
    // The id and nothing else: whoever follows it still has to be let in by the person.
    const url = `http://${page.host}:${page.port}/p/${proposal.proposal_id}`;
    const message = `Bearings asks: should this be remembered? Target: ${where}. Decide on your page.`;
    const question = await offerPage(call, { message, url, timeoutMs: asks.timeoutMs });
    return question ?? waiting(ON_THE_PAGE);
  }
  const level = await gate.confirmLevel();
  if (level === 'passkey') return waiting(WITH_PASSKEY);
  if (!call.clientElicits || !asks.on || level === 'passphrase') return waiting(HOW);
  if (state === 'stale') return waiting('The block it replaces is gone: withdraw it and propose again.');
  const shown = shownOf(proposal);
  const message = [
    isRetirement(proposal) ? 'Bearings asks: does this no longer hold?' : 'Bearings asks: should this be remembered?',
    `Target: ${where}`,
    // On one line, so that a reason can't pose as part of the question.
    `Proposed by ${proposal.client}${proposal.reason ? `: ${proposal.reason.replace(/\s+/g, ' ')}` : ''}`,
    ...(proposal.paths ? [`For ${proposal.paths.join(', ')}`] : []),
    ...(proposal.until ? [`To review again on ${proposal.until}`] : []),
    ...ruleNotes(addedText(diff)),
    '',
    diffText(diff),
  ].join('\n');
  const said = await askPerson(call, { message, shown, timeoutMs: asks.timeoutMs });
  if (said.kind === 'question') return said.result;
  if (said.kind === 'undecided') {
    if (said.seen) await gate.markShown(proposal.proposal_id, 'elicitation');
    return waiting(HOW);
  }
  try {
    const decided = await gate.decide(shown, kind, {
      decision: said.decision,
      editedContent: said.editedContent,
      until: proposal.until,
      via: 'elicitation',
      client,
    });
    return answer({ status: decided.status, proposal_id: proposal.proposal_id, target });
  } catch (error) {
    return failure(error);
  }
}
