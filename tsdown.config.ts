import { defineConfig } from 'tsdown';

// Packages that go into dist, in chunks that load when they are used; any other stops the build. Each goes with its licence.
const LICENCES = {
  '@ai-sdk/anthropic': '@ai-sdk/anthropic/LICENSE',
  '@ai-sdk/openai': '@ai-sdk/openai/LICENSE',
  '@ai-sdk/openai-compatible': '@ai-sdk/openai-compatible/LICENSE',
  '@ai-sdk/provider': '@ai-sdk/provider/LICENSE',
  // Of the same repository, and without a file of its own.
  '@ai-sdk/provider-utils': '@ai-sdk/provider/LICENSE',
  '@hono/node-server': '@hono/node-server/LICENSE',
  '@modelcontextprotocol/client': '@modelcontextprotocol/client/LICENSE',
  '@modelcontextprotocol/core': '@modelcontextprotocol/core/LICENSE',
  '@modelcontextprotocol/node': '@modelcontextprotocol/node/LICENSE',
  '@modelcontextprotocol/server': '@modelcontextprotocol/server/LICENSE',
  'eventsource-parser': 'eventsource-parser/LICENSE',
  'gpt-tokenizer': 'gpt-tokenizer/LICENSE',
  hono: 'hono/LICENSE',
  'jsonc-parser': 'jsonc-parser/LICENSE.md',
  'pkce-challenge': 'pkce-challenge/LICENSE',
  preact: 'preact/LICENSE',
  'smol-toml': 'smol-toml/LICENSE',
  yaml: 'yaml/LICENSE',
  zod: 'zod/LICENSE',
};
const deps = { onlyBundle: Object.keys(LICENCES) };
// jsonc-parser's other form asks for its own files at run time.
const inputOptions = { resolve: { mainFields: ['module', 'main'] } };

const shared = {
  deps,
  inputOptions,
  platform: 'node',
  target: 'node20.19',
  sourcemap: false,
  hash: false,
} as const;

// A comment at the end of a member's line would belong to that member, and the next one would have no hover text.
const commentsOnTheirOwnLine = {
  name: 'comments-on-their-own-line',
  generateBundle(_: unknown, bundle: Record<string, { code?: string }>) {
    for (const [name, chunk] of Object.entries(bundle))
      if (name.endsWith('.d.ts') && chunk.code) chunk.code = chunk.code.replace(/; (\/\*\*[^\n]*\*\/)\n/g, ';\n$1\n');
  },
};

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

const browser = {
  deps,
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
} as const;

export default defineConfig([
  {
    ...shared,
    entry: {
      // Each one is also an entry of `exports` in package.json.
      index: 'src/index.ts',
      person: 'src/person.ts',
      mcp: 'src/mcp/embed.ts',
      'memory-tool': 'src/memory-tool/memory-tool.ts',
    },
    format: 'esm',
    clean: true,
    dts: true,
    outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
    plugins: [commentsOnTheirOwnLine],
    // Else what several entries share could take the name of one of them, types above all.
    outputOptions: { chunkFileNames: 'shared-[name].js' },
  },
  {
    ...binary,
    entry: { main: 'src/main.ts' },
    // What every command needs is one file: to find, read and compile thirty small ones takes longer than to run them.
    outputOptions: {
      codeSplitting: {
        groups: [
          { name: 'core', tags: ['$initial'], test: (id) => !id.endsWith('main.ts'), priority: 2 },
          // What every read asks of the record of decisions, and what every hook needs.
          {
            name: 'standing',
            test: /src\/gate\/(?:standing\/(?:standing|accounts)|io\/read-standing)\.ts$/,
            priority: 1,
          },
          { name: 'hook', test: /src\/(?:cli\/commands\/hook|hooks\/hooks)\.ts$/ },
        ],
      },
    },
  },
  { ...binary, entry: { 'index-thread': 'src/project/io/index/index-thread.ts' } },
  {
    // The page: one script and one style sheet, with everything they need inside.
    ...browser,
    entry: { page: 'src/web/page/app.tsx' },
    copy: [
      { from: 'src/web/page/page.css', to: 'dist/web' },
      ...Object.entries(LICENCES).map(([name, file]) => ({
        from: `node_modules/${file}`,
        to: `dist/licenses/${name.replace('/', '-')}`,
      })),
    ],
  },
]);
