/** Where a base folder lies differs by system; `clients/io/client-locations` knows. */
type Base = 'home' | 'application' | 'claude' | 'claude_state' | 'codex' | 'copilot' | 'opencode' | 'zed' | 'project';

export interface FileLocation {
  base: Base;
  /** Below the base, with `/`. */
  path: string;
  /** A file in a project that its people do not share. */
  isPrivate?: true;
}

/** The machine that a client runs on, as far as its files hang on it. */
export interface Machine {
  /** As Node calls it: `darwin`, `linux`, `win32`. */
  platform: string;
  /** The person's own folder, where no variable names it. */
  home: string;
  variables: Readonly<Record<string, string | undefined>>;
}

// Facts of the clients' own documentation. Written out for every system, so that each can be tested on any.
export function locationOn({ base, path }: FileLocation, project: string, machine: Machine): string {
  const separator = machine.platform === 'win32' ? '\\' : '/';
  const folder = base === 'project' ? project : foldersOf(machine)[base];
  const isOpen = folder.endsWith(separator);
  return `${folder}${isOpen ? '' : separator}${path.split('/').join(separator)}`;
}

function foldersOf({ platform, home: own, variables }: Machine): Record<Exclude<Base, 'project'>, string> {
  const isWindows = platform === 'win32';
  const isMac = platform === 'darwin';
  // On Windows HOME is a shell's own word; what programs go by is the profile.
  const home = (isWindows ? variables.USERPROFILE : variables.HOME) || own;
  const below = (folder: string, ...names: string[]) => [folder, ...names].join(isWindows ? '\\' : '/');
  const roaming = variables.APPDATA || below(home, 'AppData', 'Roaming');
  const config = variables.XDG_CONFIG_HOME || below(home, '.config');
  return {
    home,
    application: isWindows ? roaming : isMac ? below(home, 'Library', 'Application Support') : config,
    claude: variables.CLAUDE_CONFIG_DIR || below(home, '.claude'),
    claude_state: variables.CLAUDE_CONFIG_DIR || home,
    codex: variables.CODEX_HOME || below(home, '.codex'),
    copilot: variables.COPILOT_HOME || below(home, '.copilot'),
    opencode: below(config, 'opencode'),
    // XDG counts for Zed on Linux alone.
    zed: isWindows ? below(roaming, 'Zed') : isMac ? below(home, '.config', 'zed') : below(config, 'zed'),
  };
}
