import type { Learned, LearnedCandidate } from '../../learn/learn.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { counted, fitTo, grouped, padTo, wrapTo } from './columns.ts';

export const SHOWN = 10;
const MOST_LINES = 5;
const MEGABYTE = 1024 * 1024;

/** What was read, and so many lines of what in it contradicts, is gone or repeats. */
export function learnedLines(learned: Learned, columns: number, most = MOST_LINES): string[] {
  const { sources, transcripts, contradictions, gone, repeats, unread, leftOut } = learned;
  const total = sources.reduce((sum, { lines }) => sum + lines, 0);
  const fit = (line: string) => fitTo(line, columns);
  const width = Math.min(40, Math.max(24, ...sources.map(({ name }) => showHidden(name).length)));
  const row = (name: string, count: string, more = '') =>
    `  ${padTo(fitTo(showHidden(name), width), width)}  ${count.padStart(14)}${more === '' ? '' : `   ${more}`}`;
  return [
    total === 0
      ? 'No instructions or memories of agents were found for this project.'
      : `Agents on this machine are told ${counted(total, 'line')} about this project.`,
    ...sources.map(({ name, lines }) => {
      const dead = gone.filter(({ source }) => source === name).length;
      const opposed = contradictions.filter((each) => each.source === name || each.with.source === name).length;
      const told = [
        dead > 0 ? `${dead} ${dead === 1 ? 'cites' : 'cite'} what is gone` : '',
        opposed > 0 ? `${opposed} ${opposed === 1 ? 'contradicts' : 'contradict'} another file` : '',
      ];
      return row(name, counted(lines, 'line'), told.filter(Boolean).join(', '));
    }),
    ...transcripts.map(({ client, files, turns, bytes, isRepositorys }) =>
      row(
        isRepositorys ? `${client} in the project` : `${client} transcripts`,
        counted(files, 'session'),
        `${counted(turns, 'prompt')} typed${bytes > MEGABYTE ? `, ${grouped(Math.round(bytes / MEGABYTE))} MB` : ''}`,
      ),
    ),
    ...unread.map(({ name, reason }) => row(name, 'not read', showHidden(reason))),
    ...(leftOut > 0 ? [`  ${counted(leftOut, 'sentence')} left out: a secret or a hidden character`] : []),
    ...section(
      'Contradicts',
      contradictions.map(
        (each) =>
          `${each.source}:${each.line} "${each.text}" / ${each.with.source}:${each.with.line} "${each.with.text}"`,
      ),
      most,
    ),
    ...section(
      'Gone',
      gone.map(({ source, line, cited, what }) => `${source}:${line} cites ${cited}: no such ${what}`),
      most,
    ),
    ...section(
      'Said more than once',
      repeats.map(({ places, text }) => `${places.join(', ')} "${text}"`),
      most,
    ),
  ].map(fit);
}

function section(title: string, lines: readonly string[], most: number): string[] {
  if (lines.length === 0 || most === 0) return [];
  const rest = lines.length - most;
  return [
    '',
    title,
    ...lines.slice(0, most).map((line) => `  ${showHidden(line)}`),
    ...(rest > 0 ? [`  … ${rest} more: bearings learn --list`] : []),
  ];
}

/** Candidates with what speaks for them. */
export function candidateLines(candidates: readonly LearnedCandidate[], columns: number): string[] {
  return candidates.flatMap(({ text, count, sessions, last, quotes, said, against }) => {
    const often = padTo(`${count}×`, 4);
    const when = [sessions > 1 ? `${sessions} sessions` : '', last ?? ''].filter(Boolean).join(', ');
    const [quote = ''] = quotes.filter((each) => !sameWords(each, text));
    // The person decides on it: it is wrapped, not cut.
    const [first = '', ...others] = wrapTo(`${showHidden(text)}${when === '' ? '' : ` · ${when}`}`, columns - 8);
    const lines = [
      `  ${often}  ${first}`,
      ...others.map((row) => `        ${row}`),
      ...(quote === '' ? [] : [`        "${showHidden(quote)}"`]),
      ...said.slice(0, 1).map(({ source, line }) => `        is in ${showHidden(source)}:${line} already`),
      ...against
        .slice(0, 1)
        .map((place) => `        contradicts ${showHidden(place.source)}:${place.line} "${showHidden(place.text)}"`),
    ];
    return lines.map((line) => fitTo(line, columns));
  });
}

function sameWords(a: string, b: string): boolean {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  return plain(a) === plain(b);
}
