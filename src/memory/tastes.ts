import { splitLines } from '../lines.ts';

export interface Tastes {
  default: string;
  genres: Record<string, string>;
  conflicts: Conflict[];
}

export interface Conflict {
  point: string;
  files: string[];
}

export interface GenreFile {
  name: string;
  text: string;
  /** Names of one file (a link inside the folder) share an identity: a file can't conflict with itself. */
  identity: string;
}

export function assembleTastes(defaultText: string, genres: readonly GenreFile[]): Tastes {
  return {
    default: defaultText,
    genres: orderedRecord(genres.map(({ name, text }) => [name, text] as const)),
    conflicts: findConflicts(genres),
  };
}

// A point that is in two or more different genre files. Shown, never resolved: that is the person's talk.
export function findConflicts(genres: readonly GenreFile[]): Conflict[] {
  const holders = new Map<string, GenreFile[]>();
  for (const genre of genres) {
    for (const line of splitLines(genre.text)) {
      const point = line.trim();
      if (!isPoint(point)) continue;
      const files = holders.get(point);
      if (!files) holders.set(point, [genre]);
      else if (!files.some((file) => file.identity === genre.identity)) files.push(genre);
    }
  }
  return [...holders]
    .filter(([, files]) => files.length > 1)
    .map(([point, files]) => ({ point, files: files.map((file) => file.name) }));
}

function isPoint(line: string): boolean {
  return line !== '' && !line.startsWith('#') && !isRule(line) && !isComment(line);
}

function isRule(line: string): boolean {
  const marks = line.replace(/[ \t]/g, '');
  return marks.length >= 3 && /^(?:-+|\*+|_+)$/.test(marks);
}

function isComment(line: string): boolean {
  let rest = line;
  while (rest.startsWith('<!--')) {
    const end = rest.indexOf('-->', 4);
    if (end === -1) return false;
    rest = rest.slice(end + 3).trimStart();
  }
  return rest === '';
}

const ARRAY_INDEX = /^(?:0|[1-9]\d*)$/;

// JavaScript lists whole-number keys first, whatever their place. A genre called "10" declared before "2" must stay
// first, also after JSON.stringify, so such records answer through a proxy that keeps the order they were given.
export function orderedRecord<T>(entries: ReadonlyArray<readonly [string, T]>): Record<string, T> {
  const record: Record<string, T> = {};
  // defineProperty, because assigning to "__proto__" would set the prototype instead of a key.
  for (const [key, value] of entries) {
    Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true });
  }
  const order = entries.map(([key]) => key);
  if (!order.some((key) => ARRAY_INDEX.test(key))) return record;
  return new Proxy(record, { ownKeys: () => order });
}
