import { z } from 'zod';
import type { LoadRequest, Rooms } from '../../bearings.ts';
import { invalidInput, notFound } from '../../errors.ts';
import { isRecord, parseRecord } from '../../json-record.ts';
import { argumentsOf } from '../../loader/bundle/arguments.ts';
import type { Bundle } from '../../loader/bundle/bundle.ts';
import { numberedLines } from '../../loader/bundle/line-ranges.ts';
import { bundleView } from '../bundle-view.ts';
import type { BundleExcerpt, BundlesPage, BundleView, Drift, Explained, Which } from '../bundle-wire.ts';
import type { Visitor } from '../guard.ts';

interface VisitorBundle {
  bundle: Bundle;
  view: BundleView;
  request: LoadRequest;
}

const MOST_SHOWN_CHARS = 400_000;
// Beyond this a text is shown as one piece: a row for each line would be slow.
const MOST_NUMBERED_CHARS = 100_000;
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
  for: z.string().max(64),
});

// A policy that can't be read is told of when something is built.
async function profilesHere(bearings: Rooms): Promise<string[]> {
  try {
    return ((await (await bearings.loader()).showPolicy()).policy.profiles ?? []).map(({ name }) => name);
  } catch {
    return [];
  }
}

// Each browser has the bundle it built and the one it opened, as long as the page runs. Nothing is written.
export function bundleRoutes(bearings: Rooms, folder: string) {
  const bundles = new WeakMap<Visitor, Partial<Record<Which, VisitorBundle>>>();
  const keep = (visitor: Visitor, which: Which, one: VisitorBundle): BundleView => {
    bundles.set(visitor, { ...bundles.get(visitor), [which]: one });
    return one.view;
  };
  const bundleOf = (visitor: Visitor, which: Which): VisitorBundle => {
    const one = bundles.get(visitor)?.[which];
    if (!one) throw notFound('This bundle is no longer here.', 'Build or open it again.');
    return one;
  };
  const build = async (visitor: Visitor, request: LoadRequest): Promise<BundleView> => {
    const bundle = await (await bearings.loader()).loadContext(request);
    return keep(visitor, 'built', { bundle, view: bundleView(bundle, false), request });
  };

  return {
    async page(visitor: Visitor): Promise<BundlesPage> {
      const { built, opened } = bundles.get(visitor) ?? {};
      const workspaces = (await (await bearings.workspaces()).listWorkspaces()).map(({ id }) => id);
      const profiles = await profilesHere(bearings);
      return { folder, workspaces, profiles, built: built?.view ?? null, opened: opened?.view ?? null };
    },

    // No other folder and no adapter can be asked for, but those that a profile names: what of them runs, the person allowed.
    async build(visitor: Visitor, body: unknown): Promise<BundleView> {
      const parsed = FORM.safeParse(body);
      if (!parsed.success)
        throw invalidInput("This can't be built.", 'Limits are whole numbers from 1; or leave them empty.');
      const { for: profile, ...form } = parsed.data;
      return build(visitor, profile === '' ? form : { ...form, for: profile });
    },

    /** With the arguments of the opened one, in this folder. */
    async rebuild(visitor: Visitor): Promise<BundleView> {
      return build(visitor, { ...argumentsOf(bundleOf(visitor, 'opened').bundle), adapters: [], adapter_file: null });
    },

    async open(visitor: Visitor, body: unknown): Promise<BundleView> {
      const value = isRecord(body) && typeof body.text === 'string' ? parseRecord(body.text) : null;
      argumentsOf(value);
      const bundle = value as unknown as Bundle;
      const self = await (await bearings.loader()).diffBundles(bundle, bundle).catch(() => null);
      if (!self) throw invalidInput('This holds no bundle.', 'Make one: bearings load --out bundle.json');
      return keep(visitor, 'opened', { bundle, view: bundleView(bundle, self.changes.length > 0), request: {} });
    },

    async excerpt(visitor: Visitor, which: Which, at: number): Promise<BundleExcerpt> {
      const file: unknown = bundleOf(visitor, which).bundle.files[at];
      const text = isRecord(file) && typeof file.excerpt === 'string' ? file.excerpt : '';
      const ranges = RANGES.safeParse(isRecord(file) ? file.ranges : null);
      const lines = ranges.success && text.length <= MOST_NUMBERED_CHARS ? numberedLines(text, ranges.data) : null;
      return { text: text.slice(0, MOST_SHOWN_CHARS), chars: text.length, lines };
    },

    async explain(visitor: Visitor, path: string): Promise<Explained> {
      if (path.trim() === '') throw invalidInput('Name a file.', 'For example: README.md');
      const found = await (await bearings.loader()).explainPath(path.trim(), bundleOf(visitor, 'built').request);
      const { verdict, reasons, passages } = found;
      return { verdict, reasons, passages: passages.map(({ start, end, why }) => ({ start, end, why })) };
    },

    /** What moved from the opened one to the one built here. */
    async drift(visitor: Visitor): Promise<Drift> {
      return (await bearings.loader()).diffBundles(
        bundleOf(visitor, 'opened').bundle,
        bundleOf(visitor, 'built').bundle,
      );
    },
  };
}
