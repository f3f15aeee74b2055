import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../files/file-fingerprint.ts';
import { textOf } from '../../files/read-file.ts';
import { linesOf, type SoughtText, type TextCopy, wholeFile } from '../../files/text-copies.ts';
import { atomicWrite } from '../../files/write-file.ts';
import { isRecord, parseJson } from '../../json.ts';
import { HASHED_BYTES } from '../../project/io/open-project.ts';
import type { FileText, ProjectSource, Reading } from '../../project/project-source.ts';
import type { CleanFile, FileFinding } from '../../safety/clean-text.ts';
import type { SanitiseAction } from '../../safety/sanitise.ts';
import type { Settings } from '../../settings/app-context.ts';
import { everyWorkspaceFolder } from '../../settings/io/workspace-folders.ts';
import { type BuiltBundle, type BundleInput, buildBundle } from '../bundle/bundle.ts';
import { MOST_CHARS } from '../bundle/fill.ts';
import { excerptOf } from '../bundle/line-ranges.ts';
import { type Clean, cleanValue, warningsOf } from '../slices/clean-payload.ts';
import type { TacticalMemory } from '../slices/tactical.ts';

/** What was found in a project file's text, as far as it was scanned. */
type Looked = CleanFile & { chars: number };

// A secret that begins inside an excerpt may end beyond it.
const MARGIN_CHARS = 8_000;
const MAX_LOOKED_CHARS = MOST_CHARS;

// The scanners are loaded with the first text there is to look at.
export const clean: Clean = async (value, path) =>
  (await import('../../safety/sanitise.ts')).sanitiseValue(value, { path });

// Records one by one: what can't be made safe drops only itself.
export async function cleanMemory(
  memory: TacticalMemory,
  clean: Clean,
): Promise<{ memory: TacticalMemory; warnings: string[] }> {
  const notes = await cleanValue(excerptOf(memory.notes, MAX_LOOKED_CHARS).text, 'notes', clean);
  const log = await cleanValue(memory.log, 'log', clean);
  // Our own ids have the length of some tokens: they are no one's secret.
  const ids = memory.gaps.map(({ session_id }) => session_id);
  const numbered = memory.gaps.map((gap, at) => ({
    ...gap,
    session_id: isSessionId(gap.session_id) ? `#${at}` : gap.session_id,
  }));
  const gaps = await cleanValue(numbered, 'gaps', clean);
  return {
    memory: {
      notes: typeof notes.value === 'string' ? notes.value : '',
      log: Array.isArray(log.value) ? log.value : [],
      gaps: Array.isArray(gaps.value)
        ? gaps.value.map((gap) => ({
            ...gap,
            session_id: ids[Number(/^#(\d+)$/.exec(gap.session_id)?.[1])] ?? gap.session_id,
          }))
        : [],
    },
    warnings: [notes, log, gaps].flatMap(({ warnings, actions }) =>
      [...warnings, ...warningsOf(actions.map(withoutOwnKeys))].map((warning) => `tactical: ${warning}`),
    ),
  };
}

function isSessionId(id: string | null): boolean {
  return id !== null && /^(?:[0-9a-f]{12}|[a-z-]{1,40})$/.test(id);
}

// The keys inside `details` are an agent's words too, and a warning is outside of the evidence.
function withoutOwnKeys(action: SanitiseAction): SanitiseAction {
  return { ...action, field: action.field.replace(/^(log\[\d+\]\.details).*$/s, '$1') };
}

// Builds until every project file that is in was looked at: what is cut out of one may let another in.
export async function buildScanned(input: BundleInput, store: ScannedTexts): Promise<BuiltBundle> {
  const { redact } = input.arguments;
  const looked = new Map<string, Looked>();
  const source = redact ? redactedSource(input.source, looked) : input.source;
  const look = looker(store, redact);
  let built = buildBundle({ ...input, source });
  for (;;) {
    const unseen = built.bundle.files.filter(
      ({ path, provenance }) => provenance.origin === 'project' && !looked.has(path),
    );
    for (const { path, chars, source_class } of unseen) {
      // A passage may be anywhere; where no words choose, only the beginning of a file is given.
      const wanted =
        source_class === 'task' || input.matched ? MAX_LOOKED_CHARS : Math.min(chars + MARGIN_CHARS, MAX_LOOKED_CHARS);
      const reading = input.source.read(path, wanted);
      looked.set(path, { ...(await look(textIn(reading, wanted))), chars: wanted });
    }
    store.save();
    const findings = [...looked].flatMap(([path, found]) => warningsOn(path, found, redact));
    if (unseen.length === 0 || findings.length === 0) return built;
    built = buildBundle({ ...input, source, warnings: [...input.warnings, ...findings] });
    if (!redact) return built;
  }
}

// What is looked at of a file; the hash of its bytes stands for the text where they are all of it.
function textIn(reading: Reading<FileText>, wanted: number): { text: string; hash: string } {
  if (reading.status !== 'ok') return { text: '', hash: sha256('') };
  const { whole, total_chars, sha256: ofBytes } = reading.value;
  const { text } = excerptOf(reading.value.text, wanted);
  const isAll = whole && total_chars !== null && total_chars <= wanted && reading.value.total_bytes <= HASHED_BYTES;
  return { text, hash: isAll ? ofBytes : sha256(text) };
}

// A text that was scanned before need not be scanned again, unless something is to be replaced in it.
function looker(store: ScannedTexts, redact: boolean): (seen: { text: string; hash: string }) => Promise<CleanFile> {
  return async ({ text, hash }) => {
    const known = store.known(hash)?.map(fromLine);
    if (known && !(redact && known.some(isCertain))) return { text, findings: known };
    try {
      const found = (await import('../../safety/clean-text.ts')).cleanFile(text);
      store.learn(hash, found.findings.map(toLine));
      return found;
    } catch {
      return { text: '', findings: [], refused: 'sanitiser_failed' };
    }
  };
}

// As the store keeps them: `certain github_token 3,17`.
function toLine({ certainty, kind, lines }: FileFinding): string {
  return `${certainty} ${kind} ${lines.join(',')}`;
}

function fromLine(line: string): FileFinding {
  const [certainty, kind = '', lines = ''] = line.split(' ');
  return { certainty: certainty === 'possible' ? 'possible' : 'certain', kind, lines: lines.split(',').map(Number) };
}

function isCertain({ certainty }: FileFinding): boolean {
  return certainty === 'certain';
}

const MAX_LINES = 5;

// One line for a class, with the lines of the file it is in.
function warningsOn(path: string, { findings, refused }: Looked, redact: boolean): string[] {
  if (refused !== undefined && redact) return [`${path}: ${refused} is not safe to show; the file is left out.`];
  return findings.map(({ kind, certainty, lines }) => {
    const place = `${path}:${lines.slice(0, MAX_LINES).join(',')}`;
    const more = lines.length > MAX_LINES ? ` and ${lines.length - MAX_LINES} more` : '';
    if (kind.startsWith('hidden_')) return `${place} holds ${kind}.`;
    if (certainty === 'possible') return `${place}${more}: this might be a secret (${kind}) and is left as it is.`;
    return `${place}${more}: ${kind} is ${redact ? 'redacted' : 'shown as it is'}.`;
  });
}

function redactedSource(source: ProjectSource, looked: ReadonlyMap<string, Looked>): ProjectSource {
  return {
    ...source,
    read(path, maxChars): Reading<FileText> {
      const found = looked.get(path);
      const reading = source.read(path, maxChars);
      if (found === undefined || reading.status !== 'ok') return reading;
      if (found.refused !== undefined)
        return { status: 'unreadable', unsafe: true, reason: "what is in it can't be cut out safely" };
      if (!found.findings.some(isCertain)) return reading;
      const whole = reading.value.whole && (reading.value.total_chars ?? Number.POSITIVE_INFINITY) <= found.chars;
      const total_chars = whole ? [...found.text].length : reading.value.total_chars;
      return { status: 'ok', value: { ...reading.value, text: found.text, whole, total_chars } };
    },
  };
}

/** What was found in texts that were scanned for secrets before. Derived: lost, it is simply found again. */
export interface ScannedTexts {
  /** By the SHA-256 of the text, or of the bytes it was read from. */
  known(sha256: string): string[] | undefined;
  learn(sha256: string, kinds: readonly string[]): void;
  save(): void;
}

const MAX_TEXTS = 1_000;
export const SCANNED_FILE = 'scanned.json';

// Only hashes and classes, never a text. `rules` names what scanned: another version scans again. It lies in the home, where
// one exists: the cache folder is no place for what is believed, and a planted line there would let a secret out.
export function scannedTexts(home: string, rules: string): ScannedTexts {
  const path = join(home, SCANNED_FILE);
  const texts = readTexts(path, rules);
  const before = texts.size;
  let learnt = 0;
  return {
    known: (sha256) => texts.get(sha256),
    learn(sha256, kinds) {
      learnt += 1;
      texts.set(sha256, [...kinds]);
    },
    save() {
      if (learnt === 0 || !existsSync(home)) return;
      const newest = [...texts].slice(Math.max(0, before + learnt - MAX_TEXTS));
      try {
        atomicWrite(path, JSON.stringify({ rules, texts: Object.fromEntries(newest) }), 0o600);
      } catch {
        // Where it can't be written, the next call scans again.
      }
    },
  };
}

function readTexts(path: string, rules: string): Map<string, string[]> {
  const value = parseJson(textOf(path) ?? '');
  if (!isRecord(value) || value.rules !== rules || !isRecord(value.texts)) return new Map();
  return new Map(Object.entries(value.texts).filter(isEntry));
}

function isEntry(entry: [string, unknown]): entry is [string, string[]] {
  return Array.isArray(entry[1]) && entry[1].every((kind) => typeof kind === 'string');
}

/** Copies of a text in receipts, and its hash among texts that were scanned. */
export function loaderCopies(settings: Settings, sought: SoughtText): TextCopy[] {
  return [
    ...everyWorkspaceFolder(settings).flatMap(({ folder, scope }) =>
      linesOf('receipt', join(folder, 'receipts.jsonl'), sought, { scope }),
    ),
    ...wholeFile('scan list', join(settings.home, SCANNED_FILE), sought),
  ];
}
