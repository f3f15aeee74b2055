import type { Notes } from '../results.ts';

const MAX_SUMMARY = 600;
const OPEN = '<notes>';
const CLOSE = '</notes>';

/** Comes at the end of every prompt. */
export const NOTES_REQUEST = `End your answer with ${OPEN}one to three sentences that sum up what you found${CLOSE}.`;

export const JSON_REQUEST = `Answer with JSON only, before the notes. ${NOTES_REQUEST}`;
export const STRUCTURED_REQUEST =
  'Put the answer under "answer", and one to three sentences that sum up what you found under "notes".';

// The notes part the model was asked for, else an extract of its content that says so.
export function splitNotes(answer: string, model: string): { content: string; notes: Notes } {
  const start = answer.lastIndexOf(OPEN);
  const end = start === -1 ? -1 : answer.indexOf(CLOSE, start);
  if (end !== -1 && answer.slice(end + CLOSE.length).trim() === '') {
    const summary = answer.slice(start + OPEN.length, end).trim();
    const content = answer.slice(0, start).trimEnd();
    if (summary !== '') return { content, notes: { summary, model } };
    return { content, notes: { summary: extractOf(content), derived: true, model } };
  }
  return { content: answer, notes: { summary: extractOf(answer), derived: true, model } };
}

// The beginning, up to a sentence's or a word's end. Same text, same extract, on every machine.
export function extractOf(content: string): string {
  const text = content.trim();
  if (text.length <= MAX_SUMMARY) return text;
  const points = [...text.slice(0, MAX_SUMMARY * 2)];
  if (points.length <= MAX_SUMMARY && text.length <= MAX_SUMMARY * 2) return text;
  const start = points.slice(0, MAX_SUMMARY - 1).join('');
  const sentence = Math.max(start.lastIndexOf('. '), start.lastIndexOf('.\n'), start.lastIndexOf('\n'));
  if (sentence > start.length / 2) return `${start.slice(0, sentence + 1).trimEnd()}…`;
  const word = start.lastIndexOf(' ');
  return `${word > start.length / 2 ? start.slice(0, word) : start}…`;
}
