import { BearingsError } from '../errors.ts';
import { basename } from '../files/paths.ts';
import type { gateUseCases } from '../gate/gate.ts';
import { blocksOf } from '../gate/ledger/text-blocks.ts';
import type { Session } from '../gate/sessions/sessions.ts';
import { findHiddenCharacter } from '../safety/hidden-characters.ts';
import { findCertainSecret } from '../safety/secrets.ts';
import type { AppContext, TargetLike } from '../settings/app-context.ts';
import { isNowhere } from '../settings/meant-workspace.ts';
import { CLIENT_MEMORIES } from './client-table.ts';
import { locationPath, projectNames } from './io/client-locations.ts';
import {
  MIRROR,
  memoryFilesIn,
  memoryFolders,
  mirrorsOf,
  moveAside,
  readGuards,
  textOf,
  writeMirror,
} from './io/guarded-files.ts';

export interface GuardRooms {
  gate(): Promise<Pick<ReturnType<typeof gateUseCases>, 'propose'>>;
  session(target: TargetLike | null, client: string): Promise<Session>;
}

const MAX_CONTENT = 20_000;
const SAID = {
  pending: 'Bearings keeps this as a proposal: it becomes memory when the person says yes. Do not write it again.',
  already_waiting: 'Bearings: this waits for the person already. Do not write it again.',
  already_present: 'Bearings: the person has confirmed this already.',
  declined_before: 'Bearings: the person has declined this.',
  nothing: 'Bearings guards this memory: what the person confirms comes by itself at the start of a session.',
};

// A client's own memory behind the gate: what its tools write is proposed, and what went past them is moved aside.
export function guardUseCases(app: AppContext, rooms: GuardRooms) {
  // Null: the client is not guarded.
  const folderOf = (client: string): string | null => {
    const memory = readGuards(app.home).includes(client) ? CLIENT_MEMORIES[client] : undefined;
    return memory ? locationPath(memory.folder, app.cwd, app.variables) : null;
  };

  interface Written {
    client: string;
    cwd: string;
    file: string;
    /** The blocks that hold here: nobody is asked about them again. */
    confirmed: readonly string[];
  }
  const propose = async ({ client, cwd, file, confirmed }: Written, text: string): Promise<string> => {
    const content = withoutFrame(basename(file), text, confirmed);
    if (content === '') return 'nothing';
    const gate = await rooms.gate();
    const isCut = [...content].length > MAX_CONTENT;
    const said = {
      content: isCut ? [...content].slice(0, MAX_CONTENT).join('') : content,
      reason: `from the client's own memory: ${basename(file)}${isCut ? ', cut: its first 20,000 characters' : ''}`,
    };
    const asTaste = async () => {
      const taste = { ...said, kind: 'taste', category: 'process' } as const;
      return (await gate.propose(await rooms.session(null, client), taste)).status;
    };
    if (CLIENT_MEMORIES[client]?.isShared) return asTaste();
    try {
      return (await gate.propose(await rooms.session({ root: cwd }, client), { ...said, kind: 'notes' })).status;
    } catch (error) {
      if (isNowhere(error)) return asTaste();
      throw error;
    }
  };

  return {
    /** Files that are not written past the gate, as a rule about paths. */
    guardRule(client: string) {
      const folder = folderOf(client);
      if (folder === null) return null;
      const agents = CLIENT_MEMORIES[client]?.ofAgents ?? [];
      // Of whichever project: a tool may write into another.
      const patterns = [folder, ...agents.map((spot) => locationPath(spot, '/**', app.variables))];
      return { decision: 'deny' as const, about: 'path' as const, patterns, sentence: SAID.nothing };
    },

    /** A write of the client's tools into its memory: proposed, and what the agent is told. */
    async proposeWrite(written: Written, text: string | null): Promise<string> {
      try {
        const status = text === null ? 'nothing' : await propose(written, text);
        return Object.hasOwn(SAID, status) ? SAID[status as keyof typeof SAID] : SAID.nothing;
      } catch (error) {
        if (!(error instanceof BearingsError)) throw error;
        return `Bearings does not keep this: ${error.message}`;
      }
    },

    /**
     * What is in the client's memory and was not decided: proposed and moved aside, before the client reads it again.
     * Where the client can't be kept from reading, its list is a mirror of what is confirmed.
     */
    async sweepMemory(client: string, cwd: string, confirmedBlocks: () => readonly string[]): Promise<void> {
      const folder = folderOf(client);
      if (folder === null) return;
      const folders = memoryFolders(folder, projectNames(cwd));
      const mirrors = mirrorsOf(app.home, client);
      const files = memoryFilesIn(folders, mirrors);
      const isMirrored = CLIENT_MEMORIES[client]?.switch === undefined;
      const confirmed = isMirrored || files.length > 0 ? confirmedBlocks() : [];
      /** Whether all of it is before the person. */
      const offer = async (file: string, text: string) => {
        const { kept, isWhole } = offered(text);
        const written = { client, cwd, file, confirmed };
        const isProposed = await propose(written, kept).then(
          () => true,
          () => false,
        );
        return isProposed && isWhole;
      };
      for (const { path, text } of files) {
        // The text is on the disk as a proposal before its file moves; a refused one waits in the file that was moved.
        const isWhole = text !== null && (await offer(path, text));
        try {
          const moved = textOf(moveAside(app.home, client, path, app.now(), isWhole));
          // Somebody wrote on meanwhile.
          if (moved !== null && moved !== text) await offer(path, moved);
        } catch {
          // One that can't be moved keeps no other where it is.
        }
      }
      if (isMirrored) {
        const text = `${MIRROR}${confirmed.join('\n\n')}\n`;
        const lists = [...mirrors.keys(), ...files.map(({ path }) => path)].filter(
          // Of this project: what is confirmed here is not another's.
          (path) => basename(path) === 'MEMORY.md' && folders.some((each) => path.startsWith(`${each}/`)),
        );
        for (const path of new Set(lists)) if (textOf(path) !== text) writeMirror(app.home, client, path, text);
      }
    },
  };
}

// One line that nobody could see, or that holds a secret, must not keep the others from the person.
function offered(text: string): { kept: string; isWhole: boolean } {
  const isPlain = (line: string) => findHiddenCharacter(line) === null && findCertainSecret(line) === undefined;
  const lines = text.split(/\r\n|\n|\r/);
  const kept = lines.filter(isPlain).join('\n');
  return { kept, isWhole: lines.every(isPlain) && [...kept].length <= MAX_CONTENT };
}

// Claude Code's facts have a head of their own, and its list of them only leads to the files. What holds already is in our mirror.
function withoutFrame(name: string, text: string, confirmed: readonly string[]): string {
  const body = text.replace(/^\uFEFF?---\r?\n[\s\S]*?\r?\n---\r?\n/, '');
  const own = body.startsWith(MIRROR) ? withoutConfirmed(body.slice(MIRROR.length), confirmed) : body;
  const lines = own.split(/\r\n|\n|\r/);
  const kept = name === 'MEMORY.md' ? lines.filter((line) => !/^\s*[-*] \[[^\]]*\]\([^)]*\.md\)/.test(line)) : lines;
  const content = kept.join('\n').trim();
  const onlyHeading = /^#{1,6} [^\n]*$/.test(content);
  return onlyHeading ? '' : content;
}

// A line that was added right below a block belongs to it no more.
function withoutConfirmed(text: string, confirmed: readonly string[]): string {
  const left = blocksOf(text).map((block) => {
    const known = confirmed.find((each) => block === each || block.startsWith(`${each}\n`));
    return known === undefined ? block : block.slice(known.length).trim();
  });
  return left.filter((block) => block !== '').join('\n\n');
}
