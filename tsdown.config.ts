import { defineConfig } from 'tsdown';

// One build for the library and the binary: they share chunks, and every face is a chunk of its own that loads lazily.
export default defineConfig({
  entry: { index: 'src/index.ts', main: 'src/main.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  dts: true,
  clean: true,
  sourcemap: false,
  hash: false,
  outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
});
