import type { Clock } from '../core/time/clock.ts'
import type { Engine } from '../db/engine.ts'
import { OrgHandle } from '../db/org.ts'
import { ingestedOf } from './intake/ingest.ts'
import { judgeSome } from './verdicts.ts'

/** So much of the time at most goes into verdicts: what comes faster is judged when it is quieter, or when somebody looks. */
const SHARE = 0.15

/** Works out verdicts beside requests, of what this process takes in and of what was left from before. */
export function startJudging(engine: Engine, clock: Clock, failed: (error: unknown) => void): { stop: () => Promise<void> } {
  let isStopped = false
  let wake = () => {}
  const due = new Set<number>()
  const note = (org: number) => {
    due.add(org)
    wake()
  }
  const judge = async (org: number) => {
    const started = performance.now()
    const isMore = await judgeSome(new OrgHandle(engine, org, clock.now())).catch(failed)
    if (!isMore) due.delete(org)
    await new Promise((resolve) => setTimeout(resolve, (performance.now() - started) * (1 / SHARE - 1)).unref())
  }
  const work = async () => {
    for (const { org } of await engine.reader.all<{ org: number }>('select org from live_heads order by org', [])) due.add(org)
    while (!isStopped) {
      const [org] = due
      if (org !== undefined) await judge(org)
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  }
  ingestedOf(engine).add(note)
  const running = work().catch(failed)
  return {
    stop: async () => {
      isStopped = true
      ingestedOf(engine).delete(note)
      wake()
      await running
    },
  }
}
