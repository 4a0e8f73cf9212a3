import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { inMemory } from './test/in-memory.ts'
import { LongestFirst } from './test/longest-first.ts'

/** Pure computation: runs once, without an engine. */
const unit = [
  'portal/**/*.test.ts',
  'src/core/**/*.test.ts',
  'src/query/**/*.test.ts',
  'src/identity/passwords.test.ts',
  'src/portal-build/**/*.test.ts',
  'test/house.test.ts',
  'test/openapi-standards.test.ts',
  'test/query/**/*.test.ts',
  'test/regular-expressions.test.ts',
]

/** Everything else runs on both engines. */
const engine = {
  include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'packages/**/*.test.ts', 'examples/**/*.test.ts'],
  exclude: [...unit, 'test/browser/**', 'test/faults/**'],
}

/** A caller over HTTP cannot tell by these what database there is: on one is enough. */
const onOneEngine = [
  'examples/**',
  'src/docs/**',
  'src/http/lists/xlsx.test.ts',
  'src/resources/calendars/ical.test.ts',
  'test/body-check.test.ts',
  'test/openapi.test.ts',
  'test/raw-http.test.ts',
  'test/read-only.test.ts',
]

/** Passwords take a tenth of a second each, on purpose. */
const alias = { '@node-rs/argon2': new URL('test/support/argon2.ts', import.meta.url).pathname }

/**
 * Its program for this machine, where there is one, takes a third of the time of its JavaScript; never the Java that
 * may be here.
 */
const recheck = globSync('node_modules/recheck-*-*').length > 0 ? 'native' : 'pure'

const temporary = inMemory()

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: Math.min(availableParallelism(), 8),
    // Nothing of ours keeps state in a module, so files may share a process: it saves a start per file.
    isolate: false,
    // Thousands of requests in one process: what each leaves is collected a quarter as often as with the 16 MB that a
    // service has.
    execArgv: ['--min-semi-space-size=64', '--max-semi-space-size=64'],
    sequence: { sequencer: LongestFirst },
    setupFiles: 'test/support/real-time.ts',
    // A busy machine may give a peer no turn for longer than a test waits: what is wrong is wrong twice, and the report
    // says which were.
    retry: process.env.CI ? 1 : 0,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // How long a test waits for what is bound to come; a busy machine takes its time.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      { extends: true, test: { name: 'unit', include: unit, env: { RECHECK_BACKEND: recheck } } },
      {
        extends: true,
        test: {
          name: 'sqlite',
          ...engine,
          alias,
          env: { ENGINE: 'sqlite', ...temporary },
          globalSetup: 'test/support/sqlite.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          ...engine,
          exclude: [...engine.exclude, ...onOneEngine],
          alias,
          env: { ENGINE: 'postgres', ...temporary },
          globalSetup: 'test/support/postgres.ts',
        },
      },
    ],
  },
})
