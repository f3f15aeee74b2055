import { cortexPolicy } from './policies/cortex.ts';
import { repoPolicy } from './policies/repo.ts';
import { DEFAULT_BUDGET, DEFAULT_PARTITIONS, type MatchRule, type Policy } from './policy.ts';
import { HELPER } from './profile.ts';
import type { WrittenPolicy } from './read-policy.ts';

export const BUILT_IN: Readonly<Record<'cortex' | 'repo', Policy>> = {
  cortex: { ...cortexPolicy, profiles: [HELPER] },
  repo: { ...repoPolicy, profiles: [HELPER] },
};

const NOTHING: Policy = {
  name: 'project',
  about: '',
  control_plane: [],
  intents: [],
  match: null,
  exclude: [],
  tactical: ['notes', 'log', 'gaps'],
  adapters: [],
  budget: DEFAULT_BUDGET,
  partitions: DEFAULT_PARTITIONS,
};

// What is written counts; the rest comes from the policy it extends. Own intents are asked first, and one with a key
// of the extended policy takes its place; exclusions add up; all other sections replace.
export function extendPolicy(written: WrittenPolicy): Policy {
  const base = written.extends === null ? NOTHING : BUILT_IN[written.extends];
  const intents = written.intents ?? [];
  const adapters = written.adapters ?? [];
  const { profiles } = written;
  return {
    name: written.name ?? NOTHING.name,
    about: written.about ?? base.about,
    control_plane: written.control_plane ?? base.control_plane,
    intents: [...intents, ...base.intents.filter(({ key }) => !intents.some((own) => own.key === key))],
    match: matchOf(written.match, base.match),
    exclude: [...base.exclude, ...(written.exclude ?? [])],
    tactical: [...new Set(written.tactical ?? base.tactical)],
    adapters: [...adapters, ...base.adapters.filter(({ name }) => !adapters.some((own) => own.name === name))],
    budget: { ...base.budget, ...written.budget },
    partitions: { ...base.partitions, ...written.partitions },
    profiles: [...profiles, ...(profiles.some(({ name }) => name === HELPER.name) ? [] : [HELPER])],
  };
}

function matchOf(written: WrittenPolicy['match'], base: MatchRule | null): MatchRule | null {
  if (written === undefined) return base;
  return written === null ? null : { include: [], history: null, ...base, ...written };
}
