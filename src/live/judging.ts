import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../core/time/clock.ts'
import type { Engine } from '../db/engine.ts'
import { unjudgedOf } from './intake/ingest.ts'
import { judgeSome } from './verdicts.ts'

/**
 * So much of the time at most goes into verdicts: what comes faster is judged when it is quieter, or when somebody
 * looks.
 */
const SHARE = 0.15

/** Works out verdicts beside requests, of what this process takes in and of what was left from before. */
export function startJudging(
  engine: Engine,
  clock: Clock,
  failed: (error: unknown) => void,
): { stop: () => Promise<void> } {
  const stopping = new AbortController()
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
    for (const { org } of await engine.reader.all<{ org: number }>('select org from live_heads order by org', []))
      due.add(org)
    while (!stopping.signal.aborted) {
      const [org] = due
      if (org !== undefined) await judge(org)
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  }
  unjudgedOf(engine).add(note)
  const running = work().catch(failed)
  return {
    stop: async () => {
      stopping.abort()
      unjudgedOf(engine).delete(note)
      wake()
      await running
    },
  }
}
