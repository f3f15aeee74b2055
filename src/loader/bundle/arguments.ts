import { sortedByCodePoint } from '../../code-points.ts';
import { invalidInput } from '../../errors.ts';
import { isRecord } from '../../json.ts';
import { cutTask } from '../../matching/query.ts';
import { whyNotPath } from '../../safety/hidden-characters.ts';
import { assertLimit, eachLimit, FALLBACKS, LIMIT_NAMES } from '../policy/limits.ts';
import type { AdapterArguments, LoadArguments } from './bundle.ts';
import { formatTime, parseTime } from './time.ts';

/** What a caller may say; everything has a default. */
export type LoadOptions = {
  [K in keyof LoadArguments]?: (K extends 'adapters' ? readonly string[] : LoadArguments[K]) | null | undefined;
};

const MAX_ITEMS = 100;
const MAX_STALE_SECONDS = 1_000_000_000;

// One form for every way to say the same, refused where it makes no sense.
export function normaliseArguments(options: LoadOptions): LoadArguments {
  const task = cutTask((options.task ?? '').trim());
  for (const name of LIMIT_NAMES)
    if (options[name] !== undefined && options[name] !== null) assertLimit(name, options[name]);
  const fallback = options.fallback ?? 'none';
  if (!FALLBACKS.includes(fallback))
    throw invalidInput('fallback must be none, relaxed or unrestricted.', 'For example: --fallback relaxed');
  const now = options.now ?? null;
  const moment = now === null ? null : parseTime(now);
  if (now !== null && moment === null)
    throw invalidInput('now must be a time such as 2026-11-15T10:00:00Z.', 'Leave it out to measure no ages.');
  return {
    task,
    policy: options.policy ?? null,
    ...eachLimit((name) => options[name] ?? null),
    fallback,
    tactical: options.tactical ?? options.workspace != null,
    workspace: options.workspace ?? null,
    adapters: sortedByCodePoint(new Set(options.adapters ?? [])),
    ...adapterArguments(options),
    redact: options.redact !== false,
    now: moment === null ? null : formatTime(moment),
    ...(options.for == null ? {} : { for: options.for }),
  };
}

// Only where they are said: a bundle that was saved before they were known is still the same.
function adapterArguments(options: LoadOptions): AdapterArguments {
  const { adapter_file: file, adapter_max_items: items, adapter_stale_seconds: seconds } = options;
  const whyNot = file == null ? null : whyNotPath(file);
  if (whyNot) throw invalidInput(`adapter_file ${whyNot}.`, 'Name a JSON file inside the project.');
  if (items != null && !isWhole(items, 1, MAX_ITEMS))
    throw invalidInput(`adapter_max_items must be a whole number from 1 to ${MAX_ITEMS}.`, 'Leave it out for 4.');
  if (seconds != null && !isWhole(seconds, 0, MAX_STALE_SECONDS))
    throw invalidInput('adapter_stale_seconds must be a whole number from 0.', 'For example: 86400');
  return {
    ...(file == null ? {} : { adapter_file: file }),
    ...(items == null ? {} : { adapter_max_items: items }),
    ...(seconds == null ? {} : { adapter_stale_seconds: seconds }),
  };
}

function isWhole(value: unknown, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
}

// The arguments of a bundle that comes from a file: somebody may have written anything there.
export function argumentsOf(bundle: unknown): LoadArguments {
  const written = isRecord(bundle) && bundle.version === 1 ? bundle.arguments : undefined;
  if (!isRecord(written)) throw notABundle();
  const texts = ['policy', 'workspace', 'now'] as const;
  const fits =
    typeof written.task === 'string' &&
    texts.every((key) => written[key] === null || typeof written[key] === 'string') &&
    typeof written.tactical === 'boolean' &&
    (written.for === undefined || typeof written.for === 'string') &&
    Array.isArray(written.adapters) &&
    written.adapters.every((name) => typeof name === 'string') &&
    (written.adapter_file === undefined || typeof written.adapter_file === 'string');
  if (!fits) throw notABundle();
  return normaliseArguments(written as LoadOptions);
}

function notABundle(): Error {
  return invalidInput('This file holds no bundle.', 'Make one: bearings load --out bundle.json');
}
