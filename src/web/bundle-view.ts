import { z } from 'zod';
import { argumentsOf } from '../loader/bundle/arguments.ts';
import type { BundleView } from './bundle-wire.ts';

const TEXT = z.string().catch('');
const COUNT = z.number().catch(0);
const LIMIT = z.number().nullable().catch(null);
const SCORE = z
  .object({ total: COUNT, words: z.array(z.string()).catch([]), parts: z.record(z.string(), z.number()).catch({}) })
  .nullable()
  .catch(null);
const FILE = z.object({
  path: TEXT,
  source_class: TEXT,
  selected_by: TEXT,
  rank: COUNT,
  truncated: z.boolean().catch(false),
  chars: COUNT,
  total_chars: LIMIT,
  total_bytes: COUNT,
  sha256: TEXT,
  score: SCORE,
  provenance: z.record(z.string(), z.unknown()).catch({}),
});
const SLICE = z.object({ used_files: COUNT, max_files: LIMIT, used_chars: COUNT, max_chars: LIMIT, dropped: COUNT });
const DROPPED = z.object({ path: TEXT, source_class: TEXT, reason: TEXT });
const ADAPTER = z.object({ id: TEXT, status: TEXT, reason: z.string().nullable().catch(null), selected: COUNT });
const BUNDLE = z.object({
  task: TEXT,
  task_key: TEXT,
  policy: z.object({ name: TEXT, source: TEXT }).catch({ name: '', source: '' }),
  fallback: z.object({ level: TEXT }).catch({ level: '' }),
  budget: z
    .object({ used_files: COUNT, used_chars: COUNT, partitions: z.record(z.string(), SLICE).catch({}) })
    .catch({ used_files: 0, used_chars: 0, partitions: {} }),
  files: z.array(FILE).catch([]),
  dropped: z.array(DROPPED).catch([]),
  dropped_beyond: COUNT,
  adapters: z.array(ADAPTER).catch([]),
  warnings: z.array(z.string()).catch([]),
  bundle_sha256: TEXT,
});
const ORDER = ['control_plane', 'task', 'tactical', 'adapter'];

// A bundle may come from anywhere: whatever has no fitting form is shown as nothing.
export function bundleView(bundle: unknown, edited: boolean): BundleView {
  const { budget, fallback, ...read } = BUNDLE.parse(bundle);
  const given = argumentsOf(bundle);
  const { task, policy, max_files, max_chars_per_file, max_total_chars, fallback: asked, tactical, workspace } = given;
  const slices = ORDER.flatMap((slice) => {
    const report = Object.hasOwn(budget.partitions, slice) ? budget.partitions[slice] : undefined;
    return report ? [{ slice, ...report }] : [];
  });
  return {
    ...read,
    form: {
      ...{ task, policy, max_files, max_chars_per_file, max_total_chars, fallback: asked, tactical, workspace },
      for: given.for ?? '',
    },
    asked_adapters: [...given.adapters, ...(given.adapter_file === undefined ? [] : [given.adapter_file])],
    fallback: fallback.level,
    used_files: budget.used_files,
    used_chars: budget.used_chars,
    slices,
    edited,
  };
}
