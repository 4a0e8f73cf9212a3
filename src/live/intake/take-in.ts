import { AppError, type ErrorDetail } from '../../core/errors.ts'
import { findAnswer, keepAnswer, type Once } from '../../db/along/kept-answers.ts'
import type { Engine } from '../../db/engine.ts'
import { OrgHandle } from '../../db/org.ts'
import { raiseAll } from '../alarms.ts'
import { takeEffect } from '../effects.ts'
import { findAll, lastChange } from '../findings.ts'
import { judgeThese } from '../judge-slice.ts'
import { changeLive, type LiveTx } from '../live-transaction.ts'
import type { IngestResult, JudgedEvent, PreparedEvent, StoredEvent } from './new-event.ts'
import { isFault, type Prepared, prepare, type Told } from './prepare.ts'
import { type Stored, store } from './store.ts'

/** What became of each event, by sender. */
export interface Taken {
  readonly results: IngestResult[][]
  /** Senders of whom nothing was stored, since their key stands for another request. */
  readonly reused: number[]
  /** All of them have their verdict. */
  readonly isJudged: boolean
}

/**
 * Stores what some senders tell, in their order and in one transaction, with what follows from it; durable once it
 * answers. Most events have their verdict then.
 */
export async function takeIn(...asked: Parameters<typeof tryTakeIn>): Promise<Taken> {
  try {
    return await tryTakeIn(...asked)
  } catch (error) {
    if (!isGone(error)) throw error
    // Somebody, a card or a door was deleted meanwhile: now they are known to be gone.
    return await tryTakeIn(...asked)
  }
}

/** PostgreSQL says so of what refers to a row that was there when it was looked for. */
const isGone = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '23503'

async function tryTakeIn(engine: Engine, org: number, now: string, told: readonly Told[]): Promise<Taken> {
  const handle = new OrgHandle(engine, org, now)
  const prepared = await prepare(handle, told)
  const good = prepared.events.flat().filter(isGood)
  if (good.length === 0 && !told.some(({ once }) => once))
    return { results: prepared.events.map(refused), reused: [], isJudged: true }
  const { found, changed_at } = await findAll(handle, good)
  const verdicts = new Map(good.map((event, index) => [event, found[index]]))
  const { waiting, ...taken } = await changeLive(engine, org, now, async (tx) => {
    const isStill = (await lastChange(tx)) === changed_at
    const judged = (event: PreparedEvent): JudgedEvent => ({
      ...event,
      ...((isStill && verdicts.get(event)) || UNJUDGED),
    })
    const before = await allAnswered(tx, told)
    const { places, fresh } = await store(
      tx,
      prepared.events.flatMap((events, index) => (before[index] ? [] : events.filter(isGood).map(judged))),
    )
    await follow(tx, fresh, prepared.doors)
    const results = resultsOf(told, prepared, before, places, fresh)
    await keepAll(tx, told, before, results)
    return {
      results,
      reused: before.flatMap((one, index) => (one === 'reused' ? [index] : [])),
      waiting: fresh.filter(({ verdict }) => verdict === null),
    }
  })
  return { ...taken, ...(await lookCloser(handle, told, taken.results, waiting)) }
}

/**
 * Who is shown its event waits for its verdict anyway, and so it has it from here: asked for afterwards, it would take
 * a transaction and a reading of its own. The verdicts of many wait until it is quieter. What is stored is stored,
 * whatever becomes of its verdict.
 */
async function lookCloser(
  handle: OrgHandle,
  told: readonly Told[],
  results: Taken['results'],
  waiting: readonly StoredEvent[],
): Promise<Pick<Taken, 'results' | 'isJudged'>> {
  const ids = new Set(
    results.flatMap((own, index) => (told[index]?.isShown ? own.map((result) => 'id' in result && result.id) : [])),
  )
  const asked = waiting.filter(({ id }) => ids.has(id))
  const judged = asked.length === 0 ? [] : await judgeThese(handle, asked).catch(() => [])
  const whole = new Map(judged.map(({ event, ...finding }) => [event.id, { ...event, ...finding }]))
  return {
    isJudged: judged.length === waiting.length,
    results: results.map((own) =>
      own.map((result) => {
        const event = 'id' in result && whole.get(result.id)
        return event ? { ...result, event } : result
      }),
    ),
  }
}

const UNJUDGED = { verdict: null, verdict_reason: null }

const isGood = (event: PreparedEvent | ErrorDetail): event is PreparedEvent => !isFault(event)

const refused = (faults: Prepared['events'][number]): IngestResult[] =>
  faults.map((fault) => ({ status: 'refused', fault: fault as ErrorDetail }))

type Before = ReadonlyArray<IngestResult[] | 'reused' | undefined>

function resultsOf(
  told: readonly Told[],
  prepared: Prepared,
  before: Before,
  places: readonly Stored[],
  fresh: readonly StoredEvent[],
) {
  const stored = new Map(fresh.map((event) => [event.id, event]))
  const next = places.values()
  return prepared.events.map((events, index): IngestResult[] => {
    const answered = before[index]
    if (answered) return answered === 'reused' ? [] : answered
    return events.map((event): IngestResult => {
      if (isFault(event)) return { status: 'refused', fault: event }
      const { isNew, id, sequence } = next.next().value as Stored
      const result = { status: isNew ? 'stored' : 'duplicate', id, sequence } as const
      const whole = told[index]?.isShown && isNew ? stored.get(id) : undefined
      return whole?.verdict ? { ...result, event: whole } : result
    })
  })
}

async function follow(tx: LiveTx, fresh: readonly StoredEvent[], doors: Prepared['doors']): Promise<void> {
  await takeEffect(tx, fresh, doors)
  await raiseAll(
    tx,
    'unexpected_grant',
    fresh.filter(({ verdict }) => verdict === 'unexpected_grant'),
  )
}

/** What was answered when the same was told before. Whose writing takes turns is not told twice at the same moment. */
async function allAnswered(tx: LiveTx, told: readonly Told[]): Promise<Before> {
  const before: Array<Before[number]> = []
  for (const { once } of told) before.push(once && (await answeredBefore(tx, once)))
  return before
}

async function answeredBefore(tx: LiveTx, once: Once): Promise<Before[number]> {
  try {
    const answer = await findAnswer(tx, once)
    return answer && JSON.parse(answer.body)
  } catch (error) {
    // One sender's key is no matter of those who share the transaction.
    if (error instanceof AppError && error.code === 'IDEMPOTENCY_KEY_REUSED') return 'reused'
    throw error
  }
}

/** Where nothing was stored, nothing is kept: as with every other request that is refused. */
async function keepAll(tx: LiveTx, told: readonly Told[], before: Before, results: Taken['results']): Promise<void> {
  for (const [index, { once }] of told.entries()) {
    const own = results[index] ?? []
    if (!once || before[index] || own.every(({ status }) => status === 'refused')) continue
    const body = JSON.stringify(own.map((result) => ({ ...result, event: undefined })))
    await keepAnswer(tx, once, { status: 200, location: null, etag: null, body })
  }
}
