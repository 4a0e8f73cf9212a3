import type { Engine } from '../db/engine.ts'
import { metricsOf } from '../db/metrics.ts'

/** Runs something later, unless it is cancelled; never keeps the process alive. */
export type Later = (run: () => void, ms: number) => { cancel(): void }

const later: Later = (run, ms) => {
  const timer = setTimeout(run, ms).unref()
  return { cancel: () => clearTimeout(timer) }
}

export interface Job {
  /** Under which it is counted. */
  name: string
  engine: Engine
  run: () => Promise<void>
  /** Told of what went wrong; it is run again all the same. */
  failed: (error: unknown) => void
}

/** Runs it once; never throws. */
export async function attempt({ name, engine, run, failed }: Job): Promise<void> {
  const metrics = metricsOf(engine)
  const started = performance.now()
  let result = 'done'
  try {
    await run()
  } catch (error) {
    result = 'failed'
    failed(error)
  }
  metrics.observe('gatehouse_job_seconds', started, { job: name })
  metrics.count('gatehouse_job_runs_total', { job: name, result })
}

/** Runs a job again and again, never twice at once. */
export function repeat(
  job: Job,
  { firstMs, everyMs }: { firstMs: number; everyMs: number },
  schedule: Later = later,
): { stop: () => Promise<void> } {
  let running: Promise<void> = Promise.resolve()
  const start = () => {
    running = attempt(job).then(() => {
      next = schedule(start, everyMs)
    })
  }
  let next = schedule(start, firstMs)
  return {
    stop: async () => {
      next.cancel()
      await running
      next.cancel()
    },
  }
}
