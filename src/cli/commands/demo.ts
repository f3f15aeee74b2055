import { invalidInput } from '../../errors.ts';
import { type Call, defineCommand, EXIT } from '../command.ts';

const LEARNT = 'Use pnpm; npm breaks the workspace links.';

export const command = defineCommand({
  help: `
    bearings demo
    bearings demo --examples

    Makes a sample home in a temporary folder and removes it at the end. Nothing of yours is touched.
    --examples copies the templates and adapters of the package into a folder examples here.

    --examples  put the examples of the guides here, to run and change

    bearings demo  on a terminal the yes is yours
    bearings demo --examples  then: bearings check examples/tasks/triage.xml
  `,
  maxWords: 0,
  async run(call) {
    if (call.flag('examples')) return putExamples(call);
    if (call.json)
      throw invalidInput('The demo is a story for a person.', 'Only the list of --examples comes as JSON.');
    const sample = await (await call.bearings.demo()).createSample();
    const variables = {
      BEARINGS_HOME: sample.home,
      BEARINGS_WORKSPACES: '',
      BEARINGS_TASTES_DIR: '',
      CHEMIGRAM_TASTES_DIR: '',
    };
    try {
      await tell(call, sample, variables);
      call.terminal.print('Next, in a repository of yours: bearings init, then bearings install');
    } finally {
      sample.remove();
    }
    return EXIT.done;
  },
});

async function putExamples({ bearings, answer }: Call): Promise<number> {
  const files = await (await bearings.demo()).copyExamples();
  const templates = files.filter((name) => name.endsWith('.xml')).sort();
  return answer({ files }, () => [...templates, '', `try one: bearings check ${templates[0]} --explain`]);
}

type Sample = Awaited<ReturnType<Awaited<ReturnType<Call['bearings']['demo']>>['createSample']>>;

// A text is told; a line that begins with $ is shown, and what is after it is run.
async function tell({ terminal, runOther }: Call, sample: Sample, variables: Record<string, string>): Promise<void> {
  const { print, paint, fold, canAsk } = terminal;
  const story = async (...parts: (string | [shown: string, ...args: string[]])[]): Promise<void> => {
    for (const part of parts) {
      if (typeof part === 'string') print(fold(part.replace(/^# .*$/gm, (line) => paint('bold', line.slice(2)))));
      else {
        const [shown, ...args] = part;
        print(paint('dim', `$ bearings ${shown}`));
        await runOther(args.length > 0 ? args : shown.split(' '), variables);
      }
      print('');
    }
  };
  await story(
    '# An agent starts every session cold. Bearings is the one call that ends that.',
    `A developer works on one library with an agent. Their tastes hold for all
work; the brief says what this library is for; the notes what was learnt.`,
    ['read billing-client --table'],
    `That is the first turn: always this order, always these limits, and every
line says where it comes from. Note the conflict: two tastes claim one line.
Bearings shows it and leaves the answer to the person.`,
    `An agent gets the text itself over MCP from the tool read_context. When it
learns something, it may propose it. That writes nothing:`,
    [
      'propose notes billing-client --content "Use pnpm; …"',
      ...['propose', 'notes', 'billing-client', '--content', LEARNT, '--reason', 'They said it twice.'],
    ],
    ['review --list'],
  );
  if (canAsk) await story('Only a person can accept it. Today that is you:', ['review billing-client']);
  else {
    await story(`Only a person can accept it, on a terminal or when their client asks. No
terminal is here, so the developer of this sample says yes:`);
    for (const { target, ledger } of await sample.personAccepts()) print(`accepted · ${target} · ledger ${ledger}\n`);
  }
  const isDecided = (await sample.openProposals()) === 0;
  const project = `${sample.folder}/project`;
  await story(
    `${isDecided ? 'It is decided, and every' : 'It still waits. Every'} block of their notes names its decision:`,
    ['why notes.md billing-client'],
    ['verify'],
    'One of their tastes is a rule. It stops an agent’s tool, with their own sentence:',
    ['check --rule "git push --force"', 'check', '--rule', 'git push --force'],
    '# The same for a project: the right files for a task, inside a budget.',
    [
      'load . --task "retry on 429 in the client"',
      ...['load', project, '--task', 'retry on 429 in the client', '--max-files', '6', '--table'],
    ],
    'Why a file is in: bearings explain PATH. The same project gives the same bytes.',
    ['match "idempotency key" --top 2', 'match', 'idempotency key', project, '--top', '2'],
    '# And tasks of several steps: what flows from one to the next is said.',
    [
      'run release-note.xml --context docs/retries.md',
      ...['run', `${project}/release-note.xml`, '--context', `${project}/docs/retries.md`],
    ],
    `Its third step waits for the person, and the run ends there. It goes on with their
answer, a decision of the ledger like any other; nothing is asked of a model again.`,
  );
  if (!canAsk) await personAnswers(sample);
  await story([canAsk ? 'runs answer last' : 'runs resume last'], ['runs show last']);
}

// Where nobody sits at the keyboard, the developer of the sample says yes.
async function personAnswers({ home }: Sample): Promise<void> {
  const { openRooms } = await import('../../bearings.ts');
  const inside = openRooms({ home, cwd: home });
  const runs = await inside.runs();
  for (const { run } of await runs.waitingRuns()) await runs.answerRun(run, { answer: 'accept', via: 'demo' });
}
