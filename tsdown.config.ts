import { defineConfig } from 'tsdown';

const shared = {
  platform: 'node',
  target: 'node20.19',
  sourcemap: false,
  hash: false,
} as const;

const BUNDLED = ['@modelcontextprotocol/core', '@modelcontextprotocol/server', 'marked', 'preact', 'zod'];

// Each one is also an entry of `exports` in package.json.
const SUBPATHS = ['memory', 'loader', 'tasks', 'mcp'];

// CommonJS and small: on Node 20 that starts a third faster than the same code as modules.
const binary = {
  ...shared,
  outDir: 'dist/bin',
  format: 'cjs',
  clean: false,
  dts: false,
  minify: true,
  outExtensions: () => ({ js: '.cjs' }),
} as const;

export default defineConfig([
  {
    ...shared,
    entry: {
      index: 'src/index.ts',
      ...Object.fromEntries(SUBPATHS.map((name) => [`subpaths/${name}`, `src/subpaths/${name}.ts`])),
    },
    format: 'esm',
    clean: true,
    dts: true,
    outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
    // Else what several entries share could take the name of one of them, types above all.
    outputOptions: { chunkFileNames: 'shared-[name].js' },
  },
  {
    ...binary,
    entry: { main: 'src/main.ts' },
    // One small file in place of hundreds: half of a server's start would be finding and compiling what it never uses.
    deps: { alwaysBundle: [/^@modelcontextprotocol\/server/, /^@modelcontextprotocol\/core/, /^zod/] },
  },
  // What a second thread runs: a file of its own with all it needs.
  { ...binary, entry: { 'index-thread': 'src/io/index-thread.ts' } },
  {
    // The page: one script and one style sheet, with everything they need inside.
    entry: { page: 'src/web/page/main.tsx' },
    outDir: 'dist/web',
    platform: 'browser',
    target: 'es2022',
    format: 'esm',
    tsconfig: 'src/web/page/tsconfig.json',
    clean: false,
    dts: false,
    minify: true,
    sourcemap: false,
    hash: false,
    outExtensions: () => ({ js: '.js' }),
    copy: [
      { from: 'src/web/page/page.css', to: 'dist/web' },
      // What is bundled goes with its licence.
      ...BUNDLED.map((name) => ({
        from: `node_modules/${name}/LICENSE`,
        to: `dist/licenses/${name.replace('/', '-')}`,
      })),
    ],
  },
]);
