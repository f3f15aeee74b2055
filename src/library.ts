import { openRooms } from './bearings.ts';
import { invalidInput } from './errors.ts';
import type { Session } from './gate/sessions/sessions.ts';
import * as takes from './library-options.ts';
import { as, method, needed, oneOf, type TypeOf, text } from './options.ts';
import type { BearingsOptions } from './settings/bearings-options.ts';
import type { Task } from './tasks/template/template.ts';

/** What a program may call, by subject. The code behind a method is loaded at its first call. */
export type Bearings = ReturnType<typeof openBearings>;

const FILE = as('file', needed(text));
const ID = as('id', needed(text));
const SESSION = as('session', takes.OPENED);
const TASK = as('task', takes.TASK);
const WORDS = as('words', needed(text));

/** Opens the person's files. Nothing is read before the first call, and each call reads what is there at that moment. */
export function openBearings(options: BearingsOptions = {}) {
  const { gate, loader, matching, memory, runs, sessions, ...rooms } = openRooms(options);
  const ended = new WeakSet<Session>();
  return {
    /** What lasts: tastes, brief, notes, log and gaps, and the workspaces they lie in. */
    memory: {
      /** Tastes, brief, notes, recent log and gaps of a workspace in their fixed order, with the warnings beside them. */
      read: method('memory.read', [takes.READ], async (options = {}) =>
        (await memory()).readContext({ id: options.workspace }, options),
      ),

      /** A window of the notes, line by line; `next_offset` says where to go on. */
      readNotes: method('memory.readNotes', [takes.NOTES], async (options = {}) =>
        (await memory()).readNotes({ id: options.workspace }, options),
      ),

      /** Blocks of tastes, briefs, notes, archives, decisions and transcripts that say these words, the best first. */
      search: method('memory.search', [WORDS, takes.IN_WORKSPACE], async (words, options = {}) =>
        (await gate()).search(words, options.workspace),
      ),

      /** For a line that an agent was given: the decision, file or record it comes from, and when it was served. */
      why: method('memory.why', [as('text', needed(text)), takes.IN_WORKSPACE], async (text, options = {}) =>
        (await gate()).why(text, { id: options.workspace }),
      ),

      /** What agents missed, the worst first: how often, how recent, how badly. */
      gaps: method('memory.gaps', [takes.IN_WORKSPACE], async (options = {}) =>
        (await gate()).rankedGaps({ id: options.workspace }),
      ),

      /** The workspaces of the home, and the one of the repository that `cwd` is in. */
      listWorkspaces: method('memory.listWorkspaces', [], async () => (await rooms.workspaces()).listWorkspaces()),
    },

    /** What can change memory, as far as a program may go by itself: sessions, proposals, and the record of decisions. */
    gate: {
      /** Opens a client's session in a workspace, or with null in none; proposals are made from it. */
      openSession: method('gate.openSession', [needed(takes.SESSION)], async (options) =>
        (await sessions()).openSession(options.workspace === null ? null : { id: options.workspace }, options.client),
      ),

      /** Ends a session: what the person saw of it and left undecided is set aside, and those ids are returned. */
      endSession: method('gate.endSession', [SESSION], async (session) => {
        const discarded = await (await gate()).endSession(session);
        session.end('ended');
        ended.add(session);
        return discarded;
      }),

      /** Proposes a change of notes or of a taste. It waits for the person; nothing is written to memory. */
      propose: method('gate.propose', [SESSION, as('proposal', needed(takes.PROPOSAL))], async (session, proposal) => {
        if (ended.has(session)) throw invalidInput('This session has ended.', 'Open another one: gate.openSession');
        return (await gate()).propose(session, proposal);
      }),

      /** Takes back a proposal of the same session. */
      withdrawProposal: method(
        'gate.withdrawProposal',
        [SESSION, as('proposalId', needed(text))],
        async (session, proposalId) => (await gate()).withdrawProposal(session, proposalId),
      ),

      /** The proposals that wait, of a workspace or of all. */
      listProposals: method('gate.listProposals', [takes.IN_WORKSPACE], async (options = {}) =>
        (await gate()).listProposals(takes.targetOf(options)),
      ),

      /** Adds an operation to the workspace's log; it needs no decision. */
      logOperation: method('gate.logOperation', [needed(takes.OPERATION)], async (options) =>
        (await sessions()).logOperation({ id: options.workspace }, options.op, options.details),
      ),

      /** Records something that the vocabulary lacked; it needs no decision. */
      logGap: method('gate.logGap', [needed(takes.GAP)], async (options) => {
        const { workspace, sessionId = null, ...gap } = options;
        return (await sessions()).logGap({ id: workspace }, sessionId, documentNames(gap));
      }),

      /** The sessions of a workspace, or of all; the newest first. */
      listSessions: method('gate.listSessions', [takes.IN_WORKSPACE], async (options = {}) =>
        (await gate()).listSessions(options.workspace),
      ),

      /** The transcript of one session. */
      readSession: method(
        'gate.readSession',
        [as('sessionId', needed(text)), takes.IN_WORKSPACE],
        async (sessionId, options = {}) => (await gate()).readSession(sessionId, options.workspace),
      ),

      /** Entries of transcripts that hold all these words. */
      searchSessions: method('gate.searchSessions', [WORDS, takes.IN_WORKSPACE], async (words, options = {}) =>
        (await gate()).searchSessions(words, options.workspace),
      ),

      /** Which decision stands behind each block of a file. */
      blame: method('gate.blame', [FILE, takes.IN_WORKSPACE], async (file, options = {}) =>
        (await gate()).blame(file, { id: options.workspace }),
      ),

      /** Every decision on a file with what it added and took out, the newest first. */
      history: method('gate.history', [FILE, takes.IN_WORKSPACE], async (file, options = {}) =>
        (await gate()).history(file, { id: options.workspace }),
      ),

      /** Checks every ledger; with the code or the fingerprint that the person wrote down. */
      verify: method('gate.verify', [takes.VERIFY], async (options = {}) =>
        (await gate()).verify(options.passphrase, options.expected),
      ),
    },

    /** Bundles of a project's files. */
    loader: {
      /** Builds a bundle of a project's files for a task, under the policy's budget. */
      load: method('loader.load', [takes.LOAD], async (options = {}) =>
        (await loader()).loadContext(loadRequest(options)),
      ),

      /** Why a path is in a bundle, or why it is not. */
      explain: method('loader.explain', [as('path', needed(text)), takes.LOAD], async (path, options = {}) =>
        (await loader()).explainPath(path, loadRequest(options)),
      ),

      /** The same bundle as JSON, Markdown or XML. */
      render: method(
        'loader.render',
        [as('bundle', takes.BUNDLE), as('as', needed(oneOf('json', 'markdown', 'xml')))],
        async (bundle, as) => (await loader()).renderBundle(bundle, as),
      ),

      /** What changed from one bundle to another. */
      diff: method('loader.diff', [as('before', takes.SAVED), as('after', takes.SAVED)], async (before, after) =>
        (await loader()).diffBundles(before, after),
      ),

      /** Builds a bundle again with its own arguments and says whether it would differ. */
      drift: method('loader.drift', [as('bundle', takes.SAVED), takes.DRIFT], async (bundle, options = {}) =>
        (await loader()).driftOf(bundle, { dir: options.project, slice: options.slice }),
      ),

      /** How much of past changes the bundles would have contained, beside plain retrieval under the same budget. */
      evaluate: method('loader.evaluate', [takes.EVALUATE], async (options = {}) => {
        const { project, onCase, ...limits } = options;
        return (await rooms.evaluation()).evaluate({ ...documentNames(limits), dir: project, onCase });
      }),
    },

    /** Which files of a project belong to a task. Offline; the index lies in the cache folder. */
    matching: {
      /** The files that are related to a task, in no order (`getRelevantContextFor`). */
      match: method(
        'matching.match',
        [as('input', needed(takes.MATCH_INPUT)), takes.MATCH],
        async (input, options = {}) => (await matching()).relevantContext(input, { project: '.', ...options }),
      ),

      /** The files that belong most to a task, the best first, with the parts of each score and the best passages. */
      rank: method('matching.rank', [as('task', needed(text)), takes.RANK], async (task, options = {}) =>
        (await matching()).rankedMatches(task, { project: '.', ...options }),
      ),
    },

    /** Templates and their runs. */
    tasks: {
      /** Reads a template file, XML or JSON, and gives the task or every problem with its line and column. */
      check: method('tasks.check', [as('path', needed(text)), takes.CHECK], async (path, options = {}) =>
        (await runs()).checkTask(path, options),
      ),

      /** Runs a task with a journal, so that `resume` can go on after a crash without asking a model again. */
      run: method('tasks.run', [TASK, takes.RUN_OPTIONS], async (task: Task, options = {}) =>
        (await runs()).startRun(task, options, options),
      ),

      /** Goes on with a run, by its id or `last` (the newest one of this project). Finished steps are not done again. */
      resume: method('tasks.resume', [ID, takes.WATCH_OPTIONS], async (id, options = {}) =>
        (await runs()).resumeRun(id, options),
      ),

      /** The runs of this home; the newest first. */
      list: method('tasks.list', [], async () => (await runs()).listRuns()),

      /** One run with its steps, by its id or `last`. */
      show: method('tasks.show', [ID], async (id) => (await runs()).showRun(id)),

      /** Stops a run; it can be resumed. */
      cancel: method('tasks.cancel', [ID], async (id) => (await runs()).cancelRun(id)),

      /** Puts a run into the queue of a PostgreSQL database and returns its id. */
      submit: method('tasks.submit', [TASK, needed(takes.SUBMIT)], async (task: Task, options) =>
        (await rooms.sharedRuns(options.engine)).submitRun(task, options),
      ),

      /** Waits for a run of a database, by its id or `last`. */
      follow: method('tasks.follow', [ID, needed(takes.FOLLOW)], async (id, options) =>
        (await rooms.sharedRuns(options.engine)).followRun(id, options),
      ),
    },
  };
}

function loadRequest({ project, onProgress, ...rest }: TypeOf<typeof takes.LOAD>) {
  return { ...documentNames(rest), dir: project, onProgress };
}

type DocumentName<S extends string> = S extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${DocumentName<Rest>}`
  : S;

// In files and in tools a name is written as the documents do it.
function documentNames<T extends object>(options: T): { [K in keyof T & string as DocumentName<K>]: T[K] } {
  const inDocuments = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [inDocuments(name), value])) as never;
}
