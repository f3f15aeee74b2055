import { defineConfig } from 'vitest/config';

// Only the tests beside the code: those of the built binary can't see a fault in the source, others would take hours.
export default defineConfig({
  test: {
    include: [`src/${process.env.BEARINGS_MUTATION}/**/*.test.ts`],
    setupFiles: ['test/each-file.ts'],
    // Stryker decides what takes too long: a busy machine is no fault.
    testTimeout: 3_600_000,
    hookTimeout: 3_600_000,
  },
});
