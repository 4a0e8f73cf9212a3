import { appendFileSync } from 'node:fs'
import { inject } from 'vitest'
import type { Server } from '../support/processes.ts'
import { Caller } from './caller.ts'

export interface Figure {
  name: string
  value: number
  unit: string
}

/** Notes what was measured; all of it is printed as one table when the last test has ended. */
export function figure(name: string, value: number, unit: string): void {
  const noted: Figure = { name, value, unit }
  appendFileSync(inject('figuresFile'), `${JSON.stringify(noted)}\n`)
}

export interface Watched {
  /** What somebody else waited for `/livez`, at most: how long the loop stood still. */
  longestWaitMs: number
  /** What the process took before, at most, and at the end, in MB. */
  memory: { before: number; most: number; after: number }
}

/** Somebody who has nothing to do with it, and asks all the time. */
const EVERY_MS = 10

/**
 * What happens to others, and to the memory of the process, while `work` goes on; the figures are noted under `name`.
 */
export async function watch<T>(name: string, server: Server, work: () => Promise<T>): Promise<Watched & { result: T }> {
  const other = new Caller(server.url, '')
  // The first request opens the connection.
  await other.get('/livez')
  const before = await server.rss()
  const watched: Watched = { longestWaitMs: 0, memory: { before, most: before, after: before } }
  const look = async () => {
    const asked = performance.now()
    await other.get('/livez')
    watched.longestWaitMs = Math.max(watched.longestWaitMs, performance.now() - asked)
    watched.memory.after = await server.rss()
    watched.memory.most = Math.max(watched.memory.most, watched.memory.after)
  }
  let isOver = false
  const looking = (async () => {
    while (!isOver) {
      await look()
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
    }
  })()
  try {
    const result = await work()
    isOver = true
    await looking
    await look()
    figure(`${name}: longest wait of others`, watched.longestWaitMs, 'ms')
    for (const when of ['before', 'most', 'after'] as const)
      figure(`${name}: memory, ${when}`, watched.memory[when], 'MB')
    return { ...watched, result }
  } finally {
    isOver = true
    await looking.catch(() => undefined)
    other.close()
  }
}
