import type { Finding } from './finding.ts';

const BEGIN =
  /-{0,5}BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-{0,5}|-----BEGIN [\w ]{0,40}(?:Static|Secret|SECRET) (?:key|KEY)[\w ]{0,10}-----|Private-Lines: [0-9]{1,4}/g;
const END = /-{0,5}END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-{0,5}/g;
// One piece of a block: what separates its lines (also quoted, commented or in JSON), an old header line, or base64.
const PIECE = /(?:[\s"',>|#*]|\\{1,4}[nrt"])+|(?:Proc-Type|DEK-Info|Version|Comment):[^\n\\]{0,200}|[A-Za-z0-9+/=]+/y;
const FOOTER = /[\s"',>|#*\\nr]{0,20}-{2,5}(?:E[ND]{0,2}[A-Z0-9 ]{0,60}-{0,5})?/y;

// PEM blocks of private keys, whole or cut at either end. A header without a body is only talk about keys.
export function findPrivateKeys(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const header of text.matchAll(BEGIN)) {
    const from = header.index + header[0].length;
    const end = endOfBody(text, from);
    if (end > from)
      findings.push({
        kind: 'private_key',
        start: header.index,
        end: endOfMatch(FOOTER, text, end),
        certainty: 'certain',
      });
  }
  let earliest = 0;
  for (const footer of text.matchAll(END)) {
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
    const next = endOfMatch(PIECE, text, at);
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
