import { realPath } from '../files/path-scope.ts';
import { type TrustQuestion, trustQuestion, trustStore } from '../loader/adapter-trust.ts';
import type { AppContext } from '../settings/app-context.ts';
import { failure } from './results.ts';
import { childrenOf, type Task } from './template/template.ts';

export interface ScriptQuestion extends TrustQuestion {
  shownProject: string;
  allowed: boolean;
}

// A script of a template is asked about like an adapter: the command line, and what of the project it names.
function questionFor(command: readonly string[], project: string): TrustQuestion {
  const name = `script ${command.join(' ')}`.slice(0, 120);
  const limits = { stale_after_hours: 1, timeout_ms: 1, max_bytes: 1 };
  return trustQuestion({ name, kind: 'command', command: [...command], ...limits }, realPath(project) ?? project);
}

/** Every program that a template may start, each once, and whether the person allowed it here. */
export function scriptQuestions(app: AppContext, task: Task, project: string): ScriptQuestion[] {
  const trust = trustStore(app);
  const found = new Map<string, ScriptQuestion>();
  const visit = (at: Task): void => {
    if (at.type === 'script') {
      const question = questionFor(at.command, project);
      const shownProject = app.forPerson(question.project);
      found.set(question.sha256, { ...question, shownProject, allowed: trust.isAllowed(question) });
    }
    childrenOf(at).forEach(visit);
  };
  visit(task);
  return [...found.values()];
}

// Asked again right before it starts: a file that it runs may have changed meanwhile.
export function assertAllowed(app: AppContext, command: readonly string[], project: string): void {
  if (trustStore(app).isAllowed(questionFor(command, project))) return;
  throw failure(
    'input_validation_failure',
    `The program "${command.join(' ').slice(0, 80)}" is not allowed to run here.`,
    'Start the run in a terminal: it shows the program and asks.',
  );
}
