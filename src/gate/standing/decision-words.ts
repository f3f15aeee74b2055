import type { DecisionKind } from '../ledger/entry.ts';

/** What was done, as a person reads it in a history. */
export const DECISION_WORDS: Readonly<Record<DecisionKind, string>> = {
  accept: 'accepted',
  decline: 'declined',
  replace: 'replaced',
  retire: 'retired',
  edit: 'edited by hand',
  adopt: 'adopted as it was',
  remove: 'taken out',
  tidy: 'tidied after a merge',
  undo: 'undone',
  restore: 'restored',
  erase: 'a text was erased',
  look_again: 'reviewed again',
  approve: 'approved',
  level: 'another level',
  key: 'another key',
  trust: 'a key was trusted',
  untrust: 'a key is no longer trusted',
  allow: 'a program was allowed',
  revoke: 'a program is no longer allowed',
  workspace: 'a folder was named as yours',
  settle: 'a fault was settled',
  checkpoint: 'a checkpoint',
};
