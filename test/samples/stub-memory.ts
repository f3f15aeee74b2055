import type { MatchingInput, MemorySystem } from '../../src/tasks/memory-system.ts';

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
      note('filter', input);
      return { context: subset ? `FILTERED(${input.inheritedContext})` : (input.inheritedContext ?? ''), matches: [] };
    },
    async freshContext(input) {
      note('fresh', input);
      return { text: 'FRESH', matches: [['a.md', null]] };
    },
  };
  return { memory, asked };
}
