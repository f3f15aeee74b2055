import type { Selection } from './measure.ts';

// Plain BM25 with the usual constants: what anyone would build first.
const [K1, B] = [1.2, 0.75];
const CHUNK_LINES = 40;
const PATH_TIMES = { files: 4, chunks: 2 };

interface Source {
  path: string;
  text: string;
  /** Where each chunk of the text begins; the last entry is its end. */
  bounds: readonly number[];
  /** Terms of the text as numbers, and where those of each chunk end. */
  terms: Uint32Array;
  ends: readonly number[];
  pathTerms: readonly number[];
}

/** What is left for a baseline: the same as the bundle's task slice may take. */
export interface BaselineRoom {
  chars: number;
  tokens: number;
  countTokens: ((text: string) => number) | null;
}

/** Files of a project for plain retrieval; the same text is taken apart once. */
export class BaselineCorpus {
  private readonly numbers = new Map<string, number>();
  private readonly known = new Map<string, Source>();
  private sources: readonly Source[] = [];

  /** `version` tells one text of a path from another. */
  use(files: Iterable<{ path: string; version: string; read(): string | null }>): void {
    const sources: Source[] = [];
    for (const { path, version, read } of files) {
      const key = `${version} ${path}`;
      let source = this.known.get(key);
      if (!source) {
        const text = read();
        if (text === null) continue;
        source = this.sourceOf(path, text);
        this.known.set(key, source);
      }
      sources.push(source);
    }
    this.sources = sources;
  }

  wholeFiles(task: string, room: BaselineRoom): Selection {
    const documents = this.sources.map((source) => ({
      source,
      parts: [{ ids: source.terms, times: 1 }],
      start: 0,
      end: source.text.length,
    }));
    return filled(this.ranked(task, documents, PATH_TIMES.files), room);
  }

  chunks(task: string, room: BaselineRoom): Selection {
    const documents = this.sources.flatMap((source) =>
      source.ends.map((end, at) => ({
        source,
        parts: [{ ids: source.terms.subarray(at === 0 ? 0 : source.ends[at - 1], end), times: 1 }],
        start: source.bounds[at] as number,
        end: source.bounds[at + 1] as number,
      })),
    );
    return filled(this.ranked(task, documents, PATH_TIMES.chunks), room);
  }

  private sourceOf(path: string, text: string): Source {
    const bounds = [0];
    let lines = 0;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
      lines += 1;
      if (lines % CHUNK_LINES === 0 && at + 1 < text.length) bounds.push(at + 1);
    }
    bounds.push(text.length);
    const terms: number[] = [];
    const ends = bounds.slice(1).map((end, at) => {
      terms.push(...this.termsOf(text.slice(bounds[at], end)));
      return terms.length;
    });
    return { path, text, bounds, terms: Uint32Array.from(terms), ends, pathTerms: this.termsOf(path) };
  }

  private termsOf(text: string): number[] {
    return plainWords(text).map((word) => {
      const number = this.numbers.get(word) ?? this.numbers.size;
      this.numbers.set(word, number);
      return number;
    });
  }

  private ranked(task: string, documents: readonly Piece[], pathTimes: number): Piece[] {
    const wanted = new Map([...new Set(plainWords(task))].flatMap((word, at) => numbered(this.numbers.get(word), at)));
    const lengths: number[] = [];
    const counts = documents.map(({ source, parts }) => {
      const found = new Map<number, number>();
      const count = (ids: ArrayLike<number>, times: number): void => {
        for (let i = 0; i < ids.length; i += 1) {
          const at = wanted.get(ids[i] as number);
          if (at !== undefined) found.set(at, (found.get(at) ?? 0) + times);
        }
      };
      for (const { ids, times } of parts) count(ids, times);
      count(source.pathTerms, pathTimes);
      lengths.push(parts.reduce((sum, { ids }) => sum + ids.length, 0) + source.pathTerms.length * pathTimes);
      return found;
    });
    const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
    const holders = new Map<number, number>();
    for (const found of counts) for (const at of found.keys()) holders.set(at, (holders.get(at) ?? 0) + 1);
    return documents
      .map((piece, i) => {
        let score = 0;
        for (const [at, tf] of counts[i] as Map<number, number>) {
          const having = holders.get(at) as number;
          const idf = Math.log(1 + (documents.length - having + 0.5) / (having + 0.5));
          score += (idf * tf * (K1 + 1)) / (tf + K1 * (1 - B + (B * (lengths[i] as number)) / average));
        }
        return { piece, score, i };
      })
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.i - b.i)
      .map(({ piece }) => piece);
  }
}

interface Piece {
  source: Source;
  parts: readonly { ids: Uint32Array; times: number }[];
  start: number;
  end: number;
}

function numbered(number: number | undefined, at: number): [number, number][] {
  return number === undefined ? [] : [[number, at]];
}

function plainWords(text: string): string[] {
  return (
    text
      .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
      .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

// In order until the room is used; the last piece is cut to what is left.
function filled(pieces: readonly Piece[], { chars, tokens, countTokens }: BaselineRoom): Selection {
  const taken = new Map<string, string>();
  let [charsLeft, tokensLeft] = [chars, tokens];
  for (const { source, start, end } of pieces) {
    if (charsLeft <= 0 || tokensLeft <= 0) break;
    let text = source.text.slice(start, Math.min(end, start + charsLeft));
    if (countTokens) {
      let counted = countTokens(text);
      while (counted > tokensLeft && text !== '') {
        text = text.slice(0, Math.floor((text.length * tokensLeft) / counted) - 1);
        counted = countTokens(text);
      }
      tokensLeft -= counted;
    }
    charsLeft -= text.length;
    if (text !== '')
      taken.set(source.path, `${taken.get(source.path) ?? ''}${taken.has(source.path) ? '\n' : ''}${text}`);
  }
  return taken;
}
