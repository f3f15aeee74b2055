import type { ChooseFresh, MatchingInput, MemorySystem } from '../../../src/tasks/steps.ts';

export interface Asked {
  operation: 'filter' | 'fresh';
  input: MatchingInput;
}

// Answers with what it was asked for, so that a prompt shows which operation fed it.
export function stubMemory(fails: (operation: Asked['operation'], count: number) => boolean = () => false) {
  const asked: Asked[] = [];
  const note = (operation: Asked['operation'], input: MatchingInput): void => {
    asked.push({ operation, input });
    if (fails(operation, asked.length)) throw new Error('disk /secret/path is gone');
  };
  const memory: MemorySystem = {
    async getRelevantContextFor(input, { subset }) {
      note(subset ? 'filter' : 'fresh', input);
      const context = subset ? `FILTERED(${input.inheritedContext})` : (input.inheritedContext ?? '');
      return { context, matches: [['a.md', null]] };
    },
  };
  const chooseFresh: ChooseFresh = async (_, matches) => ({ text: 'FRESH', matches });
  return { memory, chooseFresh, asked };
}
