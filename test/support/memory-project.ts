import { createHash } from 'node:crypto';
import { type LoadOptions, normaliseArguments } from '../../src/loader/bundle/arguments.ts';
import { type BuiltBundle, type BundleInput, buildBundle } from '../../src/loader/bundle/bundle.ts';
import { repoPolicy } from '../../src/loader/policy/policies/repo.ts';
import type { Policy } from '../../src/loader/policy/policy.ts';
import { type AdapterPayload, compareItems, parseTimeText, toItem } from '../../src/loader/slices/adapter-items.ts';
import type { CleanReading } from '../../src/loader/slices/adapter-slice.ts';
import { rawPayload } from '../../src/loader/slices/clean-payload.ts';
import type { Matched } from '../../src/loader/slices/matched.ts';
import type { TacticalMemory } from '../../src/loader/slices/tactical.ts';
import { passagesOf } from '../../src/matching/passages.ts';
import { endsWith, startOf, stepInto, stepsOf } from '../../src/project/pattern.ts';
import type { FileText, ProjectSource, Reading } from '../../src/project/project-source.ts';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A file's text, or what is in its place. */
export type MemoryFile = string | { unreadable: string; unsafe?: boolean };

export interface MemoryProject {
  files: Readonly<Record<string, MemoryFile>>;
  policy?: Policy;
  options?: LoadOptions;
  matched?: (Pick<Matched, 'files' | 'history'> & Partial<Matched>) | null;
  tactical?: TacticalMemory | null;
  /** Payloads by adapter name; a text is a reason to degrade. */
  payloads?: Readonly<Record<string, unknown>>;
}

function matchesPath(pattern: string, path: string): boolean {
  const steps = stepsOf(pattern);
  const names = path.split('/');
  const positions = names.slice(0, -1).reduce((at, folder) => stepInto(steps, at, folder), startOf(steps));
  return endsWith(steps, positions, names.at(-1) ?? '');
}

// A project without a disk, for the pure part.
function memorySource(files: Readonly<Record<string, MemoryFile>>): ProjectSource & { reads: string[] } {
  const reads: string[] = [];
  const open = <T>(path: string, use: (text: string) => T): Reading<T> => {
    reads.push(path);
    const file = Object.hasOwn(files, path) ? files[path] : undefined;
    if (file === undefined) return { status: 'missing' };
    if (typeof file !== 'string')
      return { status: 'unreadable', unsafe: file.unsafe ?? false, reason: file.unreadable };
    return { status: 'ok', value: use(file) };
  };
  return {
    reads,
    list: (pattern) => Object.keys(files).filter((path) => matchesPath(pattern, path)),
    probe: (path) => open(path, () => null),
    readWhole: (path) => open(path, (text) => text),
    read: (path) =>
      open(
        path,
        (text): FileText => ({
          text,
          whole: true,
          total_chars: [...text].length,
          total_bytes: Buffer.byteLength(text),
          sha256: sha256(text),
          identity: path,
          valid: true,
        }),
      ),
    warnings: () => [],
  };
}

export function loadFromMemory(project: MemoryProject, extra: Partial<BundleInput> = {}): BuiltBundle {
  const policy = project.policy ?? repoPolicy;
  const given = normaliseArguments({ ...project.options, adapters: Object.keys(project.payloads ?? {}) });
  const adapters = policy.adapters.map((config): CleanReading => {
    const payload = project.payloads?.[config.name];
    if (payload === undefined) return { config, status: 'disabled', reason: null };
    return typeof payload === 'string'
      ? { config, status: 'degraded', reason: payload }
      : { config, status: 'loaded', payload: payloadOf(payload) };
  });
  return buildBundle({
    arguments: given,
    policy,
    policySource: 'built-in',
    source: memorySource(project.files),
    matched: project.matched
      ? {
          unindexed: [],
          standing: () => ({ listed: true, indexed: true, words: [] }),
          passages: (path, text) => passagesOf(path, text).map((one) => ({ ...one, score: one.text.length % 7 })),
          ...project.matched,
        }
      : null,
    tactical: project.tactical ?? null,
    adapters,
    now: null,
    warnings: [],
    sha256,
    tokenizer: { name: 'words', count: (text) => text.split(/\s+/).filter(Boolean).length },
    ...extra,
  });
}

// What is left of a payload once it was looked at and nothing was found.
function payloadOf(payload: unknown): AdapterPayload {
  const raw = rawPayload(payload, {});
  const items = (raw?.list ?? []).flatMap((item) => toItem(item) ?? []).sort(compareItems);
  return { fetched_at: parseTimeText(raw?.fetched_at), total: items.length, items, warnings: [] };
}
