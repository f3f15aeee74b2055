import { findEncoded } from './encoded-text.ts';
import { type Finding, mergeFindings } from './finding.ts';
import { findPrivateKeys } from './private-keys.ts';
import { findAssignments } from './secret-assignments.ts';
import { namesIn } from './secret-names.ts';
import { findInProse } from './secret-prose.ts';
import { findShapes } from './secret-shapes.ts';
import { findInStatements } from './secret-statements.ts';
import { findInTables } from './secret-tables.ts';

export { type Finding, mergeFindings, redact } from './finding.ts';

// Our own rules; the maintained scanner stands beside them in `io/secret-scanner.ts`.
export function findSecrets(text: string): Finding[] {
  return mergeFindings(findPlain(text), findEncoded(text, findPlain));
}

/** What has the shape or the checksum of a secret; a name beside it is not asked for. */
export function findShaped(text: string): Finding[] {
  const find = (plain: string) => mergeFindings(findPrivateKeys(plain), findShapes(plain));
  return mergeFindings(find(text), findEncoded(text, find));
}

function findPlain(text: string): Finding[] {
  const names = namesIn(text);
  return mergeFindings(
    findPrivateKeys(text),
    findShapes(text),
    findAssignments(text, names),
    findInStatements(text),
    findInTables(text),
    findInProse(text, names),
  );
}
