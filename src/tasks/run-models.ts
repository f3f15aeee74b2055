import { programVariables } from '../files/run-program.ts';
import type { AppContext, Settings } from '../settings/app-context.ts';
import { commandModel } from './io/programs.ts';
import { providerModel } from './io/provider-model.ts';
import type { Frame, Model, ModelRequest } from './steps.ts';
import { sharedWords, wordsOf } from './text.ts';

// The models that the home names. Nothing is loaded and no key is read before one of them is asked.
export function runModels(
  settings: Settings,
  { app, project }: { app: AppContext; project: string },
): Record<string, Model> {
  const models: Record<string, Model> = Object.create(null);
  const command = settings.text('model_command');
  if (command !== '') {
    const names = settings
      .text('model_command_env')
      .split(/[\s,]+/)
      .filter(Boolean);
    const variables = programVariables(names, app.variables, project);
    models.command = commandModel({ command, cwd: project, variables });
  }
  for (const config of settings.models)
    models[config.name] = { ...providerModel(config, app.variables), limits: config.limits };
  return models;
}

const MAX_SENTENCES = 5;
const MAX_SENTENCE = 400;
const MAX_READ = 400_000;
const MAX_FILES = 5;
const SAYS = 'Extract (no model was asked):';
const SAW = 'This step saw';

// Needs nothing and invents nothing: what the step saw, and of it the sentences that share most words with the task.
export const extractModel: Model = {
  name: 'extract',
  isFree: true,
  call(request) {
    const picked = pick(request);
    const summary = picked.length > 0 ? picked.slice(0, 2).join(' ') : 'Nothing in the context fits the task.';
    const content =
      request.outputFormat.type === 'json'
        ? JSON.stringify({ model: 'extract', sentences: picked })
        : `${SAYS}\n${sawOf(request.frame)}\n${picked.length > 0 ? picked.join('\n') : 'nothing in the context fits the task.'}`;
    return { content: `${content}\n<notes>${summary.replaceAll(/<\/?notes>/g, '')}</notes>` };
  },
};

function sawOf({ inherited, accumulated, fresh, results, matches }: Frame): string {
  const parts = Object.entries({ inherited, 'from earlier steps': accumulated, 'looked up': fresh, results })
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${text.length} characters ${name}`);
  const files = matches.slice(0, MAX_FILES).map(([path]) => path);
  const more = matches.length > files.length ? `, ${matches.length - files.length} more` : '';
  const from = fresh === '' || files.length === 0 ? '' : ` (${files.join(', ')}${more})`;
  return `${SAW} ${parts.length === 0 ? 'its question alone' : `${parts.join(', ')}${from}`}.`;
}

function pick({ question, frame }: ModelRequest): string[] {
  const wanted = wordsOf(frame.taskText);
  const context = [frame.results, frame.accumulated, frame.fresh, frame.inherited].filter((part) => part !== '');
  const own = question === frame.taskText ? '' : withoutInstruction(question);
  const sentences = sentencesOf([own, ...context].join('\n'));
  const scored = sentences.map((sentence, index) => ({ sentence, index, score: sharedWords(wanted, sentence) }));
  const best = scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, MAX_SENTENCES)
    .sort((a, b) => a.index - b.index)
    .map(({ sentence }) => sentence);
  // Where no word fits, the beginning of what the task is given says more than nothing.
  return best.length > 0 ? best : sentencesOf(frame.results || withoutInstruction(question)).slice(0, MAX_SENTENCES);
}

// By custom the first line says what to do, and the lines after it are what to do it with.
function withoutInstruction(question: string): string {
  const [, ...rest] = question.split('\n').filter((line) => line.trim() !== '');
  return rest.join('\n');
}

function sentencesOf(text: string): string[] {
  const parts = text
    .slice(0, MAX_READ)
    .split(/\n+|(?<=[.!?]) +/)
    .map((part) => part.trim())
    .filter((part) => part.length > 2 && part !== SAYS && !part.startsWith(SAW) && !/^(?:#|<\/?\w)/.test(part))
    .map((part) => (part.length > MAX_SENTENCE ? `${part.slice(0, MAX_SENTENCE - 1)}…` : part));
  return [...new Set(parts)];
}
