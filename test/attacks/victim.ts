import { expect } from 'vitest';
import { openRooms } from '../../src/bearings.ts';
import { person } from '../support/person.ts';
import { bearings, type Result } from '../support/process/binary.ts';

export const SECRET = 'SECRET-MARKER-7f3a';

// A person with secrets beside the memory. Every word that leaves it is kept, and none may hold a secret.
export function victim() {
  const { root, place, at } = person({
    secret: SECRET,
    'secret.md': SECRET,
    'outside/brief.md': SECRET,
    'outside/notes.md': SECRET,
    '.bearings/tastes/_default.md': 'default',
    '.bearings/tastes-not/secret.md': SECRET,
    '.bearings/workspaces/w/brief.md': 'brief',
    '.bearings/workspaces-not/brief.md': SECRET,
  });
  const said: string[] = [];
  const heard = <T>(answer: T): T => {
    said.push(JSON.stringify(answer));
    return answer;
  };
  return {
    root,
    place,
    at,
    said,
    heard,
    run: (...args: string[]): Result => heard(bearings(place, ...args)),
    library: (cwd = place.home) => openRooms({ cwd, variables: { HOME: place.home } }),
    expectNothingLeaked(): void {
      for (const words of said) expect(words).not.toContain(SECRET);
    },
  };
}
