import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'rolldown/utils';
import { defineConfig, type TsdownPlugin } from 'tsdown';

const shared = {
  platform: 'node',
  target: 'node20.19',
  sourcemap: false,
  hash: false,
} as const;

// The binary runs its chunks as scripts (src/io/kept-code.ts), in which `import()` does not work: main.cjs does it for them.
const packageImports: TsdownPlugin = {
  name: 'package-imports',
  renderChunk(code, { fileName }) {
    const starts: number[] = [];
    new Visitor({ ImportExpression: ({ start }) => starts.push(start) }).visit(parseSync(fileName, code).program);
    return starts.sort((a, b) => b - a).reduce((text, at) => `${text.slice(0, at)}require.${text.slice(at)}`, code);
  },
};

// Plain ASCII is kept and read at half the size and with nothing to decode. Only texts and patterns hold other signs, and
// there `\\uXXXX` means the same.
const plainSigns: TsdownPlugin = {
  name: 'plain-signs',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue;
      if (/\\[^\0-\x7f]/.test(chunk.code)) throw new Error(`${chunk.fileName}: a sign beyond ASCII behind a backslash`);
      chunk.code = chunk.code.replace(
        /[^\0-\x7f]/g,
        (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    }
  },
};

const BUNDLED = ['@modelcontextprotocol/core', '@modelcontextprotocol/server', 'marked', 'preact', 'zod'];

// Each one is also an entry of `exports` in package.json.
const SUBPATHS = ['memory', 'loader', 'tasks', 'mcp'];

// A file of its own with all it needs: what starts the program.
const alone = {
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
    // The binary is CommonJS and small: on Node 20 that starts a third faster than the same code as modules.
    ...shared,
    entry: { program: 'src/program.ts' },
    outDir: 'dist/bin',
    format: 'cjs',
    clean: false,
    dts: false,
    minify: true,
    // One small file in place of hundreds: half of a server's start would be finding and compiling what it never uses.
    deps: { alwaysBundle: [/^@modelcontextprotocol\/server/, /^@modelcontextprotocol\/core/, /^zod/] },
    plugins: [packageImports, plainSigns],
    alias: { '@modelcontextprotocol/server/_shims': fileURLToPath(new URL('src/mcp/sdk-shims.ts', import.meta.url)) },
    outExtensions: () => ({ js: '.cjs' }),
  },
  { ...alone, entry: { main: 'src/main.ts' } },
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
