import { openRooms } from './bearings.ts';
import { invalidInput } from './errors.ts';
import type { ProposalInput } from './gate/proposals/proposal.ts';
import type { Session } from './gate/sessions/sessions.ts';
import * as takes from './library-options.ts';
import type { Bundle } from './loader/bundle/bundle.ts';
import { method, needed, oneOf, text } from './options.ts';
import type { BearingsOptions } from './settings/app-context.ts';
import type { Task } from './tasks/template/template.ts';

/** What a program may call, by subject. The code behind a method is loaded at its first call. */
export type Bearings = ReturnType<typeof openBearings>;

/** Opens the person's files. Nothing is read before the first call, and each call reads what is there at that moment. */
export function openBearings(options: BearingsOptions = {}) {
  const rooms = openRooms(options);
  const ended = new WeakSet<Session>();
  return {
    /** What lasts: tastes, brief, notes, log and gaps, and the workspaces they lie in. */
    memory: {
      /** Tastes, brief, notes, recent log and gaps of a workspace in their fixed order, with the warnings beside them. */
      read: method('memory.read', { options: takes.READ }, async (options: takes.ReadOptions = {}) =>
        (await rooms.memory()).readContext({ id: options.workspace }, options),
      ),

      /** A window of the notes, line by line; `next_offset` says where to go on. */
      readNotes: method('memory.readNotes', { options: takes.NOTES }, async (options: takes.NotesOptions = {}) =>
        (await rooms.memory()).readNotes({ id: options.workspace }, options),
      ),

      /** Blocks of tastes, briefs, notes, archives, decisions and transcripts that say these words, the best first. */
      search: method(
        'memory.search',
        { words: needed(text), options: takes.IN_WORKSPACE },
        async (words: string, options: takes.WorkspaceOptions = {}) =>
          (await rooms.gate()).search(words, options.workspace),
      ),

      /** For a line that an agent was given: the decision, file or record it comes from, and when it was served. */
      why: method(
        'memory.why',
        { text: needed(text), options: takes.IN_WORKSPACE },
        async (text: string, options: takes.WorkspaceOptions = {}) =>
          (await rooms.gate()).why(text, { id: options.workspace }),
      ),

      /** What agents missed, the worst first: how often, how recent, how badly. */
      gaps: method('memory.gaps', { options: takes.IN_WORKSPACE }, async (options: takes.WorkspaceOptions = {}) =>
        (await rooms.gate()).rankedGaps({ id: options.workspace }),
      ),

      /** The workspaces of the home, and the one of the repository that `cwd` is in. */
      listWorkspaces: method('memory.listWorkspaces', {}, async () => (await rooms.workspaces()).listWorkspaces()),
    },

    /** What can change memory, as far as a program may go by itself: sessions, proposals, and the record of decisions. */
    gate: {
      /** Opens a client's session in a workspace, or with null in none; proposals are made from it. */
      openSession: method(
        'gate.openSession',
        { options: needed(takes.SESSION) },
        async ({ workspace, client }: takes.SessionOptions) =>
          (await rooms.sessions()).openSession(workspace === null ? null : { id: workspace }, client),
      ),

      /** Ends a session: what the person saw of it and left undecided is set aside, and those ids are returned. */
      endSession: method('gate.endSession', { session: takes.OPENED }, async (session: Session) => {
        const discarded = await (await rooms.gate()).endSession(session);
        session.end('ended');
        ended.add(session);
        return discarded;
      }),

      /** Proposes a change of notes or of a taste. It waits for the person; nothing is written to memory. */
      propose: method(
        'gate.propose',
        { session: takes.OPENED, proposal: needed(takes.PROPOSAL) },
        async (session: Session, proposal: ProposalInput) => {
          if (ended.has(session)) throw invalidInput('This session has ended.', 'Open another one: gate.openSession');
          return (await rooms.gate()).propose(session, proposal);
        },
      ),

      /** Takes back a proposal of the same session. */
      withdrawProposal: method(
        'gate.withdrawProposal',
        { session: takes.OPENED, proposalId: needed(text) },
        async (session: Session, proposalId: string) => (await rooms.gate()).withdrawProposal(session, proposalId),
      ),

      /** The proposals that wait, of a workspace or of all. */
      listProposals: method(
        'gate.listProposals',
        { options: takes.IN_WORKSPACE },
        async (options: takes.WorkspaceOptions = {}) =>
          (await rooms.gate()).listProposals(options.workspace === undefined ? 'all' : { id: options.workspace }),
      ),

      /** Adds an operation to the workspace's log; it needs no decision. */
      logOperation: method(
        'gate.logOperation',
        { options: needed(takes.OPERATION) },
        async ({ workspace, op, details }: takes.OperationOptions) =>
          (await rooms.sessions()).logOperation({ id: workspace }, op, details),
      ),

      /** Records something that the vocabulary lacked; it needs no decision. */
      logGap: method(
        'gate.logGap',
        { options: needed(takes.GAP) },
        async ({ workspace, sessionId, ...gap }: takes.GapOptions) =>
          (await rooms.sessions()).logGap({ id: workspace }, sessionId ?? null, documentNames(gap)),
      ),

      /** The sessions of a workspace, or of all; the newest first. */
      listSessions: method(
        'gate.listSessions',
        { options: takes.IN_WORKSPACE },
        async (options: takes.WorkspaceOptions = {}) => (await rooms.gate()).listSessions(options.workspace),
      ),

      /** The transcript of one session. */
      readSession: method(
        'gate.readSession',
        { sessionId: needed(text), options: takes.IN_WORKSPACE },
        async (sessionId: string, options: takes.WorkspaceOptions = {}) =>
          (await rooms.gate()).readSession(sessionId, options.workspace),
      ),

      /** Entries of transcripts that hold all these words. */
      searchSessions: method(
        'gate.searchSessions',
        { words: needed(text), options: takes.IN_WORKSPACE },
        async (words: string, options: takes.WorkspaceOptions = {}) =>
          (await rooms.gate()).searchSessions(words, options.workspace),
      ),

      /** Which decision stands behind each block of a file. */
      blame: method(
        'gate.blame',
        { file: needed(text), options: takes.IN_WORKSPACE },
        async (file: string, options: takes.WorkspaceOptions = {}) =>
          (await rooms.gate()).blame(file, { id: options.workspace }),
      ),

      /** Every decision on a file with what it added and took out, the newest first. */
      history: method(
        'gate.history',
        { file: needed(text), options: takes.IN_WORKSPACE },
        async (file: string, options: takes.WorkspaceOptions = {}) =>
          (await rooms.gate()).history(file, { id: options.workspace }),
      ),

      /** Checks every ledger; with the code or the fingerprint that the person wrote down. */
      verify: method('gate.verify', { options: takes.VERIFY }, async (options: takes.VerifyOptions = {}) =>
        (await rooms.gate()).verify(options.passphrase, options.expected),
      ),
    },

    /** Bundles of a project's files. */
    loader: {
      /** Builds a bundle of a project's files for a task, under the policy's budget. */
      load: method('loader.load', { options: takes.LOAD }, async (options: takes.LoadOptions = {}) =>
        (await rooms.loader()).loadContext(loadRequest(options)),
      ),

      /** Why a path is in a bundle, or why it is not. */
      explain: method(
        'loader.explain',
        { path: needed(text), options: takes.LOAD },
        async (path: string, options: takes.LoadOptions = {}) =>
          (await rooms.loader()).explainPath(path, loadRequest(options)),
      ),

      /** The same bundle as JSON, Markdown or XML. */
      render: method(
        'loader.render',
        { bundle: takes.BUNDLE, as: needed(oneOf('json', 'markdown', 'xml')) },
        async (bundle: Bundle, as: 'json' | 'markdown' | 'xml') => (await rooms.loader()).renderBundle(bundle, as),
      ),

      /** What changed from one bundle to another. */
      diff: method('loader.diff', { before: takes.SAVED, after: takes.SAVED }, async (before: Bundle, after: Bundle) =>
        (await rooms.loader()).diffBundles(before, after),
      ),

      /** Builds a bundle again with its own arguments and says whether it would differ. */
      drift: method(
        'loader.drift',
        { bundle: takes.SAVED, options: takes.DRIFT },
        async (bundle: Bundle, options: takes.DriftOptions = {}) =>
          (await rooms.loader()).driftOf(bundle, { dir: options.project, slice: options.slice }),
      ),

      /** How much of past changes the bundles would have contained, beside plain retrieval under the same budget. */
      evaluate: method(
        'loader.evaluate',
        { options: takes.EVALUATE },
        async ({ project, onCase, ...limits }: takes.EvaluateOptions = {}) =>
          (await rooms.evaluation()).evaluate({ ...documentNames(limits), dir: project, onCase }),
      ),
    },

    /** Which files of a project belong to a task. Offline; the index lies in the cache folder. */
    matching: {
      /** The files that are related to a task, in no order (`getRelevantContextFor`). */
      match: method(
        'matching.match',
        { input: needed(takes.MATCH_INPUT), options: takes.MATCH },
        async (input: takes.MatchInput, options: takes.MatchOptions = {}) =>
          (await rooms.matching()).relevantContext(input, { project: '.', ...options }),
      ),

      /** The files that belong most to a task, the best first, with the parts of each score and the best passages. */
      rank: method(
        'matching.rank',
        { task: needed(text), options: takes.RANK },
        async (task: string, options: takes.RankOptions = {}) =>
          (await rooms.matching()).rankedMatches(task, { project: '.', ...options }),
      ),
    },

    /** Templates and their runs. */
    tasks: {
      /** Reads a template file, XML or JSON, and gives the task or every problem with its line and column. */
      check: method(
        'tasks.check',
        { path: needed(text), options: takes.CHECK },
        async (path: string, options: takes.CheckOptions = {}) => (await rooms.runs()).checkTask(path, options),
      ),

      /** Runs a task with a journal, so that `resume` can go on after a crash without asking a model again. */
      run: method(
        'tasks.run',
        { task: takes.TASK, options: takes.RUN_OPTIONS },
        async (task: Task, options: takes.RunOptions = {}) => (await rooms.runs()).startRun(task, options, options),
      ),

      /** Goes on with a run, by its id or `last` (the newest one of this project). Finished steps are not done again. */
      resume: method(
        'tasks.resume',
        { id: needed(text), options: takes.WATCH_OPTIONS },
        async (id: string, options: takes.WatchOptions = {}) => (await rooms.runs()).resumeRun(id, options),
      ),

      /** The runs of this home; the newest first. */
      list: method('tasks.list', {}, async () => (await rooms.runs()).listRuns()),

      /** One run with its steps, by its id or `last`. */
      show: method('tasks.show', { id: needed(text) }, async (id: string) => (await rooms.runs()).showRun(id)),

      /** Stops a run; it can be resumed. */
      cancel: method('tasks.cancel', { id: needed(text) }, async (id: string) => (await rooms.runs()).cancelRun(id)),

      /** Puts a run into the queue of a PostgreSQL database and returns its id. */
      submit: method(
        'tasks.submit',
        { task: takes.TASK, options: needed(takes.SUBMIT) },
        async (task: Task, { engine, ...rest }: takes.SubmitOptions) =>
          (await rooms.sharedRuns(engine)).submitRun(task, rest),
      ),

      /** Waits for a run of a database, by its id or `last`. */
      follow: method(
        'tasks.follow',
        { id: needed(text), options: needed(takes.FOLLOW) },
        async (id: string, { engine, ...watch }: takes.FollowOptions) =>
          (await rooms.sharedRuns(engine)).followRun(id, watch),
      ),
    },
  };
}

function loadRequest({ project, onProgress, ...rest }: takes.LoadOptions) {
  return { ...documentNames(rest), dir: project, onProgress };
}

type DocumentName<S extends string> = S extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${DocumentName<Rest>}`
  : S;

// In files and in tools a name is written as the documents do it.
function documentNames<T extends object>(options: T): { [K in keyof T & string as DocumentName<K>]: T[K] } {
  const entries = Object.entries(options).map(([name, value]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  return Object.fromEntries(entries);
}
