import { type Certainty, type Finding, mergeFindings, redact } from './finding.ts';
import { findHiddenCharacter } from './hidden-characters.ts';
import { findCertainNumbers } from './personal-data/personal-data.ts';
import { isHalfKey, smuggles } from './sanitise-text.ts';
import { findSecrets } from './secrets.ts';
import { searchViews } from './text-views.ts';

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
