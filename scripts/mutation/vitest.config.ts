import { defineConfig } from 'vitest/config';

// The tests beside the code and those that were named: those of the built binary can't see a fault in the source.
export default defineConfig({
  test: {
    include: process.env.BEARINGS_MUTATION?.split(','),
    setupFiles: ['test/support/each-file.ts'],
    // Stryker decides what takes too long: a busy machine is no fault.
    testTimeout: 3_600_000,
    hookTimeout: 3_600_000,
  },
});
