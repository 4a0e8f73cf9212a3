import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { AppError } from '../../core/errors.ts'
import { type MetricsSink, metricsOf } from '../../db/metrics.ts'
import { openAgain } from '../../db/threads/open-again.ts'
import type { Place } from '../../db/threads/own-threads.ts'
import { type AskedOf, type GivenBy, type WorkName, works } from './works.ts'

// A thread that takes events in and judges them (beside.ts): as far as the database is concerned, a process of its own.

export interface Asked {
  readonly id: number
  readonly name: WorkName
  readonly org: number
  readonly now: string
  readonly asked: AskedOf<WorkName>
}

type Outcome = { readonly id: number } & (
  | {
      readonly given: GivenBy<WorkName> /** The number of the last live change: it is among them. */
      readonly live: number
    }
  | { readonly failure: Pick<AppError, 'code' | 'message' | 'reason' | 'headers' | 'cause'> | Error }
)

/** With what was measured since the last one. */
export type Answered = Outcome & { readonly observed: ReadonlyArray<Parameters<MetricsSink['observe']>> }

/** By this a thread has a tenth of what another has, where there are not enough processors. */
const NICE = 10

/** Whoever answers requests goes first. Linux alone tells threads apart here, and nobody depends on it. */
function letRequestsGoFirst(): void {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), NICE)
  } catch {}
}

const port = parentPort
if (port) {
  letRequestsGoFirst()
  const engine = await openAgain(workerData as Place)
  let observed: Array<Parameters<MetricsSink['observe']>> = []
  metricsOf(engine).sink = { count: () => undefined, observe: (...one) => observed.push(one) }
  const answer = async ({ id, name, org, now, asked }: Asked): Promise<Outcome> => {
    try {
      const given = await works[name](engine, org, now, asked as never)
      const { live } = await engine.versions(org)
      return { id, given, live }
    } catch (error) {
      if (!(error instanceof AppError)) return { id, failure: error as Error }
      const { code, message, reason, headers, cause } = error
      // For the log. What else may be thrown cannot always be copied.
      return { id, failure: { code, message, reason, headers, cause: cause instanceof Error ? cause : undefined } }
    }
  }
  port.on('message', async (asked: Asked) => {
    const answered = await answer(asked)
    port.postMessage({ ...answered, observed })
    observed = []
  })
  port.postMessage('ready')
}
