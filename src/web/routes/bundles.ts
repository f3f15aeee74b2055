import { z } from 'zod';
import type { LoadRequest } from '../../bearings.ts';
import { notFound } from '../../errors.ts';
import type { Bundle } from '../../loader/bundle/bundle.ts';
import { type Ask, beginningOf, type Page } from '../answers.ts';
import type { Visitor } from '../guard.ts';

const LIMIT = z.number().int().min(1).nullable();
const FORM = z.strictObject({ task: z.string(), max_files: LIMIT, max_total_chars: LIMIT });

// Each browser has the bundle it built, as long as the page runs. Nothing is written.
export function bundleRoutes({ bearings, folder }: Page) {
  const built = new WeakMap<Visitor, { bundle: Bundle; request: LoadRequest }>();
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
      return { built: true };
    },

    /** What an agent sees of a file, and why it is in. */
    async 'GET /api/bundle-file'({ visitor, text }: Ask) {
      const one = built.get(visitor);
      const file = one?.bundle.files[Number(text('at'))];
      if (!file) throw notFound('This file is no longer here.', 'Build it again.');
      // What is no file of the project has its reasons in its own words.
      const why = await (await bearings.loader()).explainPath(file.path, one.request).catch(() => null);
      return { ...beginningOf(file.excerpt), reasons: why?.reasons ?? [] };
    },
  };
}

function bundleView(bundle: Bundle) {
  return { ...bundle, files: bundle.files.map(({ excerpt: _, ...file }) => file) };
}
