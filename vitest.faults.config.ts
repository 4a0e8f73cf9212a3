import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/longest-first.ts'

const filesOf = (names: readonly string[]) => names.map((name) => `test/faults/${name}.test.ts`)

/** These measure how long something takes, or how much memory: one file at a time. */
const measured = filesOf([
  'known-callers',
  'log-lines',
  'login-flood',
  'off-the-loop',
  'pipelined',
  'postgres-pressure',
  'unread-answers',
])

/** These have seconds to spare, and wait for most of their time: one file at a time, beside those that measure. */
const unhurried = filesOf(['kill', 'slow-connections', 'stop', 'storage', 'workers'])

const oneByOne = (name: string, include: string[], groupOrder: number) => ({
  extends: true as const,
  test: {
    name,
    include,
    maxWorkers: 1,
    sequence: { groupOrder },
    globalSetup: ['test/faults/figures-table.ts', 'test/support/sqlite.ts'],
  },
})

/** Slow tests that start, kill and restart real processes: in .ci/run only. */
export default defineConfig({
  test: {
    passWithNoTests: true,
    // A busy machine may give a page or a process no turn for longer than anybody waits: what is wrong is wrong twice,
    // and the report says which were.
    retry: process.env.CI ? 1 : 0,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // How long a test waits for what is bound to come; a busy machine takes its time.
    expect: { poll: { timeout: 20_000 } },
    sequence: { sequencer: LongestFirst },
    projects: [
      oneByOne('measured', measured, 1),
      oneByOne('unhurried', unhurried, 2),
      {
        extends: true,
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          exclude: [...measured, ...unhurried],
          // They wait for a third of their time: for what is started, and for times that must pass.
          maxWorkers: 3,
          sequence: { groupOrder: 3 },
          globalSetup: 'test/support/sqlite.ts',
        },
      },
    ],
  },
})
