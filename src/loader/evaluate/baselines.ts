import type { Selection } from './measure.ts';

// Plain BM25 with the usual constants: what anyone would build first.
const [K1, B] = [1.2, 0.75];
const CHUNK_LINES = 40;
const PATH_TIMES = { files: 4, chunks: 2 };

/** A file or a chunk of one, its terms as numbers. */
interface Piece {
  path: string;
  text: string;
  terms: Uint32Array;
  pathTerms: readonly number[];
}

interface Source {
  whole: Piece;
  chunks: readonly Piece[];
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
      const text = this.known.has(key) ? null : read();
      if (text !== null) this.known.set(key, this.sourceOf(path, text));
      const source = this.known.get(key);
      if (source) sources.push(source);
    }
    this.sources = sources;
  }

  wholeFiles(task: string, room: BaselineRoom): Selection {
    const pieces = this.sources.map(({ whole }) => whole);
    return filled(this.ranked(task, pieces, PATH_TIMES.files), room);
  }

  chunks(task: string, room: BaselineRoom): Selection {
    const pieces = this.sources.flatMap(({ chunks }) => chunks);
    return filled(this.ranked(task, pieces, PATH_TIMES.chunks), room);
  }

  private sourceOf(path: string, text: string): Source {
    const pathTerms = this.termsOf(path);
    const pieceOf = (part: string) => ({ path, text: part, terms: Uint32Array.from(this.termsOf(part)), pathTerms });
    const lines = text.split(/(?<=\n)/);
    const starts = Array.from({ length: Math.ceil(lines.length / CHUNK_LINES) }, (_, at) => at * CHUNK_LINES);
    const chunks = starts.map((start) => pieceOf(lines.slice(start, start + CHUNK_LINES).join('')));
    return { whole: pieceOf(text), chunks };
  }

  private termsOf(text: string): number[] {
    return plainWords(text).map((word) => {
      const number = this.numbers.get(word) ?? this.numbers.size;
      this.numbers.set(word, number);
      return number;
    });
  }

  private ranked(task: string, pieces: readonly Piece[], pathTimes: number): Piece[] {
    const wanted = new Set(plainWords(task).flatMap((word) => this.numbers.get(word) ?? []));
    const documents = pieces.map((piece) => {
      const counts = new Map<number, number>();
      const count = (terms: Iterable<number>, times: number): void => {
        for (const term of terms) if (wanted.has(term)) counts.set(term, (counts.get(term) ?? 0) + times);
      };
      count(piece.terms, 1);
      count(piece.pathTerms, pathTimes);
      return { piece, counts, length: piece.terms.length + piece.pathTerms.length * pathTimes };
    });
    const average = documents.reduce((sum, { length }) => sum + length, 0) / Math.max(1, documents.length);
    const holders = new Map<number, number>();
    for (const { counts } of documents)
      for (const term of counts.keys()) holders.set(term, (holders.get(term) ?? 0) + 1);
    const scoreOf = ({ counts, length }: (typeof documents)[number]): number => {
      let score = 0;
      for (const [term, tf] of counts) {
        const having = holders.get(term) as number;
        const idf = Math.log(1 + (documents.length - having + 0.5) / (having + 0.5));
        score += (idf * tf * (K1 + 1)) / (tf + K1 * (1 - B + (B * length) / average));
      }
      return score;
    };
    return documents
      .map((document) => ({ piece: document.piece, score: scoreOf(document) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .map(({ piece }) => piece);
  }
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
  for (const { path, text: whole } of pieces) {
    if (charsLeft <= 0 || tokensLeft <= 0) break;
    let text = whole.slice(0, charsLeft);
    if (countTokens) {
      let counted = countTokens(text);
      while (counted > tokensLeft && text !== '') {
        text = text.slice(0, Math.floor((text.length * tokensLeft) / counted) - 1);
        counted = countTokens(text);
      }
      tokensLeft -= counted;
    }
    charsLeft -= text.length;
    const before = taken.get(path);
    if (text !== '') taken.set(path, before === undefined ? text : `${before}\n${text}`);
  }
  return taken;
}
