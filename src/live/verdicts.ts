import { unlessAborted } from '../core/unless-aborted.ts'
import type { Engine } from '../db/engine.ts'
import { perEngine } from '../db/kept/per-engine.ts'
import type { OrgHandle } from '../db/org.ts'
import { besideOf } from './intake/beside.ts'
import type { Some } from './judge-slice.ts'
import { newsOf } from './news.ts'

/** So many are judged and written together, for whoever waits and beside requests. */
const SLICE = 200
const SMALL_SLICE = 20

/** Judges one organization's events in turn, whoever asks at once. */
class Judges {
  private readonly engine: Engine
  private readonly running = new Map<number, Promise<unknown>>()

  constructor(engine: Engine) {
    this.engine = engine
  }

  async judge(org: number, now: string, through: number): Promise<void> {
    const before = this.running.get(org) ?? Promise.resolve()
    const own = before.catch(() => undefined).then(() => judgeThrough(this.engine, org, now, through))
    this.running.set(org, own)
    await own
  }
}

const judgesOf = perEngine((engine) => new Judges(engine))

/** Whatever happened up to a sequence has its verdict afterwards. */
export async function judgeEvents({ engine, org, instant, signal }: OrgHandle, through = Number.MAX_SAFE_INTEGER): Promise<void> {
  const [pending] = await engine.reader.all<{ sequence: number }>(
    'select sequence from access_events where org = $1 and verdict is null and sequence <= $2 order by sequence limit 1',
    [org, through],
  )
  if (!pending) return
  signal?.throwIfAborted()
  // However long there is to judge, whoever waits is answered in time, and it goes on for the next.
  await unlessAborted(judgesOf(engine).judge(org, instant, through), signal, () => undefined)
}

async function judgeThrough(engine: Engine, org: number, now: string, through: number): Promise<void> {
  while (await judge(engine, org, now, { through, limit: SLICE }));
}

/** Judges a few of those that wait; whether there may be more. */
export const judgeSome = (engine: Engine, org: number, now: string): Promise<boolean> =>
  judge(engine, org, now, { through: Number.MAX_SAFE_INTEGER, limit: SMALL_SLICE })

async function judge(engine: Engine, org: number, now: string, some: Some): Promise<boolean> {
  const { isMore, isAlarming } = await besideOf(engine).do('judge', org, now, some)
  if (isAlarming) newsOf(engine).told(org, 'access-events')
  return isMore
}
