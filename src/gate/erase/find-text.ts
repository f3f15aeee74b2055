import { invalidInput, notFound } from '../../errors.ts';
import { join } from '../../files/paths.ts';
import { readExact } from '../../files/read-text.ts';
import { sha256 } from '../../files/sha256.ts';
import { isRecord } from '../../json-record.ts';
import type { Settings, TargetLike } from '../../settings/app-context.ts';
import { type AccountedFile, accountedFiles, accountedNotes, ledgersOf } from '../domains/accounted-files.ts';
import { sessionsFolder } from '../domains/sessions-folder.ts';
import { readTexts } from '../io/ledger-file.ts';
import { readTranscript, transcriptPaths } from '../io/transcript-reader.ts';
import { collapsed, fingerprintOf } from '../ledger/fingerprints.ts';
import { ARCHIVE } from '../standing/notes-archive.ts';
import { fileBlocks } from '../standing/tidy.ts';

/** A text that can be erased, and where it was found. */
export interface FoundText {
  text: string;
  where: string;
}

/** A file of memory with its text. */
export interface MemoryText extends AccountedFile {
  text: string;
}

/** All that lasts: tastes, briefs, notes and archives. */
export function memoryTexts(settings: Settings): MemoryText[] {
  const archives = settings.workspaces().map((workspace) => ({
    ...accountedNotes(settings, workspace),
    file: ARCHIVE,
    target: `${ARCHIVE} of ${workspace.id}`,
    path: join(workspace.folder, ARCHIVE),
  }));
  return [...accountedFiles(settings, 'all'), ...archives].flatMap((place) => {
    const read = readExact(place.path, place.scope);
    return read.status === 'ok' ? [{ ...place, text: read.value.text }] : [];
  });
}

const AT_LINE = /^(.+\.md):(\d+)$/;

/** By words of it, or by its line: `notes.md:12`. What is in memory comes first, then what only the records know. */
export function findTexts(settings: Settings, words: string, target: TargetLike): FoundText[] {
  if (words.trim() === '')
    throw invalidInput('What should be erased?', 'Words of it, or its line: bearings erase notes.md:12');
  const [, file, line] = AT_LINE.exec(words.trim()) ?? [];
  if (file !== undefined) return [blockAt(settings, { file, line: Number(line) }, target)];
  const wanted = collapsed(words).toLowerCase();
  const found = new Map<string, FoundText>();
  const meet = (text: string, where: string): void => {
    const print = fingerprintOf(text, sha256);
    if (!found.has(print) && collapsed(text).toLowerCase().includes(wanted))
      found.set(print, { text: text.trim(), where });
  };
  for (const each of memoryTexts(settings))
    for (const { lines, firstLine } of fileBlocks(each.text))
      meet(lines.join('\n'), `${each.target}, line ${firstLine}`);
  for (const ledger of ledgersOf(settings, 'all'))
    for (const { text } of readTexts(ledger).values()) if (text !== null) meet(text, `the ledger of ${ledger.label}`);
  for (const proposal of recordedProposals(settings))
    meet(proposal.content, `a proposal of session ${proposal.session_id}`);
  return [...found.values()];
}

function blockAt(settings: Settings, { file, line }: { file: string; line: number }, target: TargetLike): FoundText {
  const isTaste = file.startsWith('tastes/');
  const id = isTaste ? null : settings.workspace(target).id;
  const name = isTaste ? file.slice('tastes/'.length) : file;
  const place = memoryTexts(settings).find(
    (each) => (each.kind === 'taste') === isTaste && each.image_id === id && each.file === name,
  );
  const block = fileBlocks(place?.text ?? '').find(
    ({ firstLine, lines }) => firstLine <= line && line < firstLine + lines.length,
  );
  if (place && block) return { text: block.lines.join('\n').trim(), where: `${place.target}, line ${block.firstLine}` };
  throw notFound(`There is no text at line ${line} of ${file}.`, 'See the lines: bearings why notes.md');
}

export interface RecordedProposal {
  proposal_id: string;
  session_id: string;
  content: string;
  content_sha256: string;
}

/** Every proposal that a transcript holds. */
export function recordedProposals(settings: Settings): RecordedProposal[] {
  const places = [
    ...transcriptPaths(sessionsFolder(settings, null), null),
    ...settings.workspaces().flatMap(({ folder, scope }) => transcriptPaths(sessionsFolder(settings, folder), scope)),
  ];
  return places.flatMap((place) =>
    readTranscript(place).entries.flatMap(({ type, proposal }) => {
      if (type !== 'proposal' || !isRecord(proposal) || typeof proposal.content !== 'string') return [];
      const { proposal_id, content, content_sha256 } = proposal;
      const words = { proposal_id: String(proposal_id), session_id: place.session_id };
      return [{ ...words, content, content_sha256: String(content_sha256) }];
    }),
  );
}
