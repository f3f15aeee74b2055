import { z } from 'zod';
import { invalidInput } from '../../errors.ts';
import { answer, defineTool } from '../tool.ts';

const text = z.string();
const MAX_CONTENT = 20_000;

// Off until the person sets run_task: on. What it starts keeps to the project, and writes nothing that lasts.
export const runTaskTool = defineTool({
  name: 'run_task',
  title: 'Run a task template',
  description:
    'Runs a task template of the project and returns its result. Models are those the person has configured. With propose_notes the result becomes a pending proposal that the person decides on.',
  input: z.object({
    template: text.describe('Its file in the project'),
    inputs: z.record(text, text).optional().describe('Values for its inputs'),
    lists: z.record(text, text).optional().describe('JSONL file, or pattern of files in the project'),
    image_id: text.optional().describe('Default: the current workspace'),
    propose_notes: z.boolean().optional(),
    use_memory: z.boolean().optional().describe('Start from its memory'),
    load: text.optional().describe('Start from load_context for this task'),
  }),
  output: z.object({
    run: text,
    status: text,
    content: text,
    truncated: z.boolean(),
    kept: z.number(),
    error: text.nullable(),
    proposal_id: text.nullable(),
  }),
  readOnly: false,
  readsProject: true,
  async run({ input, bearings, target, context, tellProgress }) {
    const { template, inputs = {}, lists = {}, image_id, propose_notes, use_memory, load } = input;
    const runs = await bearings.runs();
    const { task, problems } = await runs.checkTask(template, { project: target.root ?? '.' });
    const [first] = problems.filter(({ severity }) => severity === 'error');
    if (task === null)
      throw invalidInput(`The template can't be used: line ${first?.line}: ${first?.message}`, first?.hint);
    let ended = 0;
    const tell = (): void => {
      ended += 1;
      tellProgress(ended === 1 ? '1 step done' : `${ended} steps done`);
    };
    const { run, state, result, proposal } = await runs.startRun(
      task,
      {
        file: template,
        project: target.root ?? '.',
        input: Object.entries(inputs).map(([name, value]) => `${name}=${value}`),
        root: { ...(use_memory ? { memory: image_id ?? 'here' } : {}), ...(load === undefined ? {} : { load }) },
        inputs: Object.entries(lists).map(([name, list]) => `${name}=${list}`),
        ...(propose_notes
          ? { propose: { kind: 'notes', workspace: image_id ?? null, category: null, file: null } }
          : {}),
      },
      { signal: context.mcpReq.signal, onEvent: ({ event }) => (event === 'ended' ? tell() : undefined) },
    );
    const points = [...result.content];
    return answer({
      run,
      status: state === 'awaiting_person' ? state : result.status,
      content: points.slice(0, MAX_CONTENT).join(''),
      truncated: points.length > MAX_CONTENT,
      kept: result.notes.partialResults?.length ?? 0,
      error: result.notes.error?.message ?? (proposal?.status === 'refused' ? proposal.message : null),
      proposal_id: proposal?.status === 'pending' ? proposal.proposal_id : null,
    });
  },
});
