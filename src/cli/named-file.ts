import type { Rooms } from '../bearings.ts';

/** A file of memory and whose it is, as a line names them; `file` is null where the line names a workspace alone. */
export interface NamedFile {
  file: string | null;
  id: string | undefined;
}

const FILE = /^(?:notes|brief)$|\.md$|\//;

// One word may be a file or a workspace. A taste that is called like a workspace goes first, as its name alone always did.
export async function namedFile(bearings: Rooms, [word, id]: readonly string[]): Promise<NamedFile> {
  if (word === undefined || id !== undefined || FILE.test(word)) return { file: word ?? 'notes.md', id };
  if ((await (await bearings.tastes()).listTastes()).some(({ name }) => name === word)) return { file: word, id };
  const isWorkspace = (await (await bearings.workspaces()).listWorkspaces()).some((each) => each.id === word);
  return isWorkspace ? { file: null, id: word } : { file: word, id };
}
