import { z } from 'zod';
import type { LoadRequest } from '../../bearings.ts';
import { notFound } from '../../errors.ts';
import type { Bundle } from '../../loader/bundle/bundle.ts';
import type { Ask, Page } from '../answers.ts';
import type { Visitor } from '../guard.ts';

const MAX_SHOWN_CHARS = 400_000;
const LIMIT = z.number().int().min(1).nullable();
const FORM = z.strictObject({
  task: z.string(),
  policy: z.string().max(1000).nullable(),
  max_files: LIMIT,
  max_total_chars: LIMIT,
  tactical: z.boolean(),
});

const ORDER = ['control_plane', 'task', 'tactical', 'adapter'] as const;

// Each browser has the bundle it built, as long as the page runs. Nothing is written.
export function bundleRoutes({ bearings, folder }: Page) {
  const built = new WeakMap<Visitor, { bundle: Bundle; request: LoadRequest }>();
  const bundleOf = (visitor: Visitor) => {
    const one = built.get(visitor);
    if (!one) throw notFound('This bundle is no longer here.', 'Build it again.');
    return one;
  };

  return {
    async 'GET /api/bundles'({ visitor }: Ask) {
      const one = built.get(visitor);
      return { folder, built: one ? bundleView(one.bundle) : null };
    },

    // No other folder and no adapter can be asked for.
    async 'POST /api/build'({ visitor, body }: Ask) {
      const hint = 'Limits are whole numbers from 1; or leave them empty.';
      const request = await body(FORM, "This can't be built.", hint);
      const bundle = await (await bearings.loader()).loadContext(request);
      built.set(visitor, { bundle, request });
      return bundleView(bundle);
    },

    /** What an agent sees of a file, and why it is in. */
    async 'GET /api/bundle-file'({ visitor, number }: Ask) {
      const { bundle, request } = bundleOf(visitor);
      const file = bundle.files[number('at')];
      if (!file) throw notFound('This file is no longer here.', 'Build it again.');
      const { excerpt } = file;
      // What is no file of the project has its reasons in its own words.
      const why = await (await bearings.loader()).explainPath(file.path, request).catch(() => null);
      return {
        text: excerpt.slice(0, MAX_SHOWN_CHARS),
        chars: excerpt.length,
        reasons: why?.reasons ?? [],
      };
    },
  };
}

function bundleView({ budget, ...bundle }: Bundle) {
  const slices = ORDER.flatMap((slice) => {
    const report = budget.partitions[slice];
    return report ? [{ slice, ...report }] : [];
  });
  const files = bundle.files.map(({ excerpt: _, ...file }) => file);
  return { ...bundle, files, budget, slices, form: bundle.arguments };
}
