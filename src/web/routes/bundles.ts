import { z } from 'zod';
import type { LoadRequest, Rooms } from '../../bearings.ts';
import { invalidInput, notFound } from '../../errors.ts';
import { isRecord, parseRecord } from '../../json-record.ts';
import { argumentsOf } from '../../loader/bundle/arguments.ts';
import type { Bundle } from '../../loader/bundle/bundle.ts';
import { numberedLines } from '../../loader/bundle/line-ranges.ts';
import type { Ask, Page } from '../answers.ts';
import type { Visitor } from '../guard.ts';

type Which = 'built' | 'opened';

interface VisitorBundle {
  bundle: Bundle;
  view: ReturnType<typeof bundleView>;
  request: LoadRequest;
}

const MAX_SHOWN_CHARS = 400_000;
// Beyond this a text is shown as one piece: a row for each line would be slow.
const MAX_NUMBERED_CHARS = 100_000;
const RANGES = z.array(z.object({ start: z.number().int().min(1), end: z.number().int().min(1) })).max(10_000);
const LIMIT = z.number().int().min(1).nullable();
const FORM = z.strictObject({
  task: z.string(),
  policy: z.string().max(1000).nullable(),
  max_files: LIMIT,
  max_chars_per_file: LIMIT,
  max_total_chars: LIMIT,
  fallback: z.enum(['none', 'relaxed', 'unrestricted']),
  tactical: z.boolean(),
  workspace: z.string().max(1000).nullable(),
  /** A profile of the policy; empty: none. */
  for: z.string().max(64),
});

const TEXT = z.string().catch('');
const COUNT = z.number().catch(0);
const MAYBE = z.number().nullable().catch(null);
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
  total_chars: MAYBE,
  total_bytes: COUNT,
  sha256: TEXT,
  score: SCORE,
  provenance: z.record(z.string(), z.unknown()).catch({}),
});
const SLICE = z.object({ used_files: COUNT, max_files: MAYBE, used_chars: COUNT, max_chars: MAYBE, dropped: COUNT });
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

// A policy that can't be read is told of when something is built.
async function profilesHere(bearings: Rooms): Promise<string[]> {
  try {
    return ((await (await bearings.loader()).showPolicy()).policy.profiles ?? []).map(({ name }) => name);
  } catch {
    return [];
  }
}

// Each browser has the bundle it built and the one it opened, as long as the page runs. Nothing is written.
export function bundleRoutes({ bearings, folder }: Page) {
  const bundles = new WeakMap<Visitor, Partial<Record<Which, VisitorBundle>>>();
  const keep = (visitor: Visitor, which: Which, one: VisitorBundle) => {
    bundles.set(visitor, { ...bundles.get(visitor), [which]: one });
    return one.view;
  };
  const bundleOf = (visitor: Visitor, which: Which): VisitorBundle => {
    const one = bundles.get(visitor)?.[which];
    if (!one) throw notFound('This bundle is no longer here.', 'Build or open it again.');
    return one;
  };
  const build = async (visitor: Visitor, request: LoadRequest) => {
    const bundle = await (await bearings.loader()).loadContext(request);
    return keep(visitor, 'built', { bundle, view: bundleView(bundle, false), request });
  };

  return {
    async 'GET /api/bundles'({ visitor }: Ask) {
      const { built, opened } = bundles.get(visitor) ?? {};
      const workspaces = (await (await bearings.workspaces()).listWorkspaces()).map(({ id }) => id);
      const profiles = await profilesHere(bearings);
      return { folder, workspaces, profiles, built: built?.view ?? null, opened: opened?.view ?? null };
    },

    // No other folder and no adapter can be asked for, but those that a profile names: what of them runs, the person allowed.
    async 'POST /api/build'({ visitor, body }: Ask) {
      const hint = 'Limits are whole numbers from 1; or leave them empty.';
      const { for: profile, ...form } = await body(FORM, "This can't be built.", hint);
      return build(visitor, profile === '' ? form : { ...form, for: profile });
    },

    /** With the arguments of the opened one, in this folder. */
    async 'POST /api/rebuild'({ visitor }: Ask) {
      return build(visitor, { ...argumentsOf(bundleOf(visitor, 'opened').bundle), adapters: [], adapter_file: null });
    },

    async 'POST /api/open'({ visitor, body }: Ask) {
      const { text } = await body(z.object({ text: z.string().catch('') }).catch({ text: '' }), '');
      const value = parseRecord(text);
      argumentsOf(value);
      const bundle = value as unknown as Bundle;
      const self = await (await bearings.loader()).diffBundles(bundle, bundle).catch(() => null);
      if (!self) throw invalidInput('This holds no bundle.', 'Make one: bearings load --out bundle.json');
      return keep(visitor, 'opened', { bundle, view: bundleView(bundle, self.changes.length > 0), request: {} });
    },

    /** What an agent sees of a file: lines with their numbers in it, null for what is left out; null where not known. */
    async 'GET /api/excerpt'({ visitor, text: value, number }: Ask) {
      const { bundle } = bundleOf(visitor, value('which') === 'opened' ? 'opened' : 'built');
      const file: unknown = bundle.files[number('at')];
      const text = isRecord(file) && typeof file.excerpt === 'string' ? file.excerpt : '';
      const ranges = RANGES.safeParse(isRecord(file) ? file.ranges : null);
      const lines = ranges.success && text.length <= MAX_NUMBERED_CHARS ? numberedLines(text, ranges.data) : null;
      return { text: text.slice(0, MAX_SHOWN_CHARS), chars: text.length, lines };
    },

    /** Why a file is in or out, and each passage of it. */
    async 'GET /api/explain'({ visitor, text }: Ask) {
      const path = text('path').trim();
      if (path === '') throw invalidInput('Name a file.', 'For example: README.md');
      return (await bearings.loader()).explainPath(path, bundleOf(visitor, 'built').request);
    },

    /** What moved from the opened one to the one built here. */
    async 'GET /api/drift'({ visitor }: Ask) {
      const [opened, built] = [bundleOf(visitor, 'opened'), bundleOf(visitor, 'built')];
      return (await bearings.loader()).diffBundles(opened.bundle, built.bundle);
    },
  };
}

// A bundle may come from anywhere: whatever has no fitting form is shown as nothing.
function bundleView(bundle: unknown, edited: boolean) {
  const read = BUNDLE.parse(bundle);
  const { partitions } = read.budget;
  const slices = ORDER.flatMap((slice) => {
    const report = Object.hasOwn(partitions, slice) ? partitions[slice] : undefined;
    return report ? [{ slice, ...report }] : [];
  });
  /** `edited`: its own hash does not match. */
  return { ...read, form: argumentsOf(bundle), slices, edited };
}
