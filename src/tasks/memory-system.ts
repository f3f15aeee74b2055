import { causeOf } from './outside-text.ts';
import { failure, halted, type TaskFailure, unlessHalted } from './results.ts';

export interface MatchingInput {
  taskText: string;
  inheritedContext?: string;
  previousOutputs?: string;
}

export type Match = [path: string, metadata: unknown | null];

interface RelevantContext {
  /** The parent context; for `subset` what of it fits the task. */
  context: string;
  /** In no order of rank. */
  matches: Match[];
  /** Nothing of the parent fits the task: `context` is all of it. */
  missed?: true;
}

/** Matching, as seen from a task. It does not rank: which passages go in is the evaluator's choice. */
export interface MemorySystem {
  getRelevantContextFor(input: MatchingInput, options: { subset: boolean }): Promise<RelevantContext>;
}

export interface Fresh {
  text: string;
  matches: readonly Match[];
  warnings?: readonly string[];
}

/** The evaluator's choice: of what matches, the best passages, as many as fit. */
export type ChooseFresh = (
  input: MatchingInput,
  matches: readonly Match[],
  /** `present`: what the task sees already; a passage of it is not given again. */
  options: { maxChars: number; present: string },
) => Promise<Fresh>;

const OPERATIONS = {
  filter: {
    reason: 'context_matching_failure',
    about: 'The memory system could not filter the context',
    hint: 'Fix that, or inherit full or none.',
  },
  fresh: {
    reason: 'context_retrieval_failure',
    about: 'The memory system could not find fresh context',
    hint: 'Fix that, or set fresh_context to disabled.',
  },
} as const;

// Tried exactly twice, then it surfaces: a task never goes on as if nothing had happened.
export async function askMemory<T>(
  operation: keyof typeof OPERATIONS,
  ask: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (signal.aborted) throw halted();
      return await unlessHalted(signal, Promise.resolve(ask()));
    } catch (error) {
      if (signal.aborted) throw halted();
      if (attempt === 1) continue;
      const { reason, about, hint } = OPERATIONS[operation];
      throw failure(reason, `${about}, in two attempts: ${causeOf(error)}.`, hint, error);
    }
  }
}

export function wrongAnswer(): TaskFailure {
  return failure(
    'context_parsing_failure',
    'The memory system gave an answer that has not the form {context, matches: [path, metadata][]}.',
    'Fix the memory system.',
  );
}
