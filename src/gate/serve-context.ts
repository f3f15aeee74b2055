import { join } from '../files/paths.ts';
import { clipContext } from '../memory/clip-context.ts';
import { countLines } from '../memory/io/notes-file.ts';
import { tasteFolder } from '../memory/io/taste-folder.ts';
import { type Context, TWO_DEFAULTS } from '../memory/read-context.ts';
import { type BriefAnswer, clipLimits, memoryUseCases, type NotesAnswer, readMemory } from '../memory/read-memory.ts';
import type { AppContext, Settings, TargetLike } from '../settings/app-context.ts';
import { memoryFacts, textFacts, traced } from '../settings/io/tracing.ts';
import { gitRoot, type Workspace } from '../settings/io/workspace-folders.ts';
import { meantOrNone } from '../settings/meant-workspace.ts';
import {
  type Accounted,
  accountedIn,
  accountedOf,
  dueAmong,
  dueWarnings,
  type Unaccounted,
  unaccountedWarning,
  unconfirmedFiles,
} from './accounting/unaccounted.ts';
import { accountedBrief, accountedNotes, accountedTaste } from './domains/accounted-files.ts';

export interface ContextAnswer {
  context: Context;
  /** Travels beside the context, never inside it. */
  warnings: string[];
}

export interface FramedAnswer extends ContextAnswer {
  /** Files of a repository with words that nobody here confirmed. */
  unconfirmed: string[];
}

export interface Overview extends FramedAnswer {
  /** Without an id: none is meant here, and the home's own context is given. */
  workspace: { id: string | null; folder: string };
  /** The context as an agent gets it over MCP: no text longer than the settings allow. */
  served: Context;
  /** Files with blocks that no decision stands behind. */
  unaccounted: Unaccounted[];
  declaredAt: ReadonlyMap<string, number>;
  /** Notes that belong to files, and come with them. */
  belonging: { text: string; paths: readonly string[] }[];
  lines: { notes: number; log: number; gaps: number };
}

/** Cuts a context down to what a profile of the policy wants. */
type ToProfile = (target: TargetLike, profile: string, context: Context) => Promise<ContextAnswer>;

// What is read of memory, and how much of it no decision stands behind.
export function contextUseCases(app: AppContext, toProfile?: ToProfile) {
  const toldBeside = async (settings: Settings, accounted: Accounted): Promise<string[]> => [
    ...(accounted.watched.length === 0 ? [] : dueWarnings(await dueAmong(app, settings, accounted.watched))),
    ...unaccountedWarning(accounted),
  ];
  const whole = async (settings: Settings, workspace: Workspace | null): Promise<FramedAnswer> => {
    const { context, warnings } = await readMemory(settings, workspace);
    const accounted = await accountedOf(app, settings, workspace, context.brief.tastes);
    return {
      context,
      warnings: [...nowhere(workspace, app.cwd), ...warnings, ...(await toldBeside(settings, accounted))],
      unconfirmed: unconfirmedFiles(accounted.unaccounted),
    };
  };
  const forAgent = async (settings: Settings, workspace: Workspace | null): Promise<FramedAnswer> => {
    const { context, warnings, unconfirmed } = await whole(settings, workspace);
    const clipped = clipContext(context, clipLimits(settings));
    return {
      context: clipped.context,
      warnings: [...settings.warnings, ...warnings, ...clipped.warnings],
      unconfirmed,
    };
  };
  const reading = memoryUseCases(app);
  const told = async (target: TargetLike, file: 'notes.md' | 'brief.md'): Promise<string[]> => {
    const settings = await app.settings();
    const workspace = settings.workspace(target);
    const place = file === 'notes.md' ? accountedNotes(settings, workspace) : accountedBrief(settings, workspace);
    return toldBeside(settings, await accountedIn(app, settings, [place]));
  };
  return {
    // Whole texts for the library and --json; `forAgent` keeps any one text from flooding an agent.
    async readContext(
      target: TargetLike = {},
      { for: profile, ...options }: { forAgent?: boolean; for?: string | undefined } = {},
    ): Promise<ContextAnswer> {
      const store = typeof target === 'string' ? target : target.id;
      return traced({ name: 'search_memory', facts: () => memoryFacts('search_memory', store) }, async (span) => {
        const settings = await app.settings();
        const answer = await (options.forAgent ? forAgent : whole)(settings, meantOrNone(settings, target));
        const fitted = profile === undefined ? null : await toProfile?.(target, profile, answer.context);
        const { context } = fitted ?? answer;
        if (span.isOn) span.set(textFacts('bearings.context', JSON.stringify(context)));
        return { context, warnings: [...answer.warnings, ...(fitted?.warnings ?? [])] };
      });
    },

    /** For a rendering as text, which frames what nobody here confirmed. */
    async readFramed(target: TargetLike, options: { forAgent?: boolean } = {}): Promise<FramedAnswer> {
      const settings = await app.settings();
      return (options.forAgent ? forAgent : whole)(settings, meantOrNone(settings, target));
    },

    // A part of memory is served with the same line beside it as the whole.
    async readNotes(
      target: TargetLike = {},
      options: Parameters<typeof reading.readFullNotes>[1] = {},
    ): Promise<NotesAnswer> {
      const answer = await reading.readFullNotes(target, options);
      return { ...answer, warnings: [...answer.warnings, ...(await told(target, 'notes.md'))] };
    },

    async readBrief(target: TargetLike = {}): Promise<BriefAnswer> {
      const answer = await reading.readBrief(target);
      return { ...answer, warnings: [...answer.warnings, ...(await told(target, 'brief.md'))] };
    },

    /** What is told beside one taste. */
    async tasteWarnings(name: string): Promise<string[]> {
      const settings = await app.settings();
      const isDouble = name === '_default' && tasteFolder(settings).readDefault().isDouble;
      const beside = await toldBeside(settings, await accountedIn(app, settings, [accountedTaste(settings, name)]));
      return [...(isDouble ? [TWO_DEFAULTS] : []), ...beside];
    },

    async overview(target: TargetLike = {}, { for: profile }: { for?: string | undefined } = {}): Promise<Overview> {
      const settings = await app.settings();
      const workspace = meantOrNone(settings, target);
      const { context, warnings: told, declaredAt, notesLines } = await readMemory(settings, workspace);
      const accounted = await accountedOf(app, settings, workspace, context.brief.tastes);
      const { unaccounted } = accounted;
      const warnings = [...nowhere(workspace, app.cwd), ...told, ...(await toldBeside(settings, accounted))];
      const linesOf = (name: string): number => {
        if (workspace === null) return 0;
        const count = countLines(join(workspace.folder, name), workspace.scope, settings.lineCounts);
        return count.status === 'ok' ? count.value : 0;
      };
      const served = clipContext(context, clipLimits(settings)).context;
      const fitted = profile === undefined ? null : await toProfile?.(target, profile, served);
      return {
        workspace: { id: workspace?.id ?? null, folder: app.forPerson(workspace?.folder ?? settings.home) },
        context: fitted?.context ?? context,
        served: fitted?.context ?? served,
        warnings: [...warnings, ...(fitted?.warnings ?? [])],
        unaccounted,
        unconfirmed: unconfirmedFiles(unaccounted),
        declaredAt,
        belonging: accounted.watched.flatMap(({ blocks }) =>
          blocks.flatMap(({ text, watch }) => (watch?.paths.length ? [{ text, paths: watch.paths }] : [])),
        ),
        lines: { notes: notesLines, log: linesOf('log.jsonl'), gaps: linesOf('vocabulary_gaps.jsonl') },
      };
    },
  };
}

const NOWHERE = 'There is no workspace here: these are the tastes that hold for all work. To make one: bearings init';

// Outside of a repository a workspace needs a name.
function nowhere(workspace: Workspace | null, cwd: string): string[] {
  return workspace === null ? [gitRoot(cwd) === null ? `${NOWHERE} NAME` : NOWHERE] : [];
}
