import { locationPath } from '../clients/io/client-locations.ts';
import { INSTRUCTIONS, readImportSources } from '../clients/io/import-sources.ts';
import { blockTools } from '../clients/notes-block.ts';
import { splitLines } from '../code-points.ts';
import { BearingsError } from '../errors.ts';
import { sqlite } from '../files/lock.ts';
import { isInside, join, realPath, relative } from '../files/paths.ts';
import type { gateUseCases } from '../gate/gate.ts';
import { findHiddenCharacter } from '../safety/hidden-characters.ts';
import { findSecrets } from '../safety/secrets.ts';
import type { AppContext } from '../settings/app-context.ts';
import { gitRoot } from '../settings/io/workspace-folders.ts';
import { against, contradictionsIn, goneIn, linesOf, type Place, repeatsIn, type Source, saidIn } from './beliefs.ts';
import { type Candidate, gatherWishes } from './candidates.ts';
import { citedFiles } from './io/cited-files.ts';
import { readDatabases, type StoredSession } from './io/databases.ts';
import { listTranscripts, projectTest, type Transcript, turnsOf } from './io/transcripts.ts';
import type { IsHere, Turn } from './person-turns.ts';
import { wishesIn } from './wishes.ts';

export interface LearnedCandidate extends Candidate {
  /** Where the files that agents read say the same, or the opposite. */
  said: Place[];
  against: Place[];
}

/** What this machine's clients already keep about a project. */
export type Learned = Awaited<ReturnType<ReturnType<typeof learnUseCases>['learn']>>;

export interface LearnOptions {
  onProgress?: ((done: number, total: number) => void) | undefined;
  signal?: AbortSignal | undefined;
  /** Only so many bytes of transcripts, the newest. */
  newest?: number;
}

/** The client that learned text comes from; evidence, never a signature. */
const LEARN_CLIENT = 'learn';
const KEPT = [...INSTRUCTIONS, 'claude-memory', 'codex-memory', 'gemini-memory'];
const NOTHING_HERE = 'nothing of it was found here';
const LONGEST_REASON = 500;
const MOST_SEEN = 200_000;
const LONGEST_RETYPED = 120;

export function learnUseCases(app: AppContext, openGate: () => Promise<ReturnType<typeof gateUseCases>>) {
  const projectRoot = (): string => {
    const root = gitRoot(app.cwd) ?? app.cwd;
    return realPath(root) ?? root;
  };

  const readSources = async (root: string) => {
    const { folders, tastesFolder } = await app.settings();
    const { sources, unread } = readImportSources(KEPT, {
      own: [app.home, app.cacheFolder, folders.workspaces, tastesFolder],
      ...{ home: app.inFull('~'), root, inFull: app.inFull },
      forPerson: (path) => (isInside(root, path) ? relative(root, path) : app.forPerson(path)),
    });
    return {
      // CLAUDE.md is often a link to AGENTS.md: one text, one source.
      sources: sources
        .filter(({ text }, at) => sources.findIndex((other) => other.text === text) === at)
        // Our own block repeats memory on purpose.
        .map(({ name, text, inProject = false }) => ({
          ...{ name, inProject },
          text: withoutSecrets(blockTools.take(text, 0) ?? text),
        })),
      unread: unread.filter(({ reason }) => reason !== NOTHING_HERE),
    };
  };

  const goneFrom = async (root: string, sources: readonly Source[]) => {
    const project = await citedFiles(root);
    return project ? goneIn(sources, project) : [];
  };

  return {
    /** Files and scripts that instructions of the project name and that are gone. */
    async deadCitations() {
      const root = projectRoot();
      return goneFrom(root, (await readSources(root)).sources);
    },

    /** Reads all of it and writes nothing. Ended by `signal`, it answers with what was read by then. */
    async learn({ onProgress, signal, newest }: LearnOptions = {}) {
      const root = projectRoot();
      const { sources, unread } = await readSources(root);
      const lines = linesOf(sources);
      const place = (base: 'claude' | 'codex' | 'home' | 'application', path: string) =>
        locationPath({ base, path }, root, app.variables);
      const all = listTranscripts({
        root,
        claude: place('claude', 'projects'),
        codex: place('codex', 'sessions'),
        gemini: place('home', '.gemini/tmp'),
      });
      const { XDG_DATA_HOME: data } = app.variables;
      const isHere = projectTest(root);
      const stored = readDatabases(
        {
          OpenCode: data ? join(data, 'opencode/opencode.db') : place('home', '.local/share/opencode/opencode.db'),
          Cursor: place('application', 'Cursor/User'),
        },
        await sqlite(),
        isHere,
      );
      const transcripts = newest === undefined ? all : newestOf(all, newest);
      const read = await readTurns({ transcripts, stored: stored.sessions, isHere, onProgress, signal });
      const beside = (candidate: Candidate): LearnedCandidate => ({
        ...candidate,
        said: saidIn(candidate.text, lines),
        against: against(candidate.text, lines),
      });
      return {
        sources: sources.map(({ name, text }) => ({ name, lines: splitLines(text).length })),
        unread: [...unread, ...stored.unread],
        transcripts: read.transcripts,
        contradictions: contradictionsIn(lines),
        gone: await goneFrom(root, sources),
        repeats: repeatsIn(lines),
        /** What the person said, from the clients' own transcripts. */
        candidates: read.own.map(beside),
        /** The same from histories that lie in the project: the repository's words, never the person's. */
        histories: read.repositorys.map(beside),
        /** Sentences left out because they hold a secret or a hidden character. */
        leftOut: read.leftOut,
        /** The person ended it before everything was read. */
        isPartial: read.isPartial,
      };
    },

    /** Proposals of the workspace here, as one group. What is in memory already, or was declined, is not proposed again. */
    async proposeLearned(
      candidates: readonly Candidate[],
      { id, isRepositorys = false }: { id?: string | undefined; isRepositorys?: boolean } = {},
    ): Promise<{ proposed: number; present: number; refused: { text: string; reason: string }[] }> {
      const gate = await openGate();
      const session = await gate.openSession({ id }, LEARN_CLIENT);
      const refused: { text: string; reason: string }[] = [];
      let [proposed, present] = [0, 0];
      for (const candidate of candidates) {
        const reason = evidenceOf(candidate, isRepositorys);
        try {
          const { status } = await gate.propose(session, { kind: 'notes', content: candidate.text, reason });
          if (status === 'pending') proposed += 1;
          else present += 1;
        } catch (error) {
          if (!(error instanceof BearingsError)) throw error;
          refused.push({ text: candidate.text, reason: error.message });
        }
      }
      session.end('learned');
      return { proposed, present, refused };
    },
  };
}

function newestOf(transcripts: readonly Transcript[], bytes: number): Transcript[] {
  let read = 0;
  return transcripts
    .toSorted((a, b) => b.changed - a.changed)
    .filter(({ size }) => {
      read += size;
      return read - size < bytes;
    });
}

interface Reading extends Pick<LearnOptions, 'onProgress' | 'signal'> {
  transcripts: readonly Transcript[];
  stored: readonly StoredSession[];
  isHere: IsHere;
}

const countFor = (client: string, isRepositorys: boolean) => ({ client, files: 0, turns: 0, bytes: 0, isRepositorys });

async function readTurns({ transcripts, stored, isHere, onProgress, signal }: Reading) {
  const voice = () => ({ wishes: gatherWishes(), sessions: new Set<string>() });
  const [own, repositorys] = [voice(), voice()];
  const counts = new Map<string, ReturnType<typeof countFor>>();
  const seen = new Set<string>();
  let leftOut = 0;
  const takeAll = (client: string, session: string, turns: readonly Turn[], isRepositorys = false) => {
    const count = counts.get(client) ?? countFor(client, isRepositorys);
    counts.set(client, count);
    count.files += 1;
    count.turns += turns.length;
    const { wishes, sessions } = isRepositorys ? repositorys : own;
    for (const { text, at } of turns) {
      // A session that was resumed, forked or saved twice brings its turns along: nobody types a long text twice.
      const key = text.length > LONGEST_RETYPED ? text.slice(0, 200) : at === '' ? '' : `${at} ${text}`;
      if (key !== '' && seen.has(key)) continue;
      if (seen.size < MOST_SEEN) seen.add(key);
      sessions.add(session);
      for (const { sentence, wish } of wishesIn(text)) {
        if (findHiddenCharacter(sentence) !== null || findSecrets(sentence).length > 0) leftOut += 1;
        else wishes.add(wish, { sentence, at, session, from: client });
      }
    }
    return count;
  };
  const total = transcripts.reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  for (const transcript of transcripts) {
    if (signal?.aborted) break;
    const { client, path, size, isRepositorys } = transcript;
    takeAll(client, path, turnsOf(transcript, isHere), isRepositorys).bytes += size;
    done += size;
    onProgress?.(done, total);
    // The person's Ctrl-C is heard between two files.
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  for (const { client, id, turns } of stored)
    takeAll(client, `${client} ${id}`, turns).bytes += turns.reduce((sum, { text }) => sum + text.length, 0);
  const listOf = ({ wishes, sessions }: ReturnType<typeof voice>) => wishes.list(sessions.size);
  const isPartial = signal?.aborted === true;
  return { transcripts: [...counts.values()], own: listOf(own), repositorys: listOf(repositorys), leftOut, isPartial };
}

function withoutSecrets(text: string): string {
  return splitLines(text)
    .map((line) => (findSecrets(line).length > 0 || findHiddenCharacter(line) !== null ? '' : line))
    .join('\n');
}

/** What speaks for a candidate, in the words that a decision keeps. */
function evidenceOf({ count, sessions, last, quotes, from }: Candidate, isRepositorys: boolean): string {
  const often = `${count === 1 ? 'once' : `${count} times`}${sessions > 1 ? ` in ${sessions} sessions` : ''}`;
  const who = isRepositorys ? `in the histories that came with this repository, ${often}` : `you said so ${often}`;
  const when = last === null ? '' : `, last on ${last}`;
  const said = quotes.map((quote) => `"${quote}"`).join(' · ');
  const whence = `from unsigned transcripts${isRepositorys ? ', not your own words' : ` of ${from.join(', ')}`}`;
  const room = LONGEST_REASON - who.length - when.length - whence.length - 6;
  return `${who}${when}: ${[...said].slice(0, room).join('')} (${whence})`;
}
