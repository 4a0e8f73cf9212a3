import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../core/time/clock.ts'
import type { Engine } from '../db/engine.ts'
import { unjudgedOf } from '../live/intake/ingest.ts'
import { judgeSome } from '../live/verdicts.ts'
import { type Later, repeat } from './repeat.ts'

/**
 * So much of the time at most goes into verdicts: what comes faster is judged when it is quieter, or when somebody
 * looks.
 */
const SHARE = 0.15
/**
 * What was left is looked for so often: by what failed, or by a process that ended before it came to it. Where the
 * first is still the same, nobody is at it.
 */
const LOOK_MS = 10_000

/** Works out verdicts beside requests, of what this process takes in and of what was left. */
export function startJudging(
  engine: Engine,
  clock: Clock,
  logger: FastifyBaseLogger,
  schedule?: Later,
): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  const failed = (err: unknown) => logger.warn({ err }, 'verdicts could not be worked out; it is tried again')
  let wake = () => {}
  const due = new Set<number>()
  const note = (org: number) => {
    due.add(org)
    wake()
  }
  const judge = async (org: number) => {
    const started = performance.now()
    const isMore = await judgeSome(engine, org, clock.now()).catch(failed)
    if (!isMore) due.delete(org)
    // Whoever stops does not wait for it: nothing else may keep the process alive by then.
    await pause((performance.now() - started) * (1 / SHARE - 1), undefined, {
      signal: stopping.signal,
      ref: false,
    }).catch(() => undefined)
  }
  const work = async () => {
    while (!stopping.signal.aborted) {
      const [org] = due
      if (org !== undefined) await judge(org)
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  }
  let before = new Map<number, number | null>()
  const look = async () => {
    const left = await engine.reader.all<{ org: number; first: number | null }>(
      `select h.org, (select e.sequence from access_events e where e.org = h.org and e.verdict is null
        order by e.sequence limit 1) as first from live_heads h order by h.org`,
      [],
    )
    for (const { org, first } of left) if (first !== null && before.get(org) === first) note(org)
    before = new Map(left.map(({ org, first }) => [org, first]))
  }
  unjudgedOf(engine).add(note)
  const running = work()
  const looking = repeat({ name: 'judging', engine, run: look, failed }, { firstMs: 0, everyMs: LOOK_MS }, schedule)
  return {
    stop: async () => {
      stopping.abort()
      await looking.stop()
      unjudgedOf(engine).delete(note)
      wake()
      await running
    },
  }
}
