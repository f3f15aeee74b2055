import { baseName, kindOf } from './paths.ts';

export const LAST_NUMBER = /\d+(?=\D*$)/;
const LABEL =
  /^[ \t>*_#-]*(\p{Lu}[\p{L}'’-]{1,30}|user|human|me|assistant|agent|bot|system)(?:[ \t][\p{L}'’.-]{1,30}){0,2}[*_]*:/mu;
const LABEL_LOOK = 300;

// Files that differ in their last number only follow each other: turns of a talk, days of a log, numbered notes.
export function sequenceOf(path: string): string | null {
  const base = baseName(path);
  if (kindOf(path) === 'code' || !LAST_NUMBER.test(base)) return null;
  return path.slice(0, path.length - base.length) + base.replace(LAST_NUMBER, '#');
}

export function speakerOf(text: string): string | null {
  return LABEL.exec(text.slice(0, LABEL_LOOK))?.[1]?.toLowerCase() ?? null;
}
