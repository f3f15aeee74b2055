import { readFileSync } from 'node:fs';
import { atomicWrite } from './atomic-write.ts';

/** Answers to questions about one state of some files. Derived: lost, they are worked out again. */
export interface KeptAnswers<T> {
  known(question: string): T | undefined;
  learn(question: string, answer: T): void;
}

const MOST_ANSWERS = 16;

// The same task is asked again and again: by hooks, by drift, in every job of a pipeline. Another state of the files
// starts anew.
export function keptAnswers<T>(path: string, state: string): KeptAnswers<T> {
  const answers = readAnswers<T>(path, state);
  return {
    known: (question) => answers.find(([asked]) => asked === question)?.[1],
    learn(question, answer) {
      try {
        atomicWrite(
          path,
          JSON.stringify({ state, answers: [...answers, [question, answer]].slice(-MOST_ANSWERS) }),
          0o600,
        );
      } catch {
        // No place to keep it: the next call works it out.
      }
    },
  };
}

function readAnswers<T>(path: string, state: string): [string, T][] {
  try {
    const kept = JSON.parse(readFileSync(path, 'utf8'));
    return kept.state === state && Array.isArray(kept.answers) ? kept.answers : [];
  } catch {
    return [];
  }
}
