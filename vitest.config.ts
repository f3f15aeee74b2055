import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/each-file.ts'],
    // Files share a process: most of a short one's time would be its start. What a helper ends, it ends by test/support/after-tests.ts.
    isolate: false,
    // What was transformed once is there for the next run and for the runs beside it, by content, in node_modules.
    experimental: { fsModuleCache: true },
    // Only what hangs takes so long, also on a machine that does much else.
    testTimeout: process.env.BEARINGS_TEST_LONG ? 6 * 3_600_000 : 480_000,
    hookTimeout: 480_000,
  },
});
