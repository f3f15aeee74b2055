/** What a system lacks that something of ours builds on, and what is weaker there for it. */
export interface SystemLimit {
  lacks: string;
  weaker: string;
}

const WINDOWS: readonly SystemLimit[] = [
  {
    lacks: 'no file modes',
    weaker:
      'key, transcripts and token are protected from other users only by the permissions of your profile’s folder',
  },
  {
    lacks: 'no opening without following a link',
    weaker: 'a link is found by a check before the file is opened; one that is put there in between is followed',
  },
  {
    lacks: 'no sync of a folder',
    weaker: 'after a power cut the name of a new file may be missing, though its bytes were synced',
  },
  {
    lacks: 'no process groups',
    weaker: 'an adapter that is ended may leave behind what it started',
  },
  {
    lacks: 'no renaming over a file that another program holds open',
    weaker: 'a decision that replaces such a file fails, says so, and the proposal stays pending',
  },
  {
    lacks: 'names that differ in case alone are one',
    weaker: 'a workspace is found by its own spelling alone; a taste that is declared in another case is the same file',
  },
  {
    lacks: 'cmd looks for a program in the working folder before the PATH',
    weaker:
      'a client that runs hooks by cmd would start a node.exe that a project brings; leave hooks out there: --no-hook',
  },
];

const MAC: readonly SystemLimit[] = [
  {
    lacks: 'no list of all processes with their variables',
    weaker: 'an adapter that is ended may leave behind what made itself a new session',
  },
  {
    lacks: 'names that differ in case or in their composed form alone are one',
    weaker:
      'a workspace in another case is not found; in another composed form, and a taste in either, it is the same file',
  },
];

/** By the name that Node has for the system. None on Linux: all that we promise was tried there. */
export function systemLimits(platform: string): readonly SystemLimit[] {
  return platform === 'win32' ? WINDOWS : platform === 'darwin' ? MAC : [];
}
