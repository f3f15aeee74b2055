import { type Finding, mergeFindings } from './finding.ts';
import { findAssignments } from './secret-assignments.ts';
import { findInCalls, findInCommands } from './secret-calls.ts';
import { namesIn } from './secret-names.ts';
import { findShapes } from './secret-shapes.ts';

export { type Finding, mergeFindings, redact } from './finding.ts';

// What has the shape of a secret, and literals that are given to the name of one.
export function findSecrets(text: string): Finding[] {
  return mergeFindings(findPlain(text), findEncoded(text, findPlain));
}

// The first that has the shape of a secret. What only might be one is the person's to judge, who reads the text anyway.
export function findCertainSecret(text: string): Finding | undefined {
  return findSecrets(text).find(({ certainty }) => certainty === 'certain');
}

function findPlain(text: string): Finding[] {
  return mergeFindings(
    findPrivateKeys(text),
    findShapes(text),
    findAssignments(text, namesIn(text)),
    findInCalls(text),
    findInCommands(text),
  );
}

const KEY_BEGIN =
  /-{0,5}BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-{0,5}|-----BEGIN [\w ]{0,40}(?:Static|Secret|SECRET) (?:key|KEY)[\w ]{0,10}-----|Private-Lines: [0-9]{1,4}/g;
const KEY_END = /-{0,5}END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-{0,5}/g;
// One piece of a block: what separates its lines (also quoted, commented or in JSON), an old header line, or base64.
const KEY_PIECE =
  /(?:[\s"',>|#*]|\\{1,4}[nrt"])+|(?:Proc-Type|DEK-Info|Version|Comment):[^\n\\]{0,200}|[A-Za-z0-9+/=]+/y;
const KEY_FOOTER = /[\s"',>|#*\\nr]{0,20}-{2,5}(?:E[ND]{0,2}[A-Z0-9 ]{0,60}-{0,5})?/y;

// PEM blocks of private keys, whole or cut at either end. A header without a body is only talk about keys.
export function findPrivateKeys(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const header of text.matchAll(KEY_BEGIN)) {
    const from = header.index + header[0].length;
    const end = endOfBody(text, from);
    if (end > from)
      findings.push({
        kind: 'private_key',
        start: header.index,
        end: endOfMatch(KEY_FOOTER, text, end),
        certainty: 'certain',
      });
  }
  let earliest = 0;
  for (const footer of text.matchAll(KEY_END)) {
    const start = startOfBody(text, Math.max(earliest, footer.index - 16_000), footer.index);
    earliest = footer.index + footer[0].length;
    if (start < footer.index) findings.push({ kind: 'private_key', start, end: earliest, certainty: 'certain' });
  }
  return findings;
}

// Long lines, then at most one short line; prose after a cut block has short words and ends it.
function endOfBody(text: string, from: number): number {
  let end = from;
  for (let at = from, short = 0; short === 0; ) {
    const next = endOfMatch(KEY_PIECE, text, at);
    if (next === at) break;
    const isBase64 = /^[A-Za-z0-9+/=]+$/.test(text.slice(at, next));
    if (isBase64 && next - at < 20) {
      short += 1;
      if (end === from || !/^(?:\s|\\|$|-|")/.test(text.slice(next, next + 1))) break;
      if (/^[ \t]+[A-Za-z]/.test(text.slice(next, next + 8))) break;
    }
    if (isBase64) end = next;
    at = next;
  }
  return end;
}

function endOfMatch(pattern: RegExp, text: string, from: number): number {
  const sticky = new RegExp(pattern);
  sticky.lastIndex = from;
  return from + (sticky.exec(text)?.[0].length ?? 0);
}

// Walks back over base64 lines; the one next to the footer may be short.
function startOfBody(text: string, from: number, footer: number): number {
  const before = text.slice(from, footer).replace(/\\[nrt]/g, '  ');
  let start = before.length;
  let long = 0;
  for (const line of [...before.matchAll(/[A-Za-z0-9+/=]+/g)].reverse()) {
    const gap = before.slice(line.index + line[0].length, start);
    const isLast = start === before.length;
    if (!/^[\s"',>|#*\\]*$/.test(gap) || (line[0].length < 30 && !isLast)) break;
    if (line[0].length >= 30) long += 1;
    start = line.index;
  }
  return long > 0 ? from + start : footer;
}

const BASE64 = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,8192}={0,2}(?![A-Za-z0-9+/_=-])/g;
const HEX = /(?<![A-Za-z0-9])(?:0x)?((?:[0-9a-fA-F]{2}){10,4096})(?![A-Za-z0-9])/g;

// A text that is written as base64 or hex, with a secret of certain shape in what it says: the whole of it goes.
export function findEncoded(text: string, find: (text: string) => Finding[]): Finding[] {
  const findings: Finding[] = [];
  const search = (written: string, start: number, decodedText: string | null) => {
    const found = decodedText === null ? undefined : find(decodedText).find(({ certainty }) => certainty === 'certain');
    if (found) findings.push({ ...found, start, end: start + written.length });
  };
  for (const { 0: written, index } of text.matchAll(BASE64)) search(written, index, fromBase64(written));
  for (const { 0: written, 1: digits = '', index } of text.matchAll(HEX)) search(written, index, fromHex(digits));
  return findings;
}

function fromBase64(written: string): string | null {
  // Words and names decode to noise; the first bytes tell at once.
  const plain = written.replace(/-/g, '+').replace(/_/g, '/');
  if (!isReadable(narrow(decoded(plain.slice(0, 16))))) return null;
  return readable(narrow(decoded(plain.replace(/=+$/, ''))));
}

// PowerShell encodes two bytes for a letter.
function narrow(text: string): string {
  return /^(?:[^\0]\0){4}/.test(text) ? text.replaceAll('\0', '') : text;
}

function decoded(base64: string): string {
  try {
    return atob(base64);
  } catch {
    return '\u0000';
  }
}

function fromHex(digits: string): string | null {
  if (!/^(?:[2-7][0-9a-fA-F]|0[9aAdD])+$/.test(digits)) return null;
  const codes = digits.match(/../g) ?? [];
  return readable(codes.map((code) => String.fromCharCode(Number.parseInt(code, 16))).join(''));
}

function readable(text: string): string | null {
  return isReadable(text) && /[\p{L}]/u.test(text) ? text : null;
}

function isReadable(text: string): boolean {
  return /^[\t\n\r\x20-\x7e\xa0-\xff]+$/.test(text) && !/[\xa0-\xff]{3}/.test(text);
}
