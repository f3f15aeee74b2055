import { closest } from '../../closest.ts';
import { invalidInput } from '../../errors.ts';
import type { LoadArguments } from '../bundle/bundle.ts';
import { isSkimmed } from '../bundle/skim.ts';
import type { Policy, Profile } from './policy.ts';

// Every policy has it: a helper that does one thing gets about 3,000 tokens, of the project and of memory together.
export const HELPER: Profile = {
  name: 'helper',
  about: 'An agent that does one thing for another: rules and the best passages, and what the person keeps.',
  slices: ['control_plane', 'task'],
  adapters: [],
  budget: { max_files: 6, max_chars_per_file: 3_000, max_total_chars: 4_000, max_tokens: 1_500 },
  memory: { parts: ['tastes', 'brief', 'notes'], max_tokens: 1_000 },
};

const RULES_SHARE = 3 / 8;

export function profileNamed({ name: policy, profiles = [] }: Policy, name: string): Profile {
  const found = profiles.find((profile) => profile.name === name);
  if (found) return found;
  const known = profiles.map((profile) => profile.name);
  const near = closest(name, known);
  throw invalidInput(
    `The policy ${policy} has no profile "${[...name].slice(0, 60).join('')}".`,
    near === null ? `Profiles: ${known.join(', ')}` : `Did you mean: ${near}`,
  );
}

/** The policy as a profile narrows it. */
export function applyProfile({ profiles: _, ...policy }: Policy, profile: Profile | null): Policy {
  if (profile === null) return policy;
  const isOn = (slice: Profile['slices'][number]): boolean => profile.slices.includes(slice);
  // A helper is there for its task: rules to three eighths, and nothing that is written for all readers.
  const { of, control_plane } = policy.partitions;
  const chars = Math.min(control_plane.chars, Math.floor(of.chars * RULES_SHARE));
  const share = isOn('control_plane') ? { files: control_plane.files, chars } : { files: 0, chars: 0 };
  const rules = policy.control_plane.filter((entry) => !('first' in entry && entry.first.some(isSkimmed)));
  return {
    ...policy,
    control_plane: isOn('control_plane') ? rules : [],
    partitions: { ...policy.partitions, control_plane: share },
    intents: isOn('task') ? policy.intents : policy.intents.map((intent) => ({ ...intent, include: [] })),
    match: isOn('task') ? policy.match : null,
    budget: { ...policy.budget, ...profile.budget },
  };
}

/** What a caller asked for, and what the profile adds. */
export function withProfile(given: LoadArguments, profile: Profile | null): LoadArguments {
  if (profile === null) return given;
  return {
    ...given,
    tactical: given.tactical || profile.slices.includes('tactical'),
    adapters: [...new Set([...given.adapters, ...profile.adapters])],
  };
}
