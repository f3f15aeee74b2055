import { type BuiltBundle, type BundleInput, buildBundle } from '../loader/bundle.ts';
import { type Clean, cleanValue } from '../loader/clean-payload.ts';
import { excerptOf } from '../loader/excerpt.ts';
import type { FileText, ProjectSource, Reading } from '../loader/source.ts';
import type { TacticalMemory } from '../loader/tactical.ts';
import type { CleanText } from '../safety/sanitise-text.ts';

/** What was found in a project file's text, as far as it was looked at. */
type Looked = CleanText & { chars: number };

// A secret that begins inside an excerpt may end behind it.
const MARGIN_CHARS = 8_000;
const MAX_LOOKED_CHARS = 200_000;

// The scanners are loaded with the first text there is to look at.
export function cleaner(): Clean {
  let loading: Promise<Clean> | undefined;
  return async (value, path) => {
    loading ??= loadCleaner();
    return (await loading)(value, path);
  };
}

async function loadCleaner(): Promise<Clean> {
  const [{ sanitiseValue }, { createSecretScanner }] = await Promise.all([
    import('../safety/sanitise.ts'),
    import('../io/secret-scanner.ts'),
  ]);
  const scan = createSecretScanner();
  return (value, path) => sanitiseValue(value, { scan, path });
}

// Records one by one: what can't be made safe drops only itself.
export async function cleanMemory(
  memory: TacticalMemory,
  clean: Clean,
): Promise<{ memory: TacticalMemory; warnings: string[] }> {
  const notes = await cleanValue(excerptOf(memory.notes, MAX_LOOKED_CHARS).text, 'notes', clean);
  const log = await cleanValue(memory.log, 'log', clean);
  const gaps = await cleanValue(memory.gaps, 'gaps', clean);
  return {
    memory: {
      notes: typeof notes.value === 'string' ? notes.value : '',
      log: Array.isArray(log.value) ? log.value : [],
      gaps: Array.isArray(gaps.value) ? gaps.value : [],
    },
    warnings: [notes, log, gaps].flatMap(({ warnings }) => warnings.map((warning) => `tactical: ${warning}`)),
  };
}

// Builds until every project file that is in was looked at: what is cut out of one may let another in.
export async function buildLookedAt(input: BundleInput): Promise<BuiltBundle> {
  const looked = new Map<string, Looked>();
  const source = input.arguments.redact ? redactedSource(input.source, looked) : input.source;
  const look = await looker();
  let built = buildBundle({ ...input, source });
  for (;;) {
    const unseen = built.bundle.files.filter(
      ({ path, provenance }) => provenance.origin === 'project' && !looked.has(path),
    );
    if (unseen.length === 0) return built;
    for (const { path, chars } of unseen) {
      const wanted = Math.min(chars + MARGIN_CHARS, MAX_LOOKED_CHARS);
      const reading = input.source.read(path, wanted);
      const text = reading.status === 'ok' ? excerptOf(reading.value.text, wanted).text : '';
      looked.set(path, { ...(await look(text)), chars: wanted });
    }
    const findings = [...looked].flatMap(([path, found]) => warningOf(path, found, input.arguments.redact));
    if (findings.length === 0) return built;
    built = buildBundle({ ...input, source, warnings: [...input.warnings, ...findings] });
    if (!input.arguments.redact) return built;
  }
}

async function looker(): Promise<(text: string) => Promise<CleanText>> {
  const [{ sanitiseText }, { createSecretScanner }] = await Promise.all([
    import('../safety/sanitise-text.ts'),
    import('../io/secret-scanner.ts'),
  ]);
  const scan = createSecretScanner();
  const around = { label: '', loose: false, field: '', oneLine: false };
  return async (text) => {
    try {
      return await sanitiseText(text, around, scan);
    } catch {
      return { refused: 'sanitiser_failed' };
    }
  };
}

function warningOf(path: string, found: Looked, redact: boolean): string[] {
  const kinds = found.refused === undefined ? [...found.kinds].sort() : [found.refused];
  if (kinds.length === 0) return [];
  if (!redact) return [`${path} holds ${kinds.join(', ')}: look at it, or load with --redact.`];
  return [`${path}: ${kinds.join(', ')} is ${found.refused === undefined ? 'redacted' : 'not safe to show'}.`];
}

function redactedSource(source: ProjectSource, looked: ReadonlyMap<string, Looked>): ProjectSource {
  return {
    ...source,
    read(path, maxChars): Reading<FileText> {
      const found = looked.get(path);
      const reading = source.read(path, maxChars);
      if (found === undefined || reading.status !== 'ok') return reading;
      if (found.refused !== undefined)
        return { status: 'unreadable', unsafe: true, reason: 'what is in it can not be cut out safely' };
      if (found.kinds.length === 0) return reading;
      const whole = reading.value.whole && (reading.value.total_chars ?? Number.POSITIVE_INFINITY) <= found.chars;
      const total_chars = whole ? [...found.text].length : reading.value.total_chars;
      return { status: 'ok', value: { ...reading.value, text: found.text, whole, total_chars } };
    },
  };
}
