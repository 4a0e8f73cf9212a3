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

  /** Whoever asks about a few waits for nobody: two that judge the same write it once. */
  async judge(org: number, now: string, range: Range): Promise<void> {
    if (range.through - range.from < SLICE) {
      await judge(this.engine, org, now, { ...range, limit: SLICE })
      return
    }
    const before = this.running.get(org) ?? Promise.resolve()
    const own = before.catch(() => undefined).then(() => judgeAll(this.engine, org, now, range))
    this.running.set(org, own)
    await own
  }
}

const judgesOf = perEngine((engine) => new Judges(engine))

/** The first and the last sequence. */
type Range = Pick<Some, 'from' | 'through'>
const EVERYTHING: Range = { from: 0, through: Number.MAX_SAFE_INTEGER }

/** Whatever happened between two sequences has its verdict afterwards. */
export async function judgeEvents({ engine, org, instant, signal }: OrgHandle, range = EVERYTHING): Promise<void> {
  const [pending] = await engine.reader.all<{ sequence: number }>(
    'select sequence from access_events where org = $1 and verdict is null and sequence >= $2 and sequence <= $3 ' +
      'order by sequence limit 1',
    [org, range.from, range.through],
  )
  if (!pending) return
  signal?.throwIfAborted()
  // However long there is to judge, whoever waits is answered in time, and it goes on for the next.
  await unlessAborted(judgesOf(engine).judge(org, instant, range), signal, () => undefined)
}

async function judgeAll(engine: Engine, org: number, now: string, range: Range): Promise<void> {
  while (await judge(engine, org, now, { ...range, limit: SLICE }));
}

/** Judges a few of those that wait; whether there may be more. */
export const judgeSome = (engine: Engine, org: number, now: string): Promise<boolean> =>
  judge(engine, org, now, { ...EVERYTHING, limit: SMALL_SLICE })

async function judge(engine: Engine, org: number, now: string, some: Some): Promise<boolean> {
  const { isMore, isAlarming } = await besideOf(engine).do('judge', org, now, some)
  if (isAlarming) newsOf(engine).told(org, 'access-events')
  return isMore
}
