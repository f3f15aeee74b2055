import { realpathSync } from 'node:fs';
import { basename, delimiter, isAbsolute, join } from 'node:path';
import { BearingsError, invalidInput, orNull } from '../../errors.ts';
import { sha256 } from '../../files/file-fingerprint.ts';
import { isExecutable, isOfProject, neededPersonFolder, programOn, realPath, searchPath } from '../../files/paths.ts';
import { programVariables, runToEnd, type Variables } from '../../files/run-program.ts';
import type { Launch } from '../client-table.ts';
import { type FileLocation, locationOn } from '../file-location.ts';

export const NODE_VERSION = process.version;
export const PLATFORM: string = process.platform;

export function locationPath(spot: FileLocation, project: string, variables: Variables): string {
  return locationOn(spot, project, { platform: process.platform, home: neededPersonFolder(variables), variables });
}

/** The names that clients give the folder of a project: Claude Code by its path, Gemini CLI in several ways. */
export function projectNames(root: string): string[] {
  const name = basename(root);
  return [...new Set([sha256(root), name, name.toLowerCase(), dashed(root)])];
}

export const dashed = (path: string): string => path.replace(/[^A-Za-z0-9]/g, '-');

// What starts this program again, whatever folder it is started in: a client starts it in the project, so nothing of a project may have
// a say. Whole paths, since a client with a window has no shell's PATH; node by the name it has on the PATH, which outlives an upgrade.
// In a file that others share the bare name: each of them has it on a PATH of their own.
export function ownLaunch(variables: Variables, project: string, isShared: boolean): Launch {
  const path = searchPath(variables.PATH, project);
  const named = programOn(path, 'bearings');
  if (isShared) {
    if (PLATFORM === 'win32')
      throw cantLaunch(
        'Windows looks for a program in the project’s own folder first, so none is named in a file that others share.',
        'Use: --scope user',
      );
    if (named === null)
      throw cantLaunch(
        'A file that others share starts bearings by its name, and there is none on your PATH.',
        'Run npm link in its checkout, or use: --scope user',
      );
    return { command: 'bearings', args: [] };
  }
  const target = named && realPath(named);
  // What npx fetched for one run is gone tomorrow; what lies in the project is the project's, unless the person has linked it.
  const script = [realPath(process.argv[1] ?? ''), target].find(
    (found) =>
      found &&
      /[\\/]main\.cjs$/.test(found) &&
      !/[\\/]_npx[\\/]/.test(found) &&
      (found === target || !isOfProject(found, project)),
  );
  if (!script)
    throw cantLaunch(
      'This run came from npx or from the project itself, and a client must not be sent there.',
      'Run npm link in the checkout of bearings, then: bearings install',
    );
  return { command: nodeByName(path), args: [script] };
}

/** Where a bare `bearings` would be the project's own: a folder of the project, or a relative one, first on the PATH. Null: nowhere. */
export function projectOnPath({ PATH }: Variables, project: string): string | null {
  const own = searchPath(PATH, project)
    .split(delimiter)
    .find((step) => isExecutable(join(step, 'bearings')));
  const steps = PATH ? PATH.split(delimiter) : [];
  const first = steps
    .slice(0, own === undefined ? undefined : steps.indexOf(own))
    .find((step) => !isAbsolute(step) || isOfProject(step, project) || isOfProject(realPath(step) ?? step, project));
  if (first === undefined) return null;
  const folder = isAbsolute(first) ? 'a folder of this project' : JSON.stringify(first || '.');
  return `Your PATH has ${folder} before the folder of bearings: a client that starts bearings by its name would start the project's. Move it to the end.`;
}

const cantLaunch = (message: string, hint: string) => new BearingsError('conflict', message, { hint });

function nodeByName(path: string): string {
  const real = realpathSync(process.execPath);
  const named = path.split(delimiter).map((folder) => join(folder, 'node'));
  return named.find((candidate) => realPath(candidate) === real) ?? process.execPath;
}

/** Null: the program of an entry is there. Else what is missing, in a few words. */
export function missingProgram({ command, args }: Launch, path: string): string | null {
  const isPath = /[\\/]/.test(command);
  if (isPath ? !isExecutable(command) : programOn(path, command) === null) return 'the program it starts is gone';
  const [script] = args;
  return script && /[\\/].*\.[cm]?js$/.test(script) && realPath(script) === null
    ? 'the script it starts is gone'
    : null;
}

const ANSWER_MS = 20_000;
const ANSWER_BYTES = 256 * 1024;
const GREETING = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bearings doctor', version: '1' } },
});

// Starts an entry as the client would, with nothing of the project on its PATH: a server is greeted, a hook fired once without a session
// or a prompt. What came back, in a few words; null: nothing that is an answer.
export async function answerOf(
  { command, args }: Launch,
  { variables, project, isServer }: { variables: Variables; project: string; isServer: boolean },
): Promise<string | null> {
  const { output, code } = await runToEnd(
    {
      command: [command, ...args],
      cwd: project,
      variables: { ...programVariables([], variables, project), BEARINGS_DOCTOR: '1' },
    },
    {
      input: isServer ? `${GREETING}\n` : JSON.stringify({ cwd: project }),
      timeoutMs: ANSWER_MS,
      maxBytes: ANSWER_BYTES,
    },
  );
  const text = output.toString('utf8');
  if (isServer)
    return orNull(() => {
      const { name, version } = JSON.parse(text.split('\n')[0] ?? '').result.serverInfo;
      return `answers as ${name} ${version}`;
    });
  if (code !== 0 && text === '') return null;
  const length = text.trim().length;
  return length === 0 ? 'fired, and had nothing to say' : `fired, and answered with ${length} characters`;
}

// One word for the shell that runs a hook. On Windows that is cmd, PowerShell or Git's sh, as the client and its version please: a word
// is written so that all three read it as it is, and what means something to one of them even between quotes is refused.
export function shellWord(word: string, platform: NodeJS.Platform = process.platform): string {
  if (platform !== 'win32') return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
  // Windows takes either slash; sh would take a backslash for a quote.
  const plain = word.replaceAll('\\', '/');
  if (/^(?:--?[A-Za-z][A-Za-z-]*|\w[\w.:/@-]*)$/.test(plain)) return plain;
  if (/["%!$`\r\n\u201c-\u201e]/.test(plain))
    throw invalidInput(
      `A hook on Windows can't name ${JSON.stringify(word)}.`,
      'Rename it without quotes, %, !, $ and backticks, or leave the hook out: --no-hook',
    );
  return `"${plain}"`;
}

// The whole line. PowerShell takes a program in quotes for a text, cmd a path with slashes for a switch, and sh drops backslashes: on
// Windows only a bare name on the PATH starts in all three.
export function shellLine(words: readonly string[], platform: NodeJS.Platform = process.platform): string {
  const [program = '', ...rest] = words;
  const name = platform === 'win32' ? (program.split(/[\\/]/).at(-1) ?? '').replace(/\.exe$/i, '') : program;
  return [name, ...rest].map((word) => shellWord(word, platform)).join(' ');
}
