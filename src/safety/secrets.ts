import { type Finding, mergeFindings } from './finding.ts';
import { findPrivateKeys } from './private-keys.ts';
import { findAssignments, findInTables } from './secret-assignments.ts';
import { findShapes } from './secret-shapes.ts';

export { type Finding, mergeFindings, redact } from './finding.ts';

// Our own rules; the maintained scanner stands beside them in `io/secret-scanner.ts`.
export function findSecrets(text: string): Finding[] {
  return mergeFindings(findPrivateKeys(text), findShapes(text), findAssignments(text), findInTables(text));
}
