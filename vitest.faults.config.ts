import { defineConfig } from 'vitest/config'

/** Slow tests that start, kill and restart real processes: one file at a time, in .ci/run only. */
export default defineConfig({
  test: {
    name: 'faults',
    include: ['test/faults/**/*.test.ts'],
    passWithNoTests: true,
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    globalSetup: 'test/faults/figures-table.ts',
  },
})
