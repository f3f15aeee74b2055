import type { Finding } from './finding.ts';

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
