import { isRecord } from '../../json-record.ts';

/** `same`: rebuilt to the very bytes. `lost`: what it was made of is no longer held. */
export interface Outcome {
  verdict: 'same' | 'differs' | 'lost';
  causes: string[];
}

export const SAME: Outcome = { verdict: 'same', causes: [] };
export const TEXT_GONE = 'the text that was served is no longer stored: only its hash is known';

export function differs(...causes: string[]): Outcome {
  return { verdict: 'differs', causes };
}

export function lost(cause: string): Outcome {
  return { verdict: 'lost', causes: [cause] };
}

/** What was served, as it was before it was a text. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const NAMES: Record<string, string> = { notes: 'notes.md', brief: 'brief.md', recent_log: 'log', recent_gaps: 'gaps' };

/** Which parts of a context are others than they were, and why that can be. */
export function contextCauses(served: unknown, rebuilt: unknown): string[] {
  const [then, now] = [partsOf(served), partsOf(rebuilt)];
  const names = [...new Set([...then.keys(), ...now.keys()])].filter((name) => then.get(name) !== now.get(name));
  return names.map((name) => {
    if (name === 'log' || name === 'gaps') return `${name}: its records changed since`;
    return `${name}: it changed since, and no stored decision says how`;
  });
}

function partsOf(context: unknown): Map<string, string> {
  const parts = new Map<string, string>();
  if (!isRecord(context)) return parts;
  for (const [key, value] of Object.entries(context)) {
    if (key !== 'tastes' || !isRecord(value)) parts.set(NAMES[key] ?? key, JSON.stringify(value));
    else {
      parts.set('tastes/_default.md', JSON.stringify(value.default));
      for (const [name, text] of Object.entries(isRecord(value.genres) ? value.genres : {}))
        parts.set(`tastes/${name}.md`, JSON.stringify(text));
    }
  }
  return parts;
}

/** Which files of a bundle are others than they were, and why. `textAt`: a file at that commit, null where it is not there. */
export function bundleCauses(
  served: unknown,
  rebuilt: unknown,
  { commit, textAt }: { commit: string; textAt(path: string): string | null },
): string[] {
  const [then, now] = [excerptsOf(served), excerptsOf(rebuilt)];
  const causes: string[] = [];
  for (const [path, excerpt] of then) {
    if (now.get(path) === excerpt) continue;
    if (path.startsWith('tactical/')) {
      causes.push(`${path}: the workspace's memory changed since, and no stored decision says how`);
      continue;
    }
    const text = textAt(path);
    if (text === null) causes.push(`${path}: it is not in commit ${commit}; it was not committed`);
    else if (!holds(text, excerpt)) causes.push(`${path}: not as in commit ${commit}; it had uncommitted changes`);
  }
  if (causes.length > 0) return causes;
  const moved = [...new Set([...then.keys(), ...now.keys()])].filter((path) => then.get(path) !== now.get(path));
  return moved.map((path) => `${path}: chosen in another way; a file that was not committed took part`);
}

// Lines that say what is left out are ours; what was replaced as a secret is not in the file.
function holds(text: string, excerpt: string): boolean {
  const lines = new Set(text.split(/\r\n|\n|\r/));
  const all = excerpt.split(/\r\n|\n|\r/).filter((line) => !/^\[lines? \d|\[redacted:/.test(line));
  // The last one may be cut.
  return all.slice(0, -1).every((line) => lines.has(line)) && text.includes(all.at(-1) ?? '');
}

function excerptsOf(bundle: unknown): Map<string, string> {
  const files = isRecord(bundle) && Array.isArray(bundle.files) ? bundle.files : [];
  return new Map(
    files.flatMap((file): [string, string][] => (isRecord(file) ? [[String(file.path), String(file.excerpt)]] : [])),
  );
}
