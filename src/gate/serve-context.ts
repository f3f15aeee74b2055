import { join } from '../files/paths.ts';
import { clipContext } from '../memory/clip-context.ts';
import { countLines, tasteFolder } from '../memory/io/memory-files.ts';
import { type Context, TWO_DEFAULTS } from '../memory/read-context.ts';
import { clipLimits, memoryUseCases, readMemory } from '../memory/read-memory.ts';
import type { AppContext, Settings, TargetLike } from '../settings/app-context.ts';
import { memoryFacts, textFacts, traced } from '../settings/io/tracing.ts';
import { gitRoot, type Workspace } from '../settings/io/workspace-folders.ts';
import { meantOrNone } from '../settings/meant-workspace.ts';
import { type Accounted, accountedIn, dueAmong, dueWarnings, unaccountedWarning } from './accounting/unaccounted.ts';
import { accountedFile, servedFiles } from './domains/accounted-files.ts';

export interface ContextAnswer {
  context: Context;
  /** Travels beside the context, never inside it. */
  warnings: string[];
}

export type Overview = Awaited<ReturnType<ReturnType<typeof contextUseCases>['overview']>>;

/** Cuts a context down to what a profile of the policy wants. */
type ToProfile = (target: TargetLike, profile: string, context: Context) => Promise<ContextAnswer>;

// What is read of memory, and how much of it no decision stands behind.
export function contextUseCases(app: AppContext, toProfile?: ToProfile) {
  const warningsOf = async (settings: Settings, accounted: Accounted): Promise<string[]> => [
    ...(accounted.watched.length === 0 ? [] : dueWarnings(await dueAmong(app, settings, accounted.watched))),
    ...unaccountedWarning(accounted),
  ];
  const read = async (settings: Settings, target: TargetLike) => {
    const workspace = meantOrNone(settings, target);
    const memory = await readMemory(settings, workspace);
    const served = servedFiles(settings, workspace, memory.context.brief.tastes);
    const accounted = await accountedIn(app, settings, served, typeof target === 'string' ? undefined : target.root);
    const warnings = [...nowhere(workspace, app.cwd), ...memory.warnings, ...(await warningsOf(settings, accounted))];
    const unconfirmed = accounted.unaccounted.flatMap(({ file, ofRepository }) => (ofRepository ? [file] : []));
    return { ...memory, accounted, warnings, unconfirmed };
  };
  /** `unconfirmed`: files of a repository with words that nobody here confirmed. */
  const framed = async (target: TargetLike, isForAgent = false): Promise<ContextAnswer & { unconfirmed: string[] }> => {
    const settings = await app.settings();
    const { context, warnings, unconfirmed } = await read(settings, target);
    if (!isForAgent) return { context, warnings, unconfirmed };
    const clipped = clipContext(context, clipLimits(settings));
    return { ...clipped, warnings: [...settings.warnings, ...warnings, ...clipped.warnings], unconfirmed };
  };
  const reading = memoryUseCases(app);
  const beside = async (file: string, target: TargetLike): Promise<string[]> => {
    const settings = await app.settings();
    const isOfWorkspace = file === 'notes.md' || file === 'brief.md';
    const place = accountedFile(settings, isOfWorkspace ? settings.workspace(target) : null, file);
    return warningsOf(settings, await accountedIn(app, settings, [place]));
  };
  // A part of memory is served with the same line beside it as the whole.
  const withLine = async <T extends { warnings: string[] }>(reading: Promise<T>, file: string, target: TargetLike) => {
    const answer = await reading;
    return { ...answer, warnings: [...answer.warnings, ...(await beside(file, target))] };
  };
  return {
    // Whole texts for the library and --json; `forAgent` keeps any one text from flooding an agent.
    async readContext(
      target: TargetLike = {},
      { for: profile, forAgent }: { forAgent?: boolean; for?: string | undefined } = {},
    ): Promise<ContextAnswer> {
      const store = typeof target === 'string' ? target : target.id;
      return traced({ name: 'search_memory', facts: () => memoryFacts('search_memory', store) }, async (span) => {
        const answer = await framed(target, forAgent);
        const fitted = profile === undefined ? null : await toProfile?.(target, profile, answer.context);
        const { context } = fitted ?? answer;
        span?.setAttributes(textFacts('bearings.context', JSON.stringify(context)));
        return { context, warnings: [...answer.warnings, ...(fitted?.warnings ?? [])] };
      });
    },

    /** For a rendering as text, which frames what nobody here confirmed. */
    readFramed: (target: TargetLike, { forAgent }: { forAgent?: boolean } = {}) => framed(target, forAgent),

    readNotes: (target: TargetLike = {}, options: Parameters<typeof reading.readFullNotes>[1] = {}) =>
      withLine(reading.readFullNotes(target, options), 'notes.md', target),

    /** Beyond the notes: brief, tastes, log and gaps, in windows. */
    readPart(target: TargetLike, file: string, options: Parameters<typeof reading.readPart>[2]) {
      const answer = reading.readPart(target, file, options);
      return file.endsWith('.md') ? withLine(answer, file, target) : answer;
    },

    readBrief: (target: TargetLike = {}) => withLine(reading.readBrief(target), 'brief.md', target),

    /** What a face that gives notes in a bundle tells with them: no part of the bundle, which is the same on every machine. */
    async notesWarnings(target: TargetLike): Promise<string[]> {
      const settings = await app.settings();
      const workspace = meantOrNone(settings, target);
      const places = workspace ? [accountedFile(settings, workspace, 'notes.md')] : [];
      return warningsOf(settings, await accountedIn(app, settings, places));
    },

    /** What is told beside one taste. */
    async tasteWarnings(name: string): Promise<string[]> {
      const isDouble = name === '_default' && tasteFolder(await app.settings()).readDefault().isDouble;
      return [...(isDouble ? [TWO_DEFAULTS] : []), ...(await beside(`${name}.md`, {}))];
    },

    async overview(target: TargetLike = {}, { for: profile }: { for?: string | undefined } = {}) {
      const settings = await app.settings();
      const workspace = meantOrNone(settings, target);
      const { context, warnings, unconfirmed, accounted, declaredAt, notesLines } = await read(settings, target);
      const linesOf = (name: string): number => {
        if (workspace === null) return 0;
        const count = countLines(join(workspace.folder, name), workspace.scope, settings.lineCounts);
        return count.status === 'ok' ? count.value : 0;
      };
      const served = clipContext(context, clipLimits(settings)).context;
      const fitted = profile === undefined ? null : await toProfile?.(target, profile, served);
      return {
        /** Without an id: none is meant here, and the home's own context is given. */
        workspace: { id: workspace?.id ?? null, folder: app.forPerson(workspace?.folder ?? settings.home) },
        isInRepository: gitRoot(app.cwd) !== null,
        context: fitted?.context ?? context,
        /** The context as an agent gets it over MCP: no text longer than the settings allow. */
        served: fitted?.context ?? served,
        warnings: [...warnings, ...(fitted?.warnings ?? [])],
        /** Files with blocks that no decision stands behind; of those of a repository nobody here confirmed any word. */
        ...{ unaccounted: accounted.unaccounted, unconfirmed, declaredAt },
        /** Notes that belong to files, and come with them. */
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
