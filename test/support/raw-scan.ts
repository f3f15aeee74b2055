import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PIECE = 12;

// Made here, not by the product: every twelve characters of a text, in every form in which a file could hold them.
function needles(text: string): Buffer[] {
  const json = JSON.stringify(text).slice(1, -1);
  const readable = [text, text.replaceAll('\n', '\r\n'), json, JSON.stringify(json).slice(1, -1), text.toLowerCase()];
  const found = new Map<string, Buffer>();
  const add = (bytes: Buffer): void => void found.set(bytes.toString('latin1'), bytes);
  for (const form of readable)
    for (let at = 0; at + PIECE <= form.length; at += 1) {
      const piece = form.slice(at, at + PIECE);
      for (const encoding of ['utf8', 'utf16le'] as const) add(Buffer.from(piece, encoding));
      add(Buffer.from(piece, 'utf16le').swap16());
      const ascii = [...piece].every((letter) => letter < '\u0080');
      add(Buffer.from(Buffer.from(piece).toString('hex')));
      add(Buffer.from(Buffer.from(piece).toString('hex').toUpperCase()));
      // Whole groups of three bytes: those look the same wherever the piece is in what was encoded.
      if (ascii)
        for (const from of [0, 1, 2]) add(Buffer.from(Buffer.from(piece.slice(from, from + 9)).toString('base64')));
    }
  return [...found.values()].filter((bytes) => bytes.length >= PIECE);
}

/** Every file below these folders that holds twelve characters of the text in a row, with the first piece that was found. */
export function rawScan(folders: readonly string[], text: string): string[] {
  const sought = needles(text);
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => {
        const bytes = readFileSync(path);
        return sought.some((needle) => bytes.includes(needle));
      })
      .map((path) => path.slice(folder.length + 1)),
  );
}
