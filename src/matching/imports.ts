import type { SourceText } from './source-text.ts';

const LONGEST_SOURCE = 200_000;
// In bytes, whatever the signs in its name.
const LONGEST_IMPORT = 1200;
const MOST_IMPORTS = 200;
// Bounded as terms are: what goes on in letters of any script is another word.
const [NOT_BEFORE, NOT_AFTER] = ['(?<![\\w$\\u0080-\\uffff])', '(?![\\w$\\u0080-\\uffff])'];
const BLANKS = '[ \\t\\r\\n]{0,9}';
const JS = new RegExp(
  `${NOT_BEFORE}(?:from${NOT_AFTER}${BLANKS}|import${NOT_AFTER}${BLANKS}\\(?${BLANKS}|require${NOT_AFTER}${BLANKS}\\(${BLANKS})` +
    `(['"])(\\.{1,2}/[^'"\\n]{0,300}|\\.{1,2})\\1`,
  'g',
);
const JS_HERE = new RegExp(JS.source, 'y');
const encoder = new TextEncoder();
const PYTHON = /^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import|import[ \t]+([\w.]+))/gm;
const RUST = /^[ \t]*(?:pub[ \t]+)?mod[ \t]+(\w+)[ \t]*;|\buse[ \t]+(?:crate|super)::([\w:]+)/gm;
const C_INCLUDE = /^[ \t]*#[ \t]*include[ \t]*"([^"\n]{1,300})"/gm;
const RUBY = /\brequire_relative[ \t]+['"]([^'"\n]{1,300})['"]/g;

const BY_LINES: [files: RegExp, names: RegExp][] = [
  [/\.pyi?$/i, PYTHON],
  [/\.rs$/i, RUST],
  [/\.(?:c|h|cc|cpp|cxx|hpp|hh|m|mm)$/i, C_INCLUDE],
  [/\.rb$/i, RUBY],
];

// What a file names of its own project, as written: paths from its folder, or dotted modules.
export function importsIn(path: string, whole: string): string[] {
  const text = whole.slice(0, LONGEST_SOURCE);
  if (importsByWord(path)) return found(text, JS, 2);
  const names = BY_LINES.find(([files]) => files.test(path))?.[1];
  return names ? found(text, names, 1, 2) : [];
}

/** Whether a file of this name can import anything. */
export function mayImport(path: string): boolean {
  return importsByWord(path) || BY_LINES.some(([files]) => files.test(path));
}

/** Whether imports of this file start with one of IMPORT_WORDS, so that a scan by words can name the places. */
export function importsByWord(path: string): boolean {
  return /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/i.test(path);
}

export const IMPORT_WORDS = 'import require from'.split(' ');

// The same as importsIn, looking only where one of the words stands.
export function importsAt(places: readonly number[], source: SourceText): string[] {
  if (places.length === 0) return [];
  // How far is looked is said in signs, and these are bytes only where all is ASCII.
  if (!source.plain && source.bytes.length > LONGEST_SOURCE)
    return found(source.slice(0).slice(0, LONGEST_SOURCE), JS, 2);
  const text = source.plain ? source.slice(0, LONGEST_SOURCE) : null;
  const names = new Set<string>();
  let done = 0;
  for (const place of places) {
    if (names.size >= MOST_IMPORTS) break;
    // A word inside the text that another one leads to leads nowhere.
    if (place < done) continue;
    JS_HERE.lastIndex = text === null ? 0 : place;
    const match = JS_HERE.exec(text ?? source.slice(place, place + LONGEST_IMPORT));
    if (!match) continue;
    done = place + (text === null ? encoder.encode(match[0]).length : match[0].length);
    names.add(match[2] as string);
  }
  return [...names];
}

function found(text: string, expression: RegExp, ...groups: number[]): string[] {
  const names = new Set<string>();
  for (const match of text.matchAll(expression)) {
    const name = groups.map((group) => match[group]).find((value) => value !== undefined);
    if (name !== undefined) names.add(name);
    if (names.size >= MOST_IMPORTS) break;
  }
  return [...names];
}

const ENDINGS = [
  '',
  '.ts',
  '.tsx',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '.mts',
  '.cts',
  '.vue',
  '.svelte',
  '.py',
  '.rs',
  '.rb',
];
const INDEXES = ['/index.ts', '/index.tsx', '/index.js', '/index.mjs', '/__init__.py', '/mod.rs'];

// The project's files an import may mean, likeliest first; the caller keeps the first that is there.
export function importTargets(importer: string, name: string): string[] {
  return importStems(importer, name).flatMap(targetsOf);
}

/** What the targets of an import start with; empty for the project's own folder. */
export function importStems(importer: string, name: string): string[] {
  const folder = importer.split('/').slice(0, -1);
  if (/\.pyi?$/i.test(importer)) return pythonStems(folder, name);
  if (/\.rs$/i.test(importer)) return [stemOf(folder, name.split('::'))];
  const stem = stemOf(folder, name.split('/'));
  // TypeScript writes `./x.js` for x.ts.
  const source = name.replace(/\.([cm]?)jsx?$/, '');
  return source === name ? [stem] : [stem, stemOf(folder, source.split('/'))];
}

function pythonStems(folder: readonly string[], name: string): string[] {
  const dots = name.search(/[^.]|$/);
  const parts = name.slice(dots).split('.').filter(Boolean);
  if (dots > 0) return [stemOf(folder.slice(0, folder.length - dots + 1), parts)];
  const bases = [[], ['src'], ['lib'], folder];
  return bases.map((base) => stemOf(base, parts));
}

function stemOf(folder: readonly string[], steps: readonly string[]): string {
  const way = [...folder];
  for (const step of steps) {
    if (step === '..') way.pop();
    else if (step !== '.' && step !== '') way.push(step);
  }
  return way.join('/');
}

export function targetsOf(stem: string): string[] {
  // `.` from a file of the project's own folder: its index.
  if (stem === '') return INDEXES.map((index) => index.slice(1));
  return [...ENDINGS, ...INDEXES].map((ending) => stem + ending);
}
