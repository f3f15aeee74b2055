import { findEncoded } from './encoded-text.ts';
import { type Finding, mergeFindings } from './finding.ts';
import { findPrivateKeys } from './private-keys.ts';
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
