// bearings/memory: a context from texts that lie elsewhere than in files. Pure: runs wherever JavaScript does.
export { type Brief, type ParsedBrief, parseBrief } from '../memory/brief.ts';
export { type ClipLimits, clipContext } from '../memory/clip-context.ts';
export { contextText } from '../memory/context-text.ts';
export type { Gap } from '../memory/gaps.ts';
export type { LogItem } from '../memory/log.ts';
export {
  NOTES_HEAD_LINES,
  NOTES_TAIL_LINES,
  NOTES_TRUNCATION_THRESHOLD,
  type Notes,
  type NotesText,
  summariseNotes,
  wholeNotes,
} from '../memory/notes.ts';
export {
  type Context,
  type ContextReading,
  type ContextSource,
  type Read,
  readContext,
} from '../memory/read-context.ts';
export type { Conflict, Tastes } from '../memory/tastes.ts';
