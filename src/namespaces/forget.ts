import type { CopiesElsewhere } from '../gate/erase/erase.ts';
import type { AppContext } from '../settings/app-context.ts';

/** Each room says which of its files hold a copy of a text. */
export function copiesInRooms(app: AppContext): CopiesElsewhere {
  return async (settings, sought, roots) => {
    const { memoryCopies } = await import('../memory/io/forget.ts');
    const { indexCopies } = await import('../project/io/forget.ts');
    const { loaderCopies } = await import('../loader/io/forget.ts');
    const { runCopies } = await import('../tasks/io/forget.ts');
    return [
      ...memoryCopies(settings, sought),
      ...indexCopies(app.cacheFolder, roots, sought),
      ...loaderCopies(settings, sought),
      ...(await runCopies(app.runsFolder, sought)),
    ];
  };
}
