import { accessSync, constants, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { invalidInput } from '../../errors.ts';
import { realPath } from '../../files/path-scope.ts';
import { neededPersonFolder } from '../../files/paths.ts';
import type { Variables } from '../../files/run-program.ts';
import type { FileLocation, Launch } from '../client-table.ts';
import { locationOn } from '../file-location.ts';

export const NODE_VERSION = process.version;
export const PLATFORM: string = process.platform;

export function locationPath(spot: FileLocation, project: string, variables: Variables): string {
  return locationOn(spot, project, { platform: process.platform, home: neededPersonFolder(variables), variables });
}

export interface OwnLaunch extends Launch {
  why: string;
}

// The command that starts this very binary again. Clients with a window have no shell's PATH, so the path is whole; node
// by the name it has on the PATH, which outlives an upgrade. What npx fetched for one run is gone tomorrow: there, npx.
export function ownLaunch(variables: Variables, version: string, portable: boolean): OwnLaunch {
  const script = realPath(process.argv[1] ?? '');
  const isBinary = script !== null && /[\\/]main\.cjs$/.test(script);
  if (portable || !isBinary || /[\\/]_npx[\\/]/.test(script))
    return {
      command: 'npx',
      args: ['-y', `bearings@${version}`],
      why: portable ? 'npx, because the file is shared with others' : 'npx, because this run itself came from npx',
    };
  return {
    command: nodeByName(variables),
    args: [script],
    why: 'whole paths, because a client with a window does not know your PATH',
  };
}

function nodeByName(variables: Variables): string {
  const real = realpathSync(process.execPath);
  for (const folder of (variables.PATH ?? '').split(delimiter)) {
    const candidate = join(folder, process.platform === 'win32' ? 'node.exe' : 'node');
    if (folder.startsWith('/') && realPath(candidate) === real) return candidate;
  }
  return process.execPath;
}

/** Null: the program of an entry is there. Else what is missing, in a few words. */
export function missingProgram({ command, args }: Launch, variables: Variables): string | null {
  const isPath = /[\\/]/.test(command);
  const onPath = (variables.PATH ?? '').split(delimiter).some((folder) => isExecutable(join(folder, command)));
  if (isPath ? !isExecutable(command) : !onPath) return 'the program it starts is gone';
  const [script] = args;
  return script && /[\\/].*\.[cm]?js$/.test(script) && realPath(script) === null
    ? 'the script it starts is gone'
    : null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
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
