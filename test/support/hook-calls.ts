import { decided, openLibrary, proposed } from './open-library.ts';
import { bearings, type Place } from './process/binary.ts';

/** A hook of a client, fired as the client would: the binary, its input, its answer; null: it said nothing. */
export function fire(place: Place, event: string, input: Record<string, unknown> | string, ...args: string[]) {
  const text = typeof input === 'string' ? input : JSON.stringify({ cwd: place.cwd ?? place.home, ...input });
  const { code, stdout, stderr } = bearings({ ...place, input: text }, 'hook', event, ...args);
  if (code !== 0 || stderr !== '') throw new Error(`${code}: ${stderr}`);
  return stdout === '' ? null : JSON.parse(stdout);
}

/** Proposed and accepted, as the person does it. */
export async function confirmed(place: Place, content: string, more: Parameters<typeof proposed>[2] = {}) {
  const library = openLibrary(place.home, { cwd: place.cwd ?? place.home });
  return decided(library, await proposed(library, content, more));
}
