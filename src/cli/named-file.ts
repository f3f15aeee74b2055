import type { Rooms } from '../bearings.ts';

/** A word that can only be a file of memory, not a text, a decision or a workspace. */
export function isMemoryFile(word: string): boolean {
  return /^(?:notes|brief)$|^\S+\.md$|^tastes\/\S+$/.test(word);
}

// One word may be a file or a workspace, whose notes are meant. A taste that is called like a workspace goes first.
export async function namedFile(
  bearings: Rooms,
  [word = 'notes.md', id]: readonly string[],
): Promise<{ file: string; id: string | undefined }> {
  if (id !== undefined || isMemoryFile(word)) return { file: word, id };
  if ((await (await bearings.tastes()).listTastes()).some(({ name }) => name === word)) return { file: word, id };
  const isWorkspace = (await (await bearings.workspaces()).listWorkspaces()).some((each) => each.id === word);
  return isWorkspace ? { file: 'notes.md', id: word } : { file: word, id };
}
