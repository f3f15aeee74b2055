import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = resolve(import.meta.dirname, '../src');

// Who may import whom. Folders are the architecture: change this table only with a record in docs/decisions.
const MAY_IMPORT: Record<string, readonly string[]> = {
  'errors.ts': [],
  'version.ts': [],
  'code-point-order.ts': [],
  'canonical-json.ts': ['code-point-order.ts'],
  memory: ['errors.ts', 'safety'],
  safety: ['errors.ts'],
  config: ['errors.ts'],
  matching: ['code-point-order.ts', 'errors.ts'],
  proposals: ['canonical-json.ts', 'errors.ts', 'memory', 'safety'],
  loader: ['canonical-json.ts', 'code-point-order.ts', 'errors.ts', 'memory', 'safety'],
  tasks: ['errors.ts'],
  clients: ['errors.ts'],
  io: [
    'canonical-json.ts',
    'code-point-order.ts',
    'errors.ts',
    'memory',
    'safety',
    'config',
    'proposals',
    'loader',
    'matching',
    'tasks',
    'clients',
  ],
  'use-cases': [
    'canonical-json.ts',
    'code-point-order.ts',
    'errors.ts',
    'version.ts',
    'memory',
    'safety',
    'config',
    'proposals',
    'loader',
    'matching',
    'tasks',
    'clients',
    'io',
  ],
  'bearings.ts': ['errors.ts', 'use-cases', 'io'],
  'index.ts': ['bearings.ts', 'errors.ts', 'config', 'loader', 'matching', 'memory', 'tasks', 'use-cases'],
  subpaths: ['bearings.ts', 'canonical-json.ts', 'loader', 'mcp', 'memory', 'tasks', 'use-cases'],
  // Faces may take types and pure words of the parts; effects reach them only through bearings.ts.
  cli: ['bearings.ts', 'errors.ts', 'loader', 'memory', 'proposals', 'safety', 'tasks', 'version.ts'],
  mcp: ['bearings.ts', 'errors.ts', 'memory', 'proposals', 'use-cases', 'version.ts'],
  web: ['bearings.ts', 'errors.ts', 'loader', 'memory', 'proposals', 'safety', 'tasks', 'version.ts'],
  'main.ts': ['cli', 'mcp', 'web', 'io'],
};
const PURE = ['loader', 'matching', 'memory', 'proposals', 'safety', 'config', 'tasks', 'clients'];
// Packages without effects that a pure folder may build on.
const PURE_PACKAGES: Record<string, readonly string[]> = { tasks: ['saxes'], clients: ['jsonc-parser', 'smol-toml'] };
const FORBIDDEN_IN_PURE = [
  /\bprocess\./,
  /\bDate\.now\b/,
  /\bnew Date\(\)/,
  /\bMath\.random\b/,
  /\blocaleCompare\b/,
  /\btoLocale/,
  /\bIntl\./,
];

interface Source {
  path: string;
  area: string;
  text: string;
  inside: string[];
  outside: string[];
}

const sources: Source[] = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.test.ts'))
  .map((entry) => {
    const file = join(entry.parentPath, entry.name);
    const text = readFileSync(file, 'utf8');
    const specifiers = [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map((match) => match[1] as string);
    const inside = specifiers
      .filter((name) => name.startsWith('.') && /\.tsx?$/.test(name))
      .map((name) => relative(SRC, resolve(dirname(file), name)));
    return {
      path: relative(SRC, file),
      area: areaOf(relative(SRC, file)),
      text,
      inside,
      outside: specifiers.filter((name) => !name.startsWith('.')),
    };
  });

function areaOf(path: string): string {
  return path.split('/')[0] as string;
}

describe('architecture', () => {
  it('every folder and top file stands in the table', () => {
    expect([...new Set(sources.map((source) => source.area))].filter((area) => !(area in MAY_IMPORT))).toEqual([]);
  });

  it('imports go down only, as the table says', () => {
    const wrong = sources.flatMap(({ path, area, inside }) =>
      inside
        .filter((target) => areaOf(target) !== area && !MAY_IMPORT[area]?.includes(areaOf(target)))
        .map((target) => `${path} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('there are no import cycles', () => {
    const imports = new Map(sources.map((source) => [source.path, source.inside]));
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (path: string, trail: string[]): void => {
      if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
      else if (!done.has(path)) {
        for (const next of imports.get(path) ?? []) visit(next, [...trail, path]);
        done.add(path);
      }
    };
    for (const { path } of sources) visit(path, []);
    expect(cycles).toEqual([]);
  });

  it('pure folders import no node module and no package, and know no clock, chance, process or locale', () => {
    const wrong = sources
      .filter(({ area }) => PURE.includes(area))
      .flatMap(({ path, area, outside, text }) => [
        ...outside.filter((name) => !PURE_PACKAGES[area]?.includes(name)).map((name) => `${path} imports ${name}`),
        ...FORBIDDEN_IN_PURE.filter((pattern) => pattern.test(text)).map((pattern) => `${path} uses ${pattern}`),
      ]);
    expect(wrong).toEqual([]);
  });

  it('faces never touch the disk or the network by themselves', () => {
    const effects = /^(?:node:)?(?:fs|fs\/promises|child_process|net|http|https|dgram|worker_threads)$/;
    const wrong = sources
      .filter(({ area }) => area === 'cli' || area === 'mcp' || area === 'web')
      .flatMap(({ path, outside }) =>
        outside.filter((name) => effects.test(name)).map((name) => `${path} imports ${name}`),
      );
    expect(wrong).toEqual([]);
  });
});
