import { HASHED_BYTES } from '../io/project.ts';
import type { ScannedTexts } from '../io/scanned-texts.ts';
import { sha256 } from '../io/sha256.ts';
import { type BuiltBundle, type BundleInput, buildBundle } from '../loader/bundle.ts';
import { type Clean, cleanValue } from '../loader/clean-payload.ts';
import { warningsOf } from '../loader/clean-warnings.ts';
import { excerptOf } from '../loader/excerpt.ts';
import type { FileText, ProjectSource, Reading } from '../loader/source.ts';
import type { TacticalMemory } from '../loader/tactical.ts';
import type { SanitiseAction } from '../safety/sanitise.ts';
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
    warnings: [notes, log, gaps].flatMap(({ warnings, actions }) =>
      [...warnings, ...warningsOf(actions.map(withoutOwnKeys))].map((warning) => `tactical: ${warning}`),
    ),
  };
}

// The keys inside `details` are an agent's words too, and a warning stands outside of the evidence.
function withoutOwnKeys(action: SanitiseAction): SanitiseAction {
  return { ...action, field: action.field.replace(/^(log\[\d+\]\.details).*$/s, '$1') };
}

// Builds until every project file that is in was looked at: what is cut out of one may let another in.
export async function buildLookedAt(input: BundleInput, store: ScannedTexts): Promise<BuiltBundle> {
  const { redact } = input.arguments;
  const looked = new Map<string, Looked>();
  const source = redact ? redactedSource(input.source, looked) : input.source;
  const look = looker(store, redact);
  let built = buildBundle({ ...input, source });
  for (;;) {
    const unseen = built.bundle.files.filter(
      ({ path, provenance }) => provenance.origin === 'project' && !looked.has(path),
    );
    for (const { path, chars } of unseen) {
      const wanted = Math.min(chars + MARGIN_CHARS, MAX_LOOKED_CHARS);
      const reading = input.source.read(path, wanted);
      looked.set(path, { ...(await look(textIn(reading, wanted))), chars: wanted });
    }
    store.save();
    const findings = [...looked].flatMap(([path, found]) => warningOf(path, found, redact));
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

// A text that was looked at before need not be scanned again, unless its words are to be cut out.
function looker(store: ScannedTexts, redact: boolean): (seen: { text: string; hash: string }) => Promise<CleanText> {
  let loading: ReturnType<typeof loadLooker> | undefined;
  return async ({ text, hash }) => {
    const kinds = store.known(hash);
    if (kinds !== undefined && (kinds.length === 0 || !redact)) return { text, ...counted(kinds) };
    try {
      loading ??= loadLooker();
      const found = await (await loading)(text);
      store.learn(
        hash,
        kindsOf(found).map((kind) => `${kind} ${found.counts?.[kind] ?? 1}`),
      );
      return found;
    } catch {
      return { refused: 'sanitiser_failed' };
    }
  };
}

// What makes a text unsafe as a whole stands beside what was found in it.
function kindsOf(found: CleanText): string[] {
  return found.refused === undefined ? [...found.kinds] : [found.refused, ...Object.keys(found.counts ?? {})];
}

// As the store keeps them: `mail_address 3`.
function counted(kept: readonly string[]): { kinds: string[]; counts: Record<string, number> } {
  const pairs = kept.map((one) => one.split(' ')).map(([kind = '', count]) => [kind, Number(count ?? 1)] as const);
  return { kinds: pairs.map(([kind]) => kind), counts: Object.fromEntries(pairs) };
}

async function loadLooker(): Promise<(text: string) => Promise<CleanText>> {
  const [{ sanitiseText }, { createSecretScanner }] = await Promise.all([
    import('../safety/sanitise-text.ts'),
    import('../io/secret-scanner.ts'),
  ]);
  const scan = createSecretScanner();
  const around = { label: '', loose: false, field: '', oneLine: false };
  return (text) => sanitiseText(text, around, scan);
}

// Files that name the people behind a project on purpose: their addresses are no finding.
const AUTHORS =
  /^(?:package\.json|pyproject\.toml|cargo\.toml|composer\.json|setup\.(?:py|cfg)|pom\.xml|.*\.gemspec|(?:authors|contributors|maintainers|codeowners|license|licence|copying|notice|security|code_of_conduct)(?:\.\w+)?)$/i;

function warningOf(path: string, found: Looked, redact: boolean): string[] {
  const named = () => AUTHORS.test(path.slice(path.lastIndexOf('/') + 1));
  const told = (kind: string) => redact || kind !== 'mail_address' || !named();
  const times = (kind: string) => {
    const count = found.counts?.[kind] ?? 1;
    return count > 1 ? `${kind} (${count} times)` : kind;
  };
  const kinds = kindsOf(found).sort().filter(told).map(times);
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
