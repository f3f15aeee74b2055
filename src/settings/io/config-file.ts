import { readText } from '../../files/read-text.ts';
import { splitLines } from '../../lines.ts';
import type { ConfigFile, ConfigProblem, FileEntry } from '../resolve.ts';
import { plainMessage } from './yaml-message.ts';

const MAX_CONFIG_CHARS = 64 * 1024;
// Settings are flat. The parser recurses, and where it exhausts the stack the engine may end the whole process.
const MAX_NESTING = 50;

// Null when there is no such file. The YAML parser is loaded only when there is one: start-up time is a feature.
export async function readConfigFile(
  path: string,
  options: { label: string; owner: ConfigFile['owner']; scope: string | null },
): Promise<ConfigFile | null> {
  const { label, owner } = options;
  const file = readText(path, options.scope);
  if (file.status === 'missing') return null;
  const broken = (message: string, line = 1): ConfigFile => ({
    label,
    owner,
    entries: [],
    problems: [{ file: label, line, column: 1, message }],
  });
  if (file.status === 'unreadable') return broken(`the file can't be read: ${file.reason}`);
  if (!file.value.valid) return broken('the file is not UTF-8 text');
  if (file.value.text.length > MAX_CONFIG_CHARS) return broken('the file is larger than 64 KiB');
  const deep = deepLine(file.value.text);
  if (deep !== null) return broken('the lines are nested too deeply', deep);
  return { label, owner, ...(await parseEntries(file.value.text, label)) };
}

// The first line that could nest more than any settings do: by brackets so far, by its indent, or by its markers.
function deepLine(text: string): number | null {
  let brackets = 0;
  for (const [index, line] of splitLines(text).entries()) {
    if (line.trimStart().startsWith('#')) continue;
    brackets += line.match(/[[{]/g)?.length ?? 0;
    const indent = line.length - line.trimStart().length;
    const markers = line.match(/[-?:](?=\s|$)/g)?.length ?? 0;
    if (Math.max(brackets, indent, markers) > MAX_NESTING) return index + 1;
  }
  return null;
}

async function parseEntries(text: string, file: string): Promise<Pick<ConfigFile, 'entries' | 'problems'>> {
  const { isAlias, isMap, isScalar, LineCounter, parseDocument, visit } = await import('yaml');
  const lines = new LineCounter();
  // `core` without custom tags: plain text, numbers, booleans and null; nothing that builds objects.
  const document = parseDocument(text, { lineCounter: lines, schema: 'core', strict: true, uniqueKeys: false });
  const problems: ConfigProblem[] = [];
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  for (const error of [...document.errors, ...document.warnings]) {
    problems.push({ file, ...place(error.pos[0]), message: plainMessage(error.message) });
  }
  visit(document, (_, node) => {
    if (isAlias(node)) problems.push({ file, ...place(node.range?.[0] ?? 0), message: 'aliases are not allowed' });
  });
  const { contents } = document;
  const isEmpty = contents === null || (isScalar(contents) && contents.value === null);
  if (problems.length > 0 || isEmpty) return { entries: [], problems };
  if (!isMap(contents)) {
    return {
      entries: [],
      problems: [{ file, line: 1, column: 1, message: 'expected lines of the form `key: value`' }],
    };
  }
  const entriesOf = (items: typeof contents.items): FileEntry[] =>
    items.map(({ key, value }) => {
      const offset = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
      return {
        key: isScalar(key) ? String(key.value) : '(not a name)',
        value: isScalar(value) ? value.value : value === null ? null : {},
        ...(isMap(value) ? { children: entriesOf(value.items) } : {}),
        ...place(offset),
      };
    });
  return { entries: entriesOf(contents.items), problems };
}
