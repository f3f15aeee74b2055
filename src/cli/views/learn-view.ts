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
  // Each fact that a client remembers is a file of its own: they are one row.
  const rows = new Map<string, { names: string[]; lines: number }>();
  for (const { name, lines } of sources) {
    const key = shortName(name).replace(/(\/memor(?:y|ies)\/).*/, '$1');
    const before = rows.get(key) ?? { names: [], lines: 0 };
    rows.set(key, { names: [...before.names, name], lines: before.lines + lines });
  }
  const width = Math.min(40, Math.max(24, ...[...rows.keys()].map((name) => name.length)));
  const row = (name: string, count: string, more = '') =>
    `  ${padTo(fitTo(name, width), width)}  ${count.padStart(12)}${more === '' ? '' : `   ${more}`}`;
  return [
    total === 0
      ? 'No instructions or memories of agents were found for this project.'
      : `Agents on this machine are told ${counted(total, 'line')} about this project.`,
    ...[...rows].flatMap(([key, { names, lines }]) => {
      const dead = gone.filter(({ source }) => names.includes(source)).length;
      const opposed = contradictions.filter((each) =>
        [each.source, each.with.source].some((source) => names.includes(source)),
      ).length;
      const [first = '', ...others] = [
        ...(dead > 0 ? [`${dead} ${dead === 1 ? 'cites' : 'cite'} what is gone`] : []),
        ...(opposed > 0 ? [`${opposed} ${opposed === 1 ? 'contradicts' : 'contradict'} another file`] : []),
      ];
      return [row(key, counted(lines, 'line'), first), ...others.map((more) => row('', '', more))];
    }),
    ...transcripts.map(({ client, files, turns, bytes, isRepositorys }) =>
      row(
        isRepositorys ? `${client} in the project` : `${client} transcripts`,
        counted(files, 'session'),
        `${counted(turns, 'prompt')} typed${bytes > MEGABYTE ? `, ${grouped(Math.round(bytes / MEGABYTE))} MB` : ''}`,
      ),
    ),
    ...unread.map(({ name, reason }) => row(shortName(name), 'not read', showHidden(reason))),
    ...(leftOut > 0 ? [`  ${counted(leftOut, 'sentence')} left out: a secret or a hidden character`] : []),
    ...section(
      'Contradicts',
      contradictions.map(
        (each) =>
          `${placeName(each)} "${showHidden(each.text)}" / ${placeName(each.with)} "${showHidden(each.with.text)}"`,
      ),
      { most, columns },
    ),
    ...section(
      'Gone',
      gone.map((each) => `${placeName(each)} cites ${showHidden(each.cited)}: no such ${each.what}`),
      { most, columns },
    ),
    ...section(
      'Said more than once',
      repeats.map(({ places, text }) => `"${showHidden(text)}" ${places.map(shortName).join(', ')}`),
      { most, columns },
    ),
  ].map(fit);
}

// A client names its folder for a project after the path that the person stands in.
function shortName(name: string): string {
  return showHidden(name).replace(/^(~\/\.\w+\/\w+\/)[^/]+(?=\/memory\/)/, '$1…');
}

function placeName({ source, line }: { source: string; line: number }): string {
  return `${shortName(source)}:${line}`;
}

function section(title: string, lines: readonly string[], { most, columns }: { most: number; columns: number }) {
  if (lines.length === 0 || most === 0) return [];
  const rest = lines.length - most;
  return [
    '',
    title,
    ...lines
      .slice(0, most)
      .flatMap((line) => wrapTo(line, columns - 4).map((row, at) => `${at === 0 ? '  ' : '    '}${row}`)),
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
      ...said.slice(0, 1).map(({ source, line }) => `        is in ${placeName({ source, line })} already`),
      ...against.slice(0, 1).map((place) => `        contradicts ${placeName(place)} "${showHidden(place.text)}"`),
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
