// A process that proposes and confirms until it is ended: node confirm-worker.mjs HOME NAME COUNT [PASSPHRASE]
// Says a line for each step, so that whoever kills it knows what was promised before.
import { writeSync } from 'node:fs';
import { openBearings } from '../../dist/index.js';
import { openPerson } from '../../dist/person.js';

const [home, name, count, passphrase] = process.argv.slice(2);
const options = { home, cwd: home, variables: { BEARINGS_CACHE: `${home}/cache` } };
const bearings = openBearings(options);
const person = openPerson(options);
const session = await bearings.gate.openSession({ workspace: 'w', client: name });
const say = (...words) => writeSync(1, `${words.join(' ')}\n`);
say('ready');
for (let i = 0; i < Number(count); i += 1) {
  const content = `note ${name}.${i} of a process\nwith a second line, so that half of it would show`;
  const { proposal_id } = await bearings.gate.propose(session, { kind: 'notes', content });
  say('proposed', `${name}.${i}`);
  const shown = await person.showProposal(proposal_id);
  await person.decide(shown, { decision: 'accept', via: 'review', client: name, passphrase });
  say('accepted', `${name}.${i}`);
}
