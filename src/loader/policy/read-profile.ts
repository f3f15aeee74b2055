import { MEMORY_PARTS } from '../../memory/fit-context.ts';
import {
  type LocatedNode,
  list,
  oneOf,
  readMap,
  refuse,
  type TreeProblem,
  wholeNumber,
} from '../../settings/tree-reader.ts';
import { PROFILE_SLICES, type Profile } from './policy.ts';
import { HELPER } from './profile.ts';
import { plainName } from './read-adapter.ts';
import { budget, MAX_WRITTEN, sentence } from './read-budget.ts';

// Below this not even the empty shape of a context fits.
const LEAST_TOKENS = 200;

export function profile(node: LocatedNode, problems: TreeProblem[]): Profile | undefined {
  const before = problems.length;
  const found = readMap(
    node,
    {
      name: plainName,
      about: sentence,
      slices: list(oneOf(PROFILE_SLICES), { min: 1, max: PROFILE_SLICES.length }),
      adapters: list(plainName, { max: 20 }),
      budget,
      memory: (child, inner) =>
        readMap(
          child,
          {
            parts: list(oneOf(MEMORY_PARTS), { min: 1, max: MEMORY_PARTS.length }),
            max_tokens: wholeNumber(LEAST_TOKENS, MAX_WRITTEN),
          },
          inner,
        ),
    },
    problems,
  );
  if (!found || problems.length > before) return undefined;
  if (found.name === undefined) return refuse(node, 'needs a name', problems);
  return {
    name: found.name,
    about: found.about ?? '',
    slices: found.slices ?? HELPER.slices,
    adapters: found.adapters ?? [],
    budget: found.budget ?? {},
    memory: {
      parts: found.memory?.parts ?? [...MEMORY_PARTS],
      max_tokens: found.memory?.max_tokens ?? HELPER.memory.max_tokens,
    },
  };
}
