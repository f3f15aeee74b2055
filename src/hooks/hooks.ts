import type { HookEvent } from '../clients/client-hooks.ts';
import type { guardUseCases } from '../clients/guard.ts';
import { readGuards } from '../clients/io/guarded-files.ts';
import type { protectedFiles } from '../clients/protected-files.ts';
import { BearingsError, invalidInput } from '../errors.ts';
import { isInside, join, neededPersonFolder, realPath, realPlace, relative, resolve } from '../files/paths.ts';
import { contextUseCases } from '../gate/serve-context.ts';
import type { Session } from '../gate/sessions/sessions.ts';
import type { Tokenizer } from '../matching/text/terms.ts';
import { clipEnd } from '../memory/clip-context.ts';
import { contextText, HOOK_CHARS } from '../memory/context-text.ts';
import { memoryUseCases } from '../memory/read-memory.ts';
import type { matchingUseCases, RankedMatch } from '../project/match-project.ts';
import type { AppContext, TargetLike } from '../settings/app-context.ts';
import { gitRoot, type Workspace } from '../settings/io/workspace-folders.ts';
import { meantOrNone } from '../settings/meant-workspace.ts';
import { type HookAnswer, type HookCall, readCall, takesContextBefore, writeAnswer } from './client-forms.ts';
import { type Confirmed, confirmedIn, type SignedRule } from './confirmed.ts';
import { dayOf, PATH_LINE, type Place, pushedText } from './hook-text.ts';
import { forgetOldSessions, type GivenStore, givenTo } from './io/given.ts';

const WARNING_CHARS = 1_000;
const SESSION_TOKENS = 8_000;
const STOPPED_CHARS = 500;
const MOST_PLACES = 10;
const MOST_NAMED = 40;
// So many changed files may be read again for one prompt; an index that is further behind answers as it is.
const MOST_READ = 100;

interface Rooms {
  /** Null: no workspace is meant, so it belongs to the home. */
  session(target: TargetLike | null, client: string): Promise<Session>;
  matching(): Promise<ReturnType<typeof matchingUseCases>>;
  protectedFiles(): Promise<ReturnType<typeof protectedFiles>>;
  guard(): Promise<ReturnType<typeof guardUseCases>>;
}

// What a client's hooks ask for: never an error, and nothing that was not signed.
export function hookUseCases(opened: AppContext, rooms: Rooms) {
  // An id that a clone chose, or a slip in the settings, leaves out what it is about: tastes, rules and the guard go on.
  const app: AppContext = { ...opened, settings: () => opened.settings(true) };
  // `doctor` fires each hook to see that it answers: it is no session, and leaves nothing.
  const isTrial = app.variables.BEARINGS_DOCTOR === '1';

  // What a call is about, and what is signed there.
  const scopeOf = async (call: HookCall, id: string | undefined) => {
    const settings = await app.settings();
    const target = { id, root: call.cwd ?? undefined };
    const workspace = meantOrNone(settings, target);
    return { settings, target, workspace, ...confirmedIn(app, settings, workspace, call.cwd ?? undefined) };
  };
  type Scope = Awaited<ReturnType<typeof scopeOf>>;

  const sessionStart = async (call: HookCall, id: string | undefined): Promise<HookAnswer> => {
    const target = { id, root: call.cwd ?? undefined };
    const { context, warnings, unconfirmed } = await contextUseCases(app).readFramed(target, { forAgent: true });
    const memory = memoryUseCases(app);
    const key = await memory.workspaceKey(target);
    // Where no workspace is meant, the first warning says so and how to make one: it comes last of all.
    const how = key === null ? `\n\n${warnings.shift() ?? ''}` : '';
    const lines = warnings.map((warning) => `Warning: ${warning.replace(/\s+/g, ' ')}\n`).join('');
    const told = lines === '' ? '' : `\n${clipEnd(lines, WARNING_CHARS).text}`;
    const room = HOOK_CHARS - told.length - how.length;
    const headings = key === null ? '' : await memory.elidedHeadings(target);
    const text = `${contextText(context, key ?? 'this work', room, unconfirmed, headings)}${told}${how}`;
    if (key !== null) await record(target, 'session-start', text);
    if (call.event === 'session-start') {
      const given = store(call);
      if (call.source === 'clear' || call.source === 'compact') given?.add({ cleared: call.source });
      const { blocks } = await scopeOf(call, id);
      const whole = blocks.filter((block) => text.includes(block.text)).map(({ fingerprint }) => fingerprint);
      if (whole.length > 0) given?.add({ blocks: whole });
      forgetOldSessions(app.home, app.now());
    }
    return { context: text };
  };

  const prompt = async (call: HookCall, id: string | undefined): Promise<HookAnswer> => {
    if ((await app.settings()).text('hook.prompts') === 'off' || !isTyped(call.prompt)) return {};
    const scope = await scopeOf(call, id);
    const given = store(call);
    const before = given?.read();
    // Each event loads what it needs itself: a start of a session asks for none of this.
    const { relevantNotes, tellingTerms } = await import('./relevant-notes.ts');
    const tokenizer = (await import('../matching/text/terms.ts')).createTokenizer();
    const { places, isIndexed } = await placesFor(call, tellingTerms(call.prompt, tokenizer).rare, tokenizer);
    const fresh = scope.blocks.filter(({ fingerprint }) => !before?.blocks.has(fingerprint));
    const isAfterCompaction = before?.isCompacted === true;
    if (isAfterCompaction) given?.add({ prompt: true });
    return push(call, scope, {
      notes: relevantNotes(fresh, call.prompt, tokenizer),
      places: places.filter(({ path }) => !before?.places.has(path)),
      wrapUp: isAfterCompaction && scope.settings.text('hook.wrap_up') === 'on' ? WRAP_UP : '',
      arguments: isIndexed ? {} : { index: 'none' },
    });
  };

  // As much as fits of what this session has not been given yet, and that it was given.
  const push = async (
    call: HookCall,
    { settings, target, workspace, faults }: Scope,
    what: { notes: Confirmed[]; places?: Place[]; head?: string; wrapUp?: string; arguments?: Record<string, unknown> },
  ): Promise<HookAnswer> => {
    const given = store(call);
    const tokens = Math.min(settings.number('hook.max_tokens'), SESSION_TOKENS - (given?.read().tokens ?? 0));
    const pushed = pushedText(what.notes, what.places ?? [], { tokens, faults, head: what.head });
    const text = [pushed.text, what.wrapUp ?? ''].filter((part) => part !== '').join('\n\n');
    if (text === '') return {};
    const safe = await scanned(workspace, text);
    given?.add({
      blocks: pushed.notes.map(({ fingerprint }) => fingerprint),
      places: pushed.places.map(({ path }) => path),
      tokens: pushed.tokens,
    });
    if (workspace) await record(target, call.event, safe, what.arguments);
    return { context: safe };
  };

  const placesFor = async (
    { cwd, prompt: text }: HookCall,
    telling: ReadonlySet<string>,
    tokenizer: Tokenizer,
  ): Promise<{ places: Place[]; isIndexed: boolean }> => {
    const project = gitRoot(cwd ?? app.cwd);
    if (telling.size === 0) return { places: [], isIndexed: true };
    if (project === null) return { places: [], isIndexed: false };
    const matching = await rooms.matching();
    if (!matching.hasIndex(project)) return { places: [], isIndexed: false };
    const found = await matching.rankedMatches(text, { project, top: MOST_PLACES, mostRead: MOST_READ });
    return { places: standingOut(found, telling, tokenizer).map(placeOf), isIndexed: true };
  };

  const tool = async (call: HookCall, id: string | undefined): Promise<HookAnswer> => {
    if (call.isBroken) throw invalidInput('What the client said of this tool could not be read.', 'Try it again.');
    if (call.tool === null && !(call.isEmpty && call.event === 'before-tool')) return {};
    const scope = await scopeOf(call, id);
    const { blocks, rules, missing, settings, workspace } = scope;
    if (call.tool === null) return rules().length === 0 ? {} : { stop: { decision: 'ask', reason: UNREAD } };
    const stopBefore = async () =>
      (await guardedWrite(call, blocks)) ??
      (await stopOf(call, rules())) ??
      (settings.unsure && doesAnything(call) ? asked(settings.unsure) : askOnce(call, missing()));
    const stop = call.event === 'before-tool' ? await stopBefore() : undefined;
    if (stop) {
      const use = clipEnd(call.tool.command ?? call.tool.paths.join(', '), STOPPED_CHARS).text;
      const entry = { type: 'stopped', client: call.client, use, reason: stop.reason } as const;
      // It holds, whether or not it can be written down.
      if (!isTrial)
        await rooms.session(workspace && scope.target, 'hook').then(
          (session) => session.record(entry),
          () => undefined,
        );
      return { stop };
    }
    const said = realPath(call.cwd ?? app.cwd) === null ? GONE : settings.warnings[0];
    if (said !== undefined && call.event === 'before-tool' && !store(call)?.read().said.has(said)) {
      store(call)?.add({ said });
      return { context: `Bearings: ${said}` };
    }
    if (takesContextBefore(call.client) !== (call.event === 'before-tool')) return {};
    return notesForPaths(call, scope);
  };

  // A write into the client's own memory, which the person put behind the gate.
  const guardedWrite = async (call: HookCall, blocks: readonly Confirmed[]): Promise<HookAnswer['stop']> => {
    const { tool: use, client } = call;
    // Asked first: mostly nothing is guarded, and then nothing is loaded for it.
    if (use === null || !readGuards(app.home).includes(client)) return undefined;
    const guard = await rooms.guard();
    const rule = guard.guardRule(client);
    if (rule === null) return undefined;
    const { matchesPath, stopFor } = await loadRules();
    const cwd = call.cwd ?? app.cwd;
    const forms = formsIn(cwd);
    const isOwn = (path: string) => rule.patterns.some((pattern) => matchesPath(pattern, forms(path)));
    const file = use.kind === 'edits' ? use.paths.find(isOwn) : undefined;
    const confirmed = blocks.map(({ text }) => text);
    if (file !== undefined)
      return { decision: 'deny', reason: await guard.proposeWrite({ client, cwd, file, confirmed }, use.written) };
    const stop = use.command === null ? null : stopFor([rule], { command: use.command, edits: [] }, forms);
    return stop ? { decision: 'deny', reason: rule.sentence } : undefined;
  };

  const sweep = async (call: HookCall, id: string | undefined): Promise<void> => {
    if (!readGuards(app.home).includes(call.client)) return;
    const guard = await rooms.guard();
    // A memory that can't be moved must not keep the client from working.
    await scopeOf(call, id)
      .then(({ blocks }) => guard.sweepMemory(call.client, call.cwd ?? app.cwd, () => blocks.map(({ text }) => text)))
      .catch(() => undefined);
  };

  // Notes that belong to a file come with the first tool that reads or edits it.
  const notesForPaths = async (call: HookCall, scope: Scope): Promise<HookAnswer> => {
    const { tool: use } = call;
    const withPaths = scope.blocks.filter(({ paths }) => paths.length > 0);
    if (use === null || withPaths.length === 0) return {};
    const { matchesPath, splitShell } = await loadRules();
    // A shell reads files too: what its command names and is there.
    const named = splitShell(use.command ?? '').commands.flatMap(({ words, writes, folder }) =>
      [...words.slice(1), ...writes].map((path) => ({ path, folder })),
    );
    const formsOf = formsIn(call.cwd ?? app.cwd);
    const isName = ({ path }: { path: string }) => !/^-|[\n*\ufffc]/.test(path);
    const inShell = named
      .slice(0, MOST_NAMED)
      .filter(isName)
      .map(({ path, folder }) => formsOf(path, folder));
    const forms = [
      ...(use.kind === 'other' ? [] : use.paths).map((path) => formsOf(path)),
      ...inShell.filter(([whole = '']) => realPath(whole) !== null),
    ];
    const before = store(call)?.read();
    const belongs = ({ paths }: Confirmed) => paths.some((path) => forms.some((form) => matchesPath(path, form)));
    const notes = withPaths.filter((note) => !before?.blocks.has(note.fingerprint) && belongs(note));
    return push(call, scope, { notes, head: PATH_LINE });
  };

  const stopOf = async (call: HookCall, rules: readonly SignedRule[]): Promise<HookAnswer['stop']> => {
    const { tool: use } = call;
    if (use === null) return undefined;
    const { splitShell, stopFor } = await loadRules();
    const cwd = call.cwd ?? app.cwd;
    const own = (await rooms.protectedFiles())(gitRoot(cwd) ?? cwd);
    const forms = formsIn(cwd);
    const edits = use.kind === 'edits' ? use.paths.map((path) => forms(path)) : [];
    const stop = stopFor<SignedRule | typeof own>([...rules, own], { command: use.command, edits }, forms);
    const changes = () => splitShell(use.command ?? '').commands.some(({ words }) => own.isChangedBy(words));
    if (stop === null)
      return own.mayBeIn(use.command) && changes() ? { decision: 'ask', reason: own.sentence } : undefined;
    const { rule, decision } = stop;
    if (rule === null) return { decision, reason: UNCLEAR };
    if (rule === own) return { decision, reason: rule.sentence };
    const { at = null, by = 'you' } = 'at' in rule ? rule : {};
    const signatory = by === 'you' ? 'the person' : 'somebody whose key the person trusts';
    const why =
      at === null ? 'the record is damaged: nobody signed this line' : `a rule ${signatory} signed on ${dayOf(at)}`;
    return { decision, reason: `Bearings: "${rule.sentence}" (${why})` };
  };

  // A rule may have gone with its decision: nobody can tell which, so the first thing done in a session is asked about.
  const askOnce = (call: HookCall, [said]: readonly string[]): HookAnswer['stop'] => {
    const given = doesAnything(call) ? store(call) : null;
    if (said === undefined || given === null || given.read().said.has(said)) return undefined;
    given.add({ said });
    return { decision: 'ask', reason: `Bearings: ${said} ${MAY_BE_GONE}` };
  };

  // Every way a file may be called: as it is written, and where its links lead, inside the project and out.
  const formsIn = (cwd: string) => {
    const person = neededPersonFolder(app.variables);
    const top = gitRoot(cwd) ?? cwd;
    const tops = new Set([top, realPath(top) ?? top]);
    const full = (text: string) => (/^~(?=\/|$)/.test(text) ? join(person, text.slice(1)) : text);
    return (path: string, folder = ''): string[] => {
      const whole = resolve(cwd, full(folder), full(path));
      return [...new Set([whole, realPlace(whole)])].flatMap((each) => [
        each,
        ...(isInside(person, each) ? [`~/${relative(person, each)}`] : []),
        ...[...tops].filter((root) => isInside(root, each)).map((root) => relative(root, each)),
      ]);
    };
  };

  const record = async (
    target: TargetLike,
    event: HookEvent,
    text: string,
    given: Record<string, unknown> = {},
  ): Promise<void> => {
    if (isTrial) return;
    const session = await rooms.session(target, 'hook').catch((error: unknown) => {
      // With a slip in the settings there is no session, and what holds is given all the same.
      if (error instanceof BearingsError && error.code === 'invalid_input') return null;
      throw error;
    });
    session?.served(text, { tool: `hook ${event}`, arguments: given });
  };

  const store = ({ client, session }: HookCall): GivenStore | null =>
    session === null || isTrial ? null : givenTo(app.home, client, session);

  const failed = (call: HookCall, error: unknown): HookAnswer => {
    const reason = error instanceof BearingsError ? error.message : 'Something went wrong inside bearings.';
    if (call.event === 'session-start' || call.event === 'subagent-start')
      return { context: `Bearings could not bring the context: ${reason} The person can run: bearings doctor` };
    // The state of a clone or of the settings, and no failure of ours.
    const isState = error instanceof BearingsError && error.code !== 'io_error' && !call.isBroken;
    if (isState && call.event === 'before-tool' && doesAnything(call)) return { stop: asked(reason) };
    // Once a session: the tool runs, and the person learns that no rule held it.
    const given = store(call);
    if (call.event !== 'before-tool' || given?.read().said.has('failed')) return {};
    given?.add({ said: 'failed' });
    return {
      context: `Bearings could not check this tool, so no rule held it: ${reason} The person can run: bearings doctor`,
    };
  };

  const answers: Partial<Record<HookEvent, typeof tool>> = {
    ...{ 'session-start': sessionStart, 'subagent-start': sessionStart, prompt },
    ...{ 'before-tool': tool, 'after-tool': tool },
  };

  return {
    /** In the client's own form; an empty text: nothing to say. Never throws. */
    async answerHook(client: string, event: HookEvent, input: string, id?: string): Promise<string> {
      const call = readCall(client, event, input);
      const answer = async (): Promise<HookAnswer> => {
        if (event !== 'before-tool' && !isTrial) await sweep(call, id);
        if (event === 'before-compaction') store(call)?.add({ cleared: 'compact' });
        if (event === 'session-end') forgetOldSessions(app.home, app.now());
        return (await answers[event]?.(call, id)) ?? {};
      };
      return writeAnswer(client, event, await answer().catch((error: unknown) => failed(call, error)));
    },

    /** The text at the start of a session, as a program gets it. */
    async hookContext(id: string | undefined, input: string): Promise<string> {
      const call = readCall('claude-code', 'session-start', input);
      return (await sessionStart(call, id).catch((error: unknown) => failed(call, error))).context ?? '';
    },

    /** What the rules in force say of a text, taken for a command line and for a path. */
    async tryRules(text: string, target: TargetLike = {}) {
      const settings = await opened.settings();
      const { missing, ...confirmed } = confirmedIn(app, settings, meantOrNone(settings, target));
      const rules = confirmed.rules();
      const call = readCall('', 'before-tool', JSON.stringify({ cwd: app.cwd }));
      const tool = { command: text, paths: [text], kind: 'edits' as const, written: null };
      const stop = (await stopOf({ ...call, tool }, rules)) ?? null;
      return { stop, rules, warnings: missing() };
    },
  };
}

const loadRules = () => import('./rules.ts');
const doesAnything = ({ tool }: HookCall): boolean => tool?.kind === 'edits' || tool?.command != null;
const asked = (why: string): HookAnswer['stop'] => ({
  decision: 'ask',
  reason: `Bearings: a rule of the person may be missing until this is mended: ${why}`,
});

const UNCLEAR =
  'Bearings: this command can’t be split into what it would run, and the person has rules about commands.';
const GONE = 'The folder that this was started in is gone, so only what holds for all work does.';
const UNREAD = 'Bearings: the client did not say in time what would run, so no rule could be checked.';
const MAY_BE_GONE = 'A rule they signed may be gone with it: this is asked once in a session.';
const WRAP_UP =
  'The context was compacted. If something was learnt that should last (a correction, a decision, a fact about this project), propose it with propose_notes_update or propose_taste_update; the person decides.';

// Texts that nobody typed: notices of a client, and its own commands.
function isTyped(text: string): boolean {
  return text.trim() !== '' && !/^\s*(?:<[a-z][\w-]*>|\/[a-z][\w:-]*\s*$)/.test(text);
}

async function scanned(workspace: Workspace | null, text: string): Promise<string> {
  if (workspace === null || workspace.kind === 'home') return text;
  return (await import('../memory/repository-memory.ts')).scanText('notes.md', text).text;
}

const LEAST_OF_BEST = 0.4;

// Called by its name, or with a telling word of the prompt in it, and not far behind the best.
function standingOut(found: readonly RankedMatch[], telling: ReadonlySet<string>, tokenizer: Tokenizer): RankedMatch[] {
  const isTold = ({ words }: RankedMatch) =>
    words.some((word) => tokenizer.list(word).some((term) => telling.has(term)));
  const [best] = found;
  if (!best || !found.slice(0, 3).some(isTold)) return [];
  // One word alone may be chance, unless it is what something is called.
  const { path = 0, identifier = 0, name = 0 } = best.parts;
  if (telling.size < 2 && path + identifier + name === 0) return [];
  return found.filter(({ score }) => score >= best.score * LEAST_OF_BEST);
}

function placeOf({ path, parts, words, passages: [best] }: RankedMatch): Place {
  const isNamed = (parts.path ?? 0) + (parts.identifier ?? 0) + (parts.name ?? 0) > 0;
  const beside = (parts.source ?? 0) > 0 && words.length === 0;
  const why = isNamed ? 'named in the prompt' : beside ? 'next to a place named here' : words.slice(0, 4).join(', ');
  const { start = null, end = null, title = null } = best ?? {};
  return { path, start, end, title, why: why === '' ? 'changed with such work before' : why };
}
