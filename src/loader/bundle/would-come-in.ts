import { DEFAULT_KEY } from '../policy/limits.ts';
import type { Intent } from '../policy/policy.ts';
import type { BuiltBundle, LoadArguments } from './bundle.ts';
import { type ExplainInput, type Explanation, isCalled, patternFor } from './explain.ts';
import type { DropReason } from './fill.ts';

/** The same bundle, with this changed in what was asked for. */
export type BuildAgain = (changed: Partial<LoadArguments>) => Promise<BuiltBundle>;

interface Try {
  changed: Partial<LoadArguments>;
  words: string;
}

const LIMIT_OF: Partial<Record<DropReason, 'max_files' | 'max_total_chars' | 'max_tokens'>> = {
  budget_files: 'max_files',
  budget_chars: 'max_total_chars',
  budget_tokens: 'max_tokens',
};
const RAISED_BY = [2, 4, 8];

// What would bring the file in. Each is tried before it is said: words, ranks and budgets are too many to foresee it.
export async function wouldComeIn(
  { path, verdict, dropped }: Explanation,
  input: ExplainInput,
  again: BuildAgain,
): Promise<string[]> {
  const holds = async ({ changed }: Try) => (await again(changed)).bundle.files.some((file) => isCalled(file, path));
  const firstOf = async (tries: readonly Try[]): Promise<string[]> => {
    for (const each of tries) if (await holds(each)) return [`it would come in ${each.words}`];
    return [];
  };
  if (verdict === 'dropped') return dropped ? firstOf(withMoreRoom(dropped.reason, input)) : [];
  if (verdict !== 'out' || !input.exists(path) || path.startsWith('/') || path.split('/').includes('..')) return [];
  return [...(await firstOf(otherTasks(path, input))), ...(await firstOf(namingIt(path, input)))];
}

function withMoreRoom(reason: DropReason, { bundle: { budget } }: ExplainInput): Try[] {
  const name = LIMIT_OF[reason];
  const limit = name && budget[name];
  if (!name || !limit) return [];
  return RAISED_BY.map((times) => ({
    changed: { [name]: limit * times },
    words: `with --${name.replaceAll('_', '-')} ${limit * times}`,
  }));
}

// Patterns choose where there is no task, or where the policy does not match words.
function otherTasks(path: string, { bundle, policy, source, hit }: ExplainInput): Try[] {
  const names = (intent: Intent) => intent.key !== hit.intent.key && patternFor(path, intent, source) !== undefined;
  const without = { changed: { task: '' }, words: 'without a task' };
  const others = policy.match === null || bundle.task === '' ? policy.intents.filter(names) : [];
  return [
    ...(bundle.task === '' ? [] : [without]),
    ...others.flatMap(({ key, words: [word] }) =>
      key === DEFAULT_KEY || word === undefined
        ? []
        : [{ changed: { task: word }, words: `with the task "${word}" (task key ${key})` }],
    ),
  ];
}

function namingIt(path: string, { bundle: { task }, policy }: ExplainInput): Try[] {
  const named = `${task} ${path}`.trim();
  return policy.match === null ? [] : [{ changed: { task: named }, words: `if the task named it, as in "${named}"` }];
}
