import { defineConfig } from 'vitest/config'

/** Tests that drive a real browser against a real server: one file at a time, in .ci/run only. */
export default defineConfig({
  test: {
    name: 'browser',
    include: ['test/browser/**/*.test.ts'],
    passWithNoTests: true,
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
