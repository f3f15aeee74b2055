import { failure, halted, type TaskFailure } from './results.ts';
import { type Stop, unlessStopped } from './stop.ts';

export interface MatchingInput {
  taskText: string;
  inheritedContext?: string;
  previousOutputs?: string;
}

export type Match = [path: string, metadata: unknown | null];

/** Matching, as seen from a task. It does not rank; `freshContext` is the evaluator's choice of passages. */
export interface MemorySystem {
  getRelevantContextFor(
    input: MatchingInput,
    options: { subset: boolean },
  ): Promise<{ context: string; matches: Match[] }>;
  freshContext(input: MatchingInput, maxChars: number): Promise<{ text: string; matches: Match[] }>;
}

const OPERATIONS = {
  filter: { reason: 'context_matching_failure', about: 'The memory system could not filter the context' },
  fresh: { reason: 'context_retrieval_failure', about: 'The memory system could not find fresh context' },
} as const;

// Tried exactly twice, then it surfaces: a task never goes on as if nothing had happened.
export async function askMemory<T>(operation: keyof typeof OPERATIONS, ask: () => Promise<T>, stop: Stop): Promise<T> {
  try {
    return await attempt(ask, stop);
  } catch {
    if (stop.stopped) throw halted();
  }
  try {
    return await attempt(ask, stop);
  } catch (error) {
    if (stop.stopped) throw halted();
    const { reason, about } = OPERATIONS[operation];
    throw failure(reason, `${about}, in two attempts.`, 'Run it again, or set fresh_context to disabled.', error);
  }
}

async function attempt<T>(ask: () => Promise<T>, stop: Stop): Promise<T> {
  if (stop.stopped) throw halted();
  return unlessStopped(stop, Promise.resolve(ask()), halted);
}

export function wrongAnswer(): TaskFailure {
  return failure(
    'context_parsing_failure',
    'The memory system gave an answer that is no text.',
    'Mend the memory system.',
  );
}
