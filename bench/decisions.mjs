// Notes that a person said yes to, one decision each, as `review` makes them.
import { openBearings } from '../dist/index.js';
import { openPerson } from '../dist/person.js';

export async function confirmNotes(options, texts, workspace) {
  const { gate } = openBearings(options);
  const person = openPerson(options);
  const session = await gate.openSession({ client: 'bench', ...(workspace ? { workspace } : {}) });
  for (const content of texts) {
    const { proposal_id } = await gate.propose(session, { kind: 'notes', content });
    const shown = await person.showProposal(proposal_id);
    await person.decide(shown, { decision: 'accept', via: 'review', client: null });
  }
  await session.end('bench');
}
