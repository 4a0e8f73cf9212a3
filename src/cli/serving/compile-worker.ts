import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isMainThread } from 'node:worker_threads'

// Loads whatever the service may load, so that it is compiled: a single file that was not makes a process load what
// strips types, a tenth of its memory at rest. In a thread too: what was compiled under other flags of V8 is not taken,
// and the service sets some once it listens.

const SOURCE = join(import.meta.dirname, '../..')
/** Processes of their own, this, and what is no part of the service. */
const ELSEWHERE = /(^|[/-])(main|child)\.ts$|compile-worker\.ts$|\.test\.ts$/

const { warn } = console
// Which runtime it is, package.json decides, whatever a library says of it.
console.warn = () => undefined
// A thread that is given nothing to work on ends with a failure, once it is compiled.
for await (const file of glob('**/*.ts', { cwd: SOURCE }))
  if (!ELSEWHERE.test(file)) await import(pathToFileURL(join(SOURCE, file)).href).catch(() => undefined)
console.warn = warn

// Threads that were loaded here wait for their questions.
if (!isMainThread) process.exit()
