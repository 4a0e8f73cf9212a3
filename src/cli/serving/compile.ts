import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { readConfig } from '../../config.ts'
import { defineCommand } from '../command.ts'
import { serve } from './serve.ts'

/** By then what runs beside requests is loaded too. */
const SETTLED_MS = 2000

export const compile = defineCommand({
  name: 'compile',
  summary: 'Compiles the service, so that its first start is as quick as any other. npm install does the same.',
  details: 'It is started and stopped on an empty database of its own, which is removed.',
  positionals: [],
  options: {},
  async run(context) {
    const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-compile-'))
    // Whatever the service is set up with is not touched.
    const config = readConfig({ DATA_DIR: dataDir, PORT: '0', PORTAL: 'off', LOG_LEVEL: 'silent' })
    const quietly = { ...context, config, say: () => undefined, untilStopped: () => pause(SETTLED_MS) }
    try {
      await serve.run(quietly, {}, [])
      await loadAll()
      return undefined
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  },
})

/** Here and in a thread. */
async function loadAll(): Promise<void> {
  const program = new URL('./compile-worker.ts', import.meta.url)
  await import(program.href)
  await once(new Worker(program, { execArgv: [] }), 'exit')
}
