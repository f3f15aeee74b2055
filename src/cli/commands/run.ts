import { invalidInput } from '../../errors.ts';
import type { TaskResult } from '../../tasks/results.ts';
import type { RunEvent, StepRecord } from '../../tasks/run-parts.ts';
import type { Task } from '../../tasks/template.ts';
import { counted } from '../columns.ts';
import type { Call, Command } from '../command.ts';
import { EXIT } from '../command.ts';
import { forReader } from '../for-reader.ts';
import { problemLines, verdict } from '../problem-view.ts';
import { createRunView, failureLines } from '../run-view.ts';

// Of each task of the template; a task of a reduce runs once per input.
const MAX_RECORDS = 100;
const MAX_PRINTED = 50;
const REDRAW_MS = 100;

export const command: Command = {
  summary: 'run a task template',
  usage: ['bearings run FILE [--input K=V]… [--inputs K=FILE.jsonl|GLOB]… [--model NAME]'],
  details: [
    'The result goes to standard output, progress to the terminal or the error stream.',
    'Models: extract (offline, takes sentences from the context) and command, the program that',
    "model_command names in the home's config.yaml. Ctrl-C ends cleanly and prints what is done.",
  ],
  options: {
    input: { type: 'string', value: 'K=V', multiple: true, about: 'a value for an input' },
    inputs: {
      type: 'string',
      value: 'K=LIST',
      multiple: true,
      about: 'a list: a JSONL file, or a pattern of files here',
    },
    model: { type: 'string', value: 'NAME', about: 'model of tasks that name none (default: extract)' },
    context: { type: 'string', value: 'FILE', about: 'text that the task starts from' },
    events: { type: 'boolean', about: 'print every event as a line of JSON' },
  },
  maxWords: 1,
  examples: [
    { line: 'bearings run task.xml --input topic=reefs', about: 'with a value' },
    { line: "bearings run sum.xml --inputs docs='docs/*.md'", about: 'a reduce over files' },
  ],
  async run(call) {
    const { words, flag, text, list, bearings, terminal, json } = call;
    const [file] = words;
    if (!file) throw invalidInput('run needs the file of a template.', 'For example: bearings run task.xml');
    const { task, problems } = await bearings.checkTask(file);
    if (task === null) {
      const result = invalidTemplate(file, problems);
      if (flag('events')) terminal.print(JSON.stringify({ event: 'result', result }));
      else if (json) terminal.print(JSON.stringify({ result, steps: [] }, null, 2));
      else for (const line of [...problemLines(problems, terminal.paint), verdict(problems)]) terminal.warn(line);
      return EXIT.checkFailed;
    }
    const records: StepRecord[] = [];
    const recorded = new Map<string, number>();
    const model = text('model') ?? 'extract';
    const progress = startProgress(task, model, call);
    const { signal, release } = stopOnSignals(terminal.warn);
    const result = await bearings
      .runTaskFile(task, {
        input: list('input'),
        inputs: list('inputs'),
        model,
        signal,
        ...(text('context') === undefined ? {} : { contextFile: text('context') as string }),
        ...(progress.onEvent ? { onEvent: progress.onEvent } : {}),
        isRecorded: (id) => (recorded.get(id) ?? 0) < MAX_RECORDS,
        onRecord: (record) => {
          records.push(record);
          recorded.set(record.id, (recorded.get(record.id) ?? 0) + 1);
          progress.onRecord(record);
        },
      })
      .finally(() => {
        release();
        progress.end();
      });
    if (flag('events')) terminal.print(JSON.stringify({ event: 'result', result }));
    else if (json) terminal.print(JSON.stringify({ result, steps: records }, null, 2));
    else printResult(result, call);
    return result.status === 'COMPLETE' ? EXIT.done : EXIT.checkFailed;
  },
};

function invalidTemplate(file: string, problems: readonly unknown[]): TaskResult {
  const message = `The template ${file} can't be used.`;
  return {
    status: 'FAILED',
    content: '',
    notes: {
      summary: message,
      error: { type: 'TASK_FAILURE', reason: 'xml_validation_failure', message, details: { problems } },
    },
  };
}

interface Progress {
  onEvent: ((event: RunEvent) => void) | null;
  onRecord(record: StepRecord): void;
  end(): void;
}

function startProgress(task: Task, model: string, { flag, terminal, json }: Call): Progress {
  const silent: Progress = { onEvent: null, onRecord() {}, end() {} };
  if (flag('events')) return { ...silent, onEvent: (event) => terminal.print(JSON.stringify(event)) };
  if (json) return silent;
  const view = createRunView(task, { columns: terminal.columns, model, paint: terminal.paint });
  const see = (event: RunEvent): void => view.onEvent(event, Date.now());
  if (!terminal.interactive) {
    const onEvent = (event: RunEvent): void => {
      see(event);
      const line = view.logLine(event);
      if (line !== null) terminal.warn(line);
    };
    return { onEvent, onRecord: view.onRecord, end() {} };
  }
  let drawn = 0;
  const draw = (): void => {
    const lines = view.lines(Date.now());
    terminal.print(`${drawn > 0 ? `\u001b[${drawn}A\u001b[J` : ''}${lines.join('\n')}`);
    drawn = lines.length;
  };
  const clock = setInterval(draw, REDRAW_MS);
  return {
    onEvent: see,
    onRecord: view.onRecord,
    end() {
      clearInterval(clock);
      draw();
    },
  };
}

// Once: end cleanly, with what is done. Twice: at once.
function stopOnSignals(warn: (text: string) => void): { signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(130);
    warn('stopping; once more to end at once');
    controller.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    signal: controller.signal,
    release() {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}

function printResult(result: TaskResult, { terminal }: Call): void {
  for (const warning of result.notes.warnings ?? []) terminal.warn(`warning: ${warning}`);
  if (result.status === 'COMPLETE') {
    terminal.print(forReader(result.content, terminal));
    return;
  }
  const kept = result.notes.partialResults ?? [];
  for (const { stepIndex, key, output } of kept.slice(0, MAX_PRINTED)) {
    const title = stepIndex === undefined ? `Result of ${key ?? ''}` : `Step ${stepIndex + 1}`;
    terminal.print(forReader(`${title}\n${output}\n`, terminal));
  }
  if (kept.length > MAX_PRINTED) terminal.print(`… ${counted(kept.length - MAX_PRINTED, 'more result')}: use --json`);
  for (const line of failureLines(result, terminal.paint)) terminal.warn(line);
}
