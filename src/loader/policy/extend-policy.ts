import { DEFAULT_BUDGET, DEFAULT_PARTITIONS, TACTICAL_SOURCES } from './limits.ts';
import { cortexPolicy } from './policies/cortex.ts';
import { repoPolicy } from './policies/repo.ts';
import type { Policy, WrittenPolicy } from './policy.ts';
import { HELPER } from './profile.ts';

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
  tactical: [...TACTICAL_SOURCES],
  adapters: [],
  budget: DEFAULT_BUDGET,
  partitions: DEFAULT_PARTITIONS,
};

// What is written counts; the rest comes from the policy it extends. Own intents are asked first, and one with a key
// of the extended policy takes its place; exclusions add up; all other sections replace.
export function extendPolicy({ version: _, extends: base, ...written }: WrittenPolicy): Policy {
  const below = base === undefined ? NOTHING : BUILT_IN[base];
  const { intents = [], adapters = [], profiles = [], match } = written;
  return {
    ...below,
    name: NOTHING.name,
    ...written,
    intents: [...intents, ...below.intents.filter(({ key }) => !intents.some((own) => own.key === key))],
    match: match ? { include: [], history: null, ...below.match, ...match } : match === undefined ? below.match : null,
    exclude: [...below.exclude, ...(written.exclude ?? [])],
    tactical: [...new Set(written.tactical ?? below.tactical)],
    adapters: [...adapters, ...below.adapters.filter(({ name }) => !adapters.some((own) => own.name === name))],
    budget: { ...below.budget, ...written.budget },
    partitions: { ...below.partitions, ...written.partitions },
    profiles: [...profiles, ...(profiles.some(({ name }) => name === HELPER.name) ? [] : [HELPER])],
  };
}
