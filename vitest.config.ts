import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Most tests wait for processes of their own: fewer workers than cores would leave half of a small machine idle.
const maxWorkers = Math.max(2, availableParallelism());

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/build.ts'],
    maxWorkers,
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
