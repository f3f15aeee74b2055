import { type Finding, mergeFindings, redact } from './finding.ts';
import { replaceHidden } from './hidden-characters.ts';
import { findPersonalData } from './personal-data.ts';
import { findInField } from './secret-assignments.ts';
import { namesSecret } from './secret-names.ts';
import { findSecrets } from './secrets.ts';
import { searchViews } from './text-views.ts';

export type Scan = (text: string) => Promise<Finding[]> | Finding[];
// What stands around a text: the name that may make its value a secret, and the field it is the value of.
export type Surroundings = { label: string; loose: boolean; field: string; oneLine: boolean };
// `refused` is the class of what cannot be cut out safely.
// `counts` says how often a kind was found.
export type CleanText =
  | { text: string; kinds: string[]; counts?: Readonly<Record<string, number>>; refused?: undefined }
  | { refused: string; counts?: Readonly<Record<string, number>> };

// Redaction can tie its neighbours in new ways, so it runs until nothing changes; a text that never settles is refused.
const MAX_ROUNDS = 6;
// Under this length what is left of a text can be judged by its fields; over it, a mostly redacted text is a dump.
const SHORT = 200;

const TERMINAL = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[@-Z\\-_]/g;
const TAG = /^[\u{e0000}-\u{e007f}]$/u;
const HIDDEN_MESSAGE = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{4}|[\u00ad\u180e\u200b-\u200f\u2060-\u2064\ufeff]{8}/u;
const KEY_EDGE = /^[\s"'>#*-]*-{3,5}(?:BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-{3,5}[\s"',]*$/;

export async function sanitiseText(text: string, around: Surroundings, scan: Scan): Promise<CleanText> {
  const kinds = new Set<string>();
  const counts: Record<string, number> = {};
  let current = text;
  let cut = 0;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    if (smuggles(current)) return { refused: 'hidden_text' };
    const findings = await searchViews(current, (view) => findAll(view, around, scan));
    if (!findings.every(({ start, end }) => start < end && end <= current.length)) {
      return { refused: 'sanitiser_failed' };
    }
    const isCut = KEY_EDGE.test(current) || findings.some((finding) => isCutKey(current, finding));
    if (isCut) return { refused: 'private_key' };
    cut += findings.reduce((sum, { start, end }) => sum + end - start, 0);
    const isOneValue = findings.length === 1 && findings[0]?.end === current.length && findings[0].start === 0;
    if (text.length > SHORT && cut > text.length / 2 && !isOneValue)
      return { refused: 'mostly_redacted', counts: countAll(findings, counts) };
    const redacted = redact(current, findings);
    const next = plainText(redacted, around.oneLine, kinds);
    if (next === current) return { text: current, kinds: [...kinds], counts };
    // A mark that is found again and redacted to itself is no new action.
    if (redacted !== current) {
      for (const { kind } of findings) kinds.add(kind);
      countAll(findings, counts);
    }
    current = next;
  }
  return { refused: 'sanitiser_failed' };
}

function countAll(findings: Finding[], counts: Record<string, number>): Record<string, number> {
  for (const { kind } of findings) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

async function findAll(text: string, around: Surroundings, scan: Scan): Promise<Finding[]> {
  const labelled = async (label: string, find: Scan) => {
    const prefix = label ? `${label}: ` : '';
    const found = await find(prefix + text);
    return found
      .filter(({ end }) => !(end <= prefix.length))
      .map(({ kind, start, end }) => ({
        kind: /^[a-z][a-z0-9_]{0,39}$/.test(kind) ? kind : 'secret',
        start: Math.max(0, start - prefix.length),
        end: end - prefix.length,
      }));
  };
  const names = !around.loose && (namesSecret(around.label) || /cookie/i.test(around.label));
  return mergeFindings(
    findInField(text, around),
    findSecrets(text),
    names ? await labelled(around.label, findSecrets) : [],
    await labelled(names ? around.label : '', scan),
    await labelled(around.field, findPersonalData),
  );
}

// Half a key may go on in the next field.
function isCutKey(text: string, { kind, start, end }: Finding): boolean {
  const block = text.slice(start, end);
  return (
    kind === 'private_key' && !(/BEGIN [A-Z0-9 ]*PRIVATE KEY/.test(block) && /END [A-Z0-9 ]*PRIVATE KEY/.test(block))
  );
}

// Letters that no one sees but a model reads: tags, or bytes in rows of selectors and zero-width characters.
function smuggles(text: string): boolean {
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
