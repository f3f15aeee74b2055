import type { Finding } from './finding.ts';
import { findInField } from './secret-assignments.ts';
import { classify, namesSecret } from './secret-names.ts';

type Cell = { text: string; start: number };

const RULE_LINE = /^[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*[|+])+(?:[ \t]*:?-+:?[ \t]*\|?)?$|^\+?[-=+]{5,}$/;
const SEPARATORS: [separator: RegExp, mark: RegExp][] = [
  [/\|/, /\|/],
  [/\t/, /\t/],
  [/,/, /,/],
  [/;/, /;/],
  [/ {2,}/, / {2,}/],
];
const MAX_ROWS = 2_000;
const MAX_LINE = 1_000;
// Beside the name of an account a plain word is a password too.
const ACCOUNT =
  /^(?:user(?:[ _-]?name)?|login|account|e-?mail|host|hostname|benutzer(?:name)?|nutzer|konto|utilisateur|compte|usuario|utente|gebruiker|service|name|site|url|server|system)s?$/i;

// Under the head of a column that names a secret: Markdown, CSV, tabs, or columns of blanks.
export function findInTables(text: string): Finding[] {
  const findings: Finding[] = [];
  let table: { heads: string[]; separator: RegExp; rows: number } | null = null;
  let at = 0;
  for (const line of text.split('\n')) {
    const cells = table ? cellsOf(line, at, table.separator) : [];
    const isRule = line.length <= MAX_LINE && RULE_LINE.test(line.trim());
    if (table && (isRule || (cells.length === table.heads.length && table.rows < MAX_ROWS))) {
      table.rows += 1;
      if (!isRule) findings.push(...findInRow(cells, table.heads));
    } else table = tableUnder(line);
    at += line.length + 1;
  }
  return findings;
}

function findInRow(cells: Cell[], heads: string[]): Finding[] {
  const besideAccount = heads.some((head) => ACCOUNT.test(head.trim()));
  return cells.flatMap((cell, column) => {
    const head = heads[column] ?? '';
    // In a column of its own a short secret is no less one than a password.
    const name = classify(head);
    const label = name === null || name.strength === 'weak' || name.strength === 'digits' ? head : 'password';
    const bare = cell.text.replace(/^["'`*]+|["'`*]+$/g, '');
    const offset = cell.text.indexOf(bare);
    return findInField(bare, { label, loose: !besideAccount || !/^[^\s"]{4,}$/.test(bare) || isWord(bare) }).map(
      ({ start, end }) => ({
        kind: name?.kind ?? 'secret',
        start: cell.start + offset + start,
        end: cell.start + offset + end,
      }),
    );
  });
}

function isWord(text: string): boolean {
  return /^(?:required|optional|yes|no|none|string|text|varchar|unchanged|expired|hidden|set|unset|missing|never|sso|ldap|oauth|saml|n\/a|[A-Z][a-z]+)$/.test(
    text,
  );
}

function tableUnder(line: string): { heads: string[]; separator: RegExp; rows: number } | null {
  if (line.length > MAX_LINE) return null;
  for (const [separator, mark] of SEPARATORS) {
    if (!mark.test(line.trim())) continue;
    const heads = cellsOf(line, 0, separator).map(({ text }) => text.replace(/^["'`*]+|["'`*]+$/g, ''));
    const isHead = heads.length >= 2 && heads.every((head) => head.length <= 40 && !/[:=(){}<>]/.test(head));
    if (isHead && heads.some(namesSecret)) return { heads, separator, rows: 0 };
  }
  return null;
}

function cellsOf(line: string, at: number, separator: RegExp): Cell[] {
  const cells: Cell[] = [];
  const bars = separator.source === '\\|';
  let from = 0;
  const push = (end: number) => {
    const raw = line.slice(from, end);
    cells.push({ text: raw.trim(), start: at + from + (raw.length - raw.trimStart().length) });
  };
  const body = line.replace(/\s+$/, '');
  const lead = separator.source === ' {2,}' ? body.length - body.trimStart().length : 0;
  from = lead;
  for (const match of body.slice(lead).matchAll(new RegExp(separator, 'g'))) {
    push(lead + match.index);
    from = lead + match.index + match[0].length;
  }
  push(body.length);
  // Bars at both ends are edges, not columns.
  if (bars && /^\s*\|/.test(line)) cells.shift();
  if (bars && /\|\s*$/.test(line)) cells.pop();
  return cells;
}
