import { type Certainty, type Finding, mergeFindings, redact } from './finding.ts';
import { findHiddenCharacter, replaceHidden } from './hidden-characters.ts';
import { findCertainNumbers, findPersonalData } from './personal-data.ts';
import { findInField, namesSecret } from './secret-names.ts';
import { findSecrets } from './secrets.ts';
import { searchViews } from './text-views.ts';

// What is around a text: the name that may make its value a secret, and the field it is the value of.
export type Surroundings = { label: string; field: string; oneLine: boolean };
// `refused` is the class of what cannot be cut out safely.
export type CleanText = { text: string; kinds: string[]; refused?: undefined } | { refused: string };

// Redaction can tie its neighbours in new ways, so it runs until nothing changes; a text that never settles is refused.
const MAX_ROUNDS = 6;
// Under this length what is left of a text can be judged by its fields; over it, a mostly redacted text is a dump.
const SHORT = 200;

const TERMINAL = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[@-Z\\-_]/g;
const TAG = /^[\u{e0000}-\u{e007f}]$/u;
const HIDDEN_MESSAGE = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{4}|[\u00ad\u180e\u200b-\u200f\u2060-\u2064\ufeff]{8}/u;
const KEY_EDGE = /^[\s"'>#*-]*-{3,5}(?:BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-{3,5}[\s"',]*$/;

// For payloads of others: also what is only possibly a secret goes, since no code is spoilt by it.
export function sanitiseText(text: string, around: Surroundings): CleanText {
  const kinds = new Set<string>();
  let current = text;
  let cut = 0;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    if (smuggles(current)) return { refused: 'hidden_text' };
    const findings = searchViews(current, (view) => findAll(view, around));
    if (isHalfKey(current, findings)) return { refused: 'private_key' };
    cut += findings.reduce((sum, { start, end }) => sum + end - start, 0);
    const isOneValue = findings.length === 1 && findings[0]?.end === current.length && findings[0].start === 0;
    if (text.length > SHORT && cut > text.length / 2 && !isOneValue) return { refused: 'mostly_redacted' };
    const redacted = redact(current, findings);
    const next = plainText(redacted, around.oneLine, kinds);
    if (next === current) return { text: current, kinds: [...kinds] };
    // A mark that is found again and redacted to itself is no new action.
    if (redacted !== current) for (const { kind } of findings) kinds.add(kind);
    current = next;
  }
  return { refused: 'sanitiser_failed' };
}

function findAll(text: string, around: Surroundings): Finding[] {
  const named = (label: string, find: (text: string) => Finding[]) => {
    const prefix = label ? `${label}: ` : '';
    return find(prefix + text)
      .filter(({ end }) => end > prefix.length)
      .map((found) => ({ ...found, start: Math.max(0, found.start - prefix.length), end: found.end - prefix.length }));
  };
  return mergeFindings(
    findInField(text, around.label),
    named(namesSecret(around.label) || /cookie/i.test(around.label) ? around.label : '', findSecrets),
    named(around.field, findPersonalData),
  );
}

// Half a key may go on in the next field or excerpt.
export function isHalfKey(text: string, findings: Finding[]): boolean {
  const isCut = ({ kind, start, end }: Finding) => {
    const block = text.slice(start, end);
    return (
      kind === 'private_key' &&
      /PRIVATE KEY/.test(block) &&
      !(/BEGIN [A-Z0-9 ]*PRIVATE KEY/.test(block) && /END [A-Z0-9 ]*PRIVATE KEY/.test(block))
    );
  };
  return KEY_EDGE.test(text) || findings.some(isCut);
}

// Letters that no one sees but a model reads: tags, or bytes in rows of selectors and zero-width characters.
export function smuggles(text: string): boolean {
  let tags = 0;
  replaceHidden(text, (character) => {
    if (TAG.test(character)) tags += 1;
    return character;
  });
  return tags > 0 || HIDDEN_MESSAGE.test(text);
}

function plainText(text: string, oneLine: boolean, kinds: Set<string>): string {
  const seen = replaceHidden(text.replace(TERMINAL, ''), (character) =>
    /[\r\v\f\u0085\u2028\u2029]/.test(character) ? '\n' : '',
  );
  if (seen !== text) kinds.add('hidden_character');
  if (!oneLine || !/[\t\r\n]/.test(seen)) return seen;
  kinds.add('forged_structure');
  return seen.replace(/[ \t\r\n]+/g, (blanks) => (/[\t\r\n]/.test(blanks) ? ' ' : blanks)).trim();
}

/** What of one class is in a file, and in which of its lines. */
export type FileFinding = { kind: string; certainty: Certainty; lines: number[] };
// `refused` is the class of what cannot be cut out safely.
export type CleanFile = { text: string; findings: FileFinding[]; refused?: string };

// A file of a project (L25): what is certainly a secret is replaced by its class, all else stays, since a wrong replacement
// spoils code. Hidden characters stay too: code may need them, and who shows the text shows them.
export function cleanFile(text: string): CleanFile {
  const { found, certain } = findInFile(text);
  const findings = [...byClass(text, found), ...hiddenIn(text)];
  if (isHalfKey(text, certain)) return { text: '', findings, refused: 'private_key' };
  return { text: redact(text, certain), findings };
}

/** What is in a text that others wrote; what of it is certain, and so may be replaced. */
export function findInFile(text: string): { found: Finding[]; certain: Finding[] } {
  const found = searchViews(text, (view) => mergeFindings(findSecrets(view), findCertainNumbers(view)));
  return { found, certain: found.filter(({ certainty }) => certainty === 'certain') };
}

function byClass(text: string, found: Finding[]): FileFinding[] {
  const classes = new Map<string, FileFinding>();
  let line = 1;
  let done = 0;
  for (const { kind, certainty, start } of found) {
    line += text.slice(done, start).split('\n').length - 1;
    done = Math.max(done, start);
    const known = classes.get(`${certainty} ${kind}`);
    if (known) known.lines.push(line);
    else classes.set(`${certainty} ${kind}`, { kind, certainty, lines: [line] });
  }
  return [...classes.values()];
}

// A byte order mark at the beginning is how some editors write a file.
function hiddenIn(text: string): FileFinding[] {
  const hidden = findHiddenCharacter(text.replace(/^\ufeff/, ''));
  if (hidden === null) return [];
  const kind = smuggles(text) ? 'hidden_text' : 'hidden_character';
  const line = [...text].slice(0, hidden.offset).join('').split('\n').length;
  return [{ kind, certainty: 'possible', lines: [line] }];
}
