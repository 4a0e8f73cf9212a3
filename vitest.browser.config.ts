import { defineConfig } from 'vitest/config'
import { findChromium } from './test/browser/support/chromium.ts'
import { inMemory } from './test/in-memory.ts'
import { LongestFirst } from './test/longest-first.ts'

const isPossible = findChromium() !== undefined
if (!isPossible)
  process.stderr.write(
    '\n*** NO BROWSER TEST RUNS: there is no Chromium on this machine (Debian: apt-get install chromium) ***\n\n',
  )

/** Tests that drive a real browser against a real server of their own: three files at a time, in .ci/run only. */
export default defineConfig({
  test: {
    name: 'browser',
    include: ['test/browser/**/*.test.ts'],
    exclude: isPossible ? [] : ['**'],
    passWithNoTests: !isPossible,
    globalSetup: ['test/browser/support/set-up.ts'],
    // Nothing of ours keeps state in a module, so files may share a process: it saves a start per file.
    isolate: false,
    env: inMemory(),
    // Pages and processes wait for each other for a good part of their time.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // A busy machine may give a page or a process no turn for longer than anybody waits: what is wrong is wrong twice,
    // and the report says which were.
    retry: process.env.CI ? 1 : 0,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
  },
})
