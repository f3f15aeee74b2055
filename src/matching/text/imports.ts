const LONGEST_SOURCE = 200_000;
const MOST_IMPORTS = 200;
// Bounded as terms are: what goes on in letters of any script is another word.
const [NOT_BEFORE, NOT_AFTER] = ['(?<![\\w$\\u0080-\\uffff])', '(?![\\w$\\u0080-\\uffff])'];
const BLANKS = '[ \\t\\r\\n]{0,9}';
// The quote first: there are few of them, while every character may begin a word.
const JS = new RegExp(
  `(['"])(?<=${NOT_BEFORE}(?:from${NOT_AFTER}${BLANKS}|import${NOT_AFTER}${BLANKS}\\(?${BLANKS}|require${NOT_AFTER}${BLANKS}\\(${BLANKS})['"])` +
    `(\\.{1,2}/[^'"\\n]{0,300}|\\.{1,2})\\1`,
  'g',
);
const PYTHON = /^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import|import[ \t]+([\w.]+))/gm;
const RUST = /^[ \t]*(?:pub[ \t]+)?mod[ \t]+(\w+)[ \t]*;|\buse[ \t]+(?:crate|super)::([\w:]+)/gm;
const C_INCLUDE = /^[ \t]*#[ \t]*include[ \t]*"([^"\n]{1,300})"/gm;
const RUBY = /\brequire_relative[ \t]+['"]([^'"\n]{1,300})['"]/g;

const LANGUAGES: [files: RegExp, names: RegExp, ...groups: number[]][] = [
  [/\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/i, JS, 2],
  [/\.pyi?$/i, PYTHON, 1, 2],
  [/\.rs$/i, RUST, 1, 2],
  [/\.(?:c|h|cc|cpp|cxx|hpp|hh|m|mm)$/i, C_INCLUDE, 1],
  [/\.rb$/i, RUBY, 1],
];

// What a file names of its own project, as written: paths from its folder, or dotted modules.
export function importsIn(path: string, whole: string): string[] {
  const language = LANGUAGES.find(([files]) => files.test(path));
  if (!language) return [];
  const [, expression, ...groups] = language;
  const names = new Set<string>();
  for (const match of whole.slice(0, LONGEST_SOURCE).matchAll(expression)) {
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
