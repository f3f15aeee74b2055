import { invalidInput } from '../../errors.ts';
import { type Call, defineCommand, EXIT } from '../command.ts';

const PROMPT = 'demo> ';
const LEARNT = 'The white balance runs cool on this set; start from 5,400 K.';

export const command = defineCommand({
  help: `
    bearings demo
    bearings demo --examples

    Makes a sample home in a temporary folder and removes it at the end. Nothing of yours is touched.
    --examples copies the templates and adapters of the package into a folder examples here.

    --examples  put the examples of the guides here, to run and change

    bearings demo  on a terminal it stays open to try things
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
      if (call.terminal.canAsk) await play(call, variables);
      else farewell(call);
    } finally {
      sample.remove();
    }
    return EXIT.done;
  },
});

async function putExamples({ bearings, terminal, json }: Call): Promise<number> {
  const files = await (await bearings.demo()).copyExamples();
  const templates = files.filter((name) => name.endsWith('.xml')).sort();
  if (json) terminal.print(JSON.stringify({ files }, null, 2));
  else terminal.print([...templates, '', `try one: bearings check ${templates[0]} --explain`].join('\n'));
  return EXIT.done;
}

async function tell({ terminal, runOther }: Call, sample: Sample, variables: Record<string, string>): Promise<void> {
  const { print, paint } = terminal;
  print(paint('bold', 'An agent starts every session cold. Bearings is the one call that ends that.'));
  print('');
  print('A photographer works on one picture with an agent. Her tastes hold for all');
  print('work; the brief says what this picture is for; the notes what was learnt.');
  print('');
  print(paint('dim', '$ bearings read manta_001'));
  await runOther(['read', 'manta_001'], variables);
  print('');
  print('That is the first turn: always this order, always these limits, and every');
  print('line says where it comes from. Note the conflict: two genres claim one line.');
  print('Bearings shows it and leaves the answer to the person.');
  print('');
  print('An agent gets the same over MCP from the tool read_context. When it learns');
  print('something, it may propose it. That writes nothing:');
  print('');
  print(paint('dim', `$ bearings propose notes manta_001 --content "The white balance …"`));
  await runOther(['propose', 'notes', 'manta_001', '--content', LEARNT, '--reason', 'She warmed it twice.'], variables);
  print('');
  print(paint('dim', '$ bearings review --list'));
  await runOther(['proposals'], variables);
  print('');
  if (terminal.canAsk) {
    print('Only a person can accept it. Today that is you:');
    print('');
    print(paint('dim', '$ bearings review manta_001'));
    await runOther(['review', 'manta_001'], variables);
  } else {
    print('Only a person can accept it, on a terminal or when her client asks her. No');
    print('terminal is here, so the photographer of this sample says yes herself:');
    print('');
    for (const { target, ledger } of await sample.personAccepts()) print(`accepted · ${target} · ledger ${ledger}`);
  }
  print('');
  const stands = (await sample.openProposals()) === 0;
  print(
    stands
      ? 'It is decided, and every block of her notes names the decision behind it:'
      : 'It still waits. Every block of her notes names the decision behind it:',
  );
  print('');
  print(paint('dim', '$ bearings why notes.md manta_001'));
  await runOther(['blame', 'notes.md', 'manta_001'], variables);
  print('');
  print(paint('dim', '$ bearings verify'));
  await runOther(['verify'], variables);
  await tellOfProjects({ terminal, runOther }, sample, variables);
}

type Sample = Awaited<ReturnType<Awaited<ReturnType<Call['bearings']['demo']>>['createSample']>>;

// Where nobody sits at the keyboard, the photographer of the sample says yes herself.
async function personAnswers({ home }: Sample): Promise<void> {
  const { openRooms } = await import('../../bearings.ts');
  const inside = openRooms({ home, cwd: home });
  const runs = await inside.runs();
  for (const { run } of await runs.waitingRuns()) await runs.answerRun(run, { answer: 'accept', via: 'demo' });
}

// The other two parts: what an agent sees of a project, and tasks of several steps.
async function tellOfProjects(
  { terminal, runOther }: Pick<Call, 'terminal' | 'runOther'>,
  sample: Sample,
  variables: Record<string, string>,
): Promise<void> {
  const { print, paint } = terminal;
  const project = `${sample.folder}/project`;
  print('');
  print(paint('bold', 'The same for a project: the right files for a task, inside a budget.'));
  print('');
  print(paint('dim', '$ bearings load site --task "check the palette"'));
  await runOther(['load', project, '--task', 'check the palette', '--max-files', '6', '--table'], variables);
  print('');
  print('Why a file is in: bearings explain PATH. The same project gives the same bytes.');
  print('');
  print(paint('dim', '$ bearings match "contrast of text" site --top 3'));
  await runOther(['match', 'contrast of text', project, '--top', '3'], variables);
  print('');
  print(paint('bold', 'And tasks of several steps: what flows from one to the next is said.'));
  print('');
  print(paint('dim', '$ bearings run digest.xml --context colour.md'));
  await runOther(['run', `${project}/digest.xml`, '--context', `${project}/docs/colour.md`], variables);
  print('');
  print('Its third step waits for the person, and the run ends there. It goes on with her');
  print('answer, a decision of the ledger like any other; nothing is asked of a model again.');
  print('');
  if (terminal.canAsk) {
    print(paint('dim', '$ bearings runs answer last'));
    await runOther(['runs', 'answer', 'last'], variables);
  } else {
    await personAnswers(sample);
    print(paint('dim', '$ bearings runs resume last'));
    await runOther(['runs', 'resume', 'last'], variables);
  }
  print('');
  print(paint('dim', '$ bearings runs show last'));
  await runOther(['runs', 'show', 'last'], variables);
}

async function play({ terminal, runOther }: Call, variables: Record<string, string>): Promise<void> {
  terminal.print('');
  terminal.print('The sample is yours to try out. Try: read · notes manta_001 · review');
  terminal.print('tastes · edit brief manta_001 · config · verify. Leave with: exit');
  for (;;) {
    const line = await terminal.ask(PROMPT);
    const words = (line ?? 'exit')
      .trim()
      .split(/\s+/)
      .filter((word) => word !== '');
    if (words[0] === 'bearings') words.shift();
    const [name] = words;
    if (name === 'exit' || name === 'quit') return;
    if (name === undefined) continue;
    if (name === 'demo' || name === 'mcp' || name === 'ui') terminal.print(`${name} runs outside of the demo only.`);
    else await runOther(name === 'read' && words.length === 1 ? ['read', 'manta_001'] : words, variables);
  }
}

function farewell({ terminal }: Call): void {
  terminal.print('');
  terminal.print('Next, in a repository of yours:');
  terminal.print('  bearings init            make a workspace and say what it is about');
  terminal.print('  bearings read            see what an agent gets');
  terminal.print('  bearings mcp             serve it to an agent');
  terminal.print('  bearings review          decide on what it proposes; in the browser: bearings ui');
  terminal.print('  bearings install NAME    set up Claude Code, Cursor, VS Code and others');
  terminal.print('  bearings load            see what an agent gets of a project for a task');
  terminal.print('On a terminal this demo stays open to try things: bearings demo');
}
