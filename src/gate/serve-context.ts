import { join } from '../files/paths.ts';
import { clipContext } from '../memory/clip-context.ts';
import { countLines } from '../memory/io/notes-file.ts';
import type { Context } from '../memory/read-context.ts';
import { clipLimits, readMemory } from '../memory/read-memory.ts';
import type { AppContext, Settings, TargetLike } from '../settings/app-context.ts';
import type { Workspace } from '../settings/io/workspace-folders.ts';
import { isNowhere } from '../settings/meant-workspace.ts';
import { type Unaccounted, unaccountedOf, unaccountedWarning } from './accounting/unaccounted.ts';

export interface ContextAnswer {
  context: Context;
  /** Travels beside the context, never inside it. */
  warnings: string[];
}

export interface Overview extends ContextAnswer {
  /** Without an id: none is meant here, and the home's own context is given. */
  workspace: { id: string | null; folder: string };
  /** The context as an agent gets it over MCP: no text longer than the settings allow. */
  served: Context;
  /** Files with blocks that no decision stands behind. */
  unaccounted: Unaccounted[];
  declaredAt: ReadonlyMap<string, number>;
  lines: { notes: number; log: number; gaps: number };
}

// What is read of memory, and how much of it no decision stands behind.
export function contextUseCases(app: AppContext) {
  const whole = async (settings: Settings, workspace: Workspace | null): Promise<ContextAnswer> => {
    const { context, warnings } = await readMemory(settings, workspace);
    const unaccounted = await unaccountedOf(app, settings, workspace, context.brief.tastes);
    return { context, warnings: [...nowhere(workspace), ...warnings, ...unaccountedWarning(unaccounted)] };
  };
  const forAgent = async (settings: Settings, workspace: Workspace | null): Promise<ContextAnswer> => {
    const { context, warnings } = await whole(settings, workspace);
    const clipped = clipContext(context, clipLimits(settings));
    return { context: clipped.context, warnings: [...settings.warnings, ...warnings, ...clipped.warnings] };
  };
  return {
    // Whole texts for the library and --json; `forAgent` keeps any one text from flooding an agent.
    async readContext(target: TargetLike = {}, options: { forAgent?: boolean } = {}): Promise<ContextAnswer> {
      const settings = await app.settings();
      const workspace = meantOrNone(settings, target);
      return options.forAgent ? forAgent(settings, workspace) : whole(settings, workspace);
    },

    async overview(target: TargetLike = {}): Promise<Overview> {
      const settings = await app.settings();
      const workspace = meantOrNone(settings, target);
      const { context, warnings: told, declaredAt, notesLines } = await readMemory(settings, workspace);
      const unaccounted = await unaccountedOf(app, settings, workspace, context.brief.tastes);
      const warnings = [...nowhere(workspace), ...told, ...unaccountedWarning(unaccounted)];
      const linesOf = (name: string): number => {
        if (workspace === null) return 0;
        const count = countLines(join(workspace.folder, name), workspace.scope, settings.lineCounts);
        return count.status === 'ok' ? count.value : 0;
      };
      return {
        workspace: { id: workspace?.id ?? null, folder: app.forPerson(workspace?.folder ?? settings.home) },
        context,
        served: clipContext(context, clipLimits(settings)).context,
        warnings,
        unaccounted,
        declaredAt,
        lines: { notes: notesLines, log: linesOf('log.jsonl'), gaps: linesOf('vocabulary_gaps.jsonl') },
      };
    },
  };
}

const NOWHERE = 'No workspace is meant here: these are the tastes that hold for all work. To make one: bearings init';

function nowhere(workspace: Workspace | null): string[] {
  return workspace === null ? [NOWHERE] : [];
}

// Tastes hold everywhere: who stands in no workspace gets them, and hears how to make one.
function meantOrNone(settings: Settings, target: TargetLike): Workspace | null {
  try {
    return settings.workspace(target);
  } catch (error) {
    if (isNowhere(error)) return null;
    throw error;
  }
}
