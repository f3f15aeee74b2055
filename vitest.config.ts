import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/each-file.ts'],
    // Only what hangs takes so long, also on a machine that does much else.
    testTimeout: 480_000,
    hookTimeout: 480_000,
  },
});
