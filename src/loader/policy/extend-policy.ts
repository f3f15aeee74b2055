import { closest } from '../../closest.ts';
import { invalidInput } from '../../errors.ts';
import { isSkimmed } from '../bundle/skim.ts';
import { DEFAULT_BUDGET, DEFAULT_KEY, DEFAULT_PARTITIONS, TACTICAL_SOURCES } from './limits.ts';
import { cortexPolicy } from './policies/cortex.ts';
import { repoPolicy } from './policies/repo.ts';
import type { Intent, Policy, Profile, WrittenPolicy } from './policy.ts';

// Every policy has it: a helper that does one thing gets about 3,000 tokens, of the project and of memory together.
export const HELPER: Profile = {
  name: 'helper',
  about: 'An agent that does one thing for another: rules and the best passages, and what the person keeps.',
  slices: ['control_plane', 'task'],
  adapters: [],
  budget: { max_files: 6, max_chars_per_file: 3_000, max_total_chars: 4_000, max_tokens: 1_500 },
  memory: { parts: ['tastes', 'brief', 'notes'], max_tokens: 1_000 },
};

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
export function withProfile<T extends { tactical: boolean; adapters: string[] }>(given: T, profile: Profile | null): T {
  if (profile === null) return given;
  return {
    ...given,
    tactical: given.tactical || profile.slices.includes('tactical'),
    adapters: [...new Set([...given.adapters, ...profile.adapters])],
  };
}

export interface IntentHit {
  intent: Intent;
  /** The policy's word that was found; null for the default intent. */
  word: string | null;
}

interface Word {
  text: string;
  /** Only a blank, hyphen or underscore is between this word and the one before. */
  joined: boolean;
}

// The first intent, in the policy's order, that has one of its words in the task. Text is cut into words once, so no
// task can make this slow, and "ui" is never found inside "build".
export function findIntent(task: string, intents: readonly Intent[]): IntentHit {
  const words = wordsOf(task);
  for (const intent of intents) {
    const word = intent.words.find((candidate) => holds(words, candidate));
    if (word !== undefined) return { intent, word };
  }
  const otherwise = intents.find(({ key }) => key === DEFAULT_KEY);
  return { intent: otherwise ?? { key: DEFAULT_KEY, about: '', words: [], include: [] }, word: null };
}

function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  let end = 0;
  // Most tasks are plain ASCII, and the full classes take milliseconds to build.
  const word = isAscii(text) ? /[a-z0-9]+/gi : /[\p{L}\p{M}\p{N}]+/gu;
  for (const match of text.matchAll(word)) {
    words.push({ text: match[0].toLowerCase(), joined: /^(?:\s+|[-_])$/.test(text.slice(end, match.index)) });
    end = match.index + match[0].length;
  }
  return words;
}

// Most words of a policy are just that.
const ONE_WORD = /^[a-z0-9]+$/;

function holds(words: readonly Word[], wanted: string): boolean {
  const parts = ONE_WORD.test(wanted) ? [wanted] : wordsOf(wanted).map(({ text }) => text);
  const last = parts.pop();
  if (last === undefined) return false;
  const plural = pluralOf(last);
  return words.some(({ text }, at) => {
    if (text !== last && text !== plural) return false;
    return parts.every((part, index) => {
      const place = at - parts.length + index;
      return words[place]?.text === part && words[place + 1]?.joined === true;
    });
  });
}

const HISSING = ['s', 'x', 'z', 'ch', 'sh'];

function pluralOf(word: string): string {
  const before = word.at(-2);
  if (word.endsWith('y') && before !== undefined && !'aeiou'.includes(before)) return `${word.slice(0, -1)}ies`;
  return HISSING.some((end) => word.endsWith(end)) ? `${word}es` : `${word}s`;
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}
