import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, within as inside } from '../../core/errors.ts'
import { Pauses } from '../../core/pauses.ts'
import type { Tx } from '../../db/change.ts'
import { NotUnique } from '../../db/not-unique.ts'
import type { AnyRow } from '../../db/resource.ts'
import { errorBody } from '../answers/errors.ts'
import { reading } from '../context.ts'
import { Repeatable } from '../items/idempotency.ts'
import { bodyOf, parentValue } from '../items/item.ts'
import { alone, keep, write } from '../items/write.ts'
import type { Written } from '../items/written.ts'
import { redactTokens } from '../logger.ts'
import { type BatchNames, type BatchRow, batchBody, batchDoc, type Results, readAsked } from './batch-schema.ts'
import type { Asked, Outcome } from './perform.ts'
import { type Result, Run } from './run.ts'
import type { Writable } from './writable.ts'

/** So many operations are one transaction: few enough that others get their turn soon. */
const SLICE = 100

type BeforeWrite = (request: FastifyRequest) => Promise<void>
/** An operation that can be tried, or why it cannot. */
type Row = Asked | AppError

/** `POST …/batch`: up to 1,000 changes, each by the rights and rules of a single call. */
export function batchRoute(
  app: FastifyInstance,
  writable: Writable,
  collection: string,
  names: BatchNames,
  before?: BeforeWrite,
): void {
  app.post(
    `${collection}/batch`,
    {
      config: { permission: writable.permission, doc: batchDoc(writable, names) },
      schema: { body: batchBody },
    },
    async (request, reply) => {
      const { atomic = false, operations } = bodyOf<{ atomic?: boolean; operations: BatchRow[] }>(request)
      // A deletion is no creation or change here either.
      if (operations.some(({ op }) => op !== 'delete')) await before?.(request)
      const rows: Row[] = []
      for (const operation of operations) {
        const row = settle(() => readAsked(writable, operation))
        if (!(row instanceof AppError))
          await writable.conceal(request.server.house.engine, request.caller.org, row.body)
        // Others get their turn while a thousand are read, too.
        if (rows.push(row) % SLICE === 0) await nextTurn()
      }
      const batch = new Batch(request, writable)
      if (atomic) return write(request, reply, (tx) => batch.all(tx, rows))
      if (request.isDryRun) return write(request, reply, async (tx) => told(await batch.each(tx, rows)))
      return inSlices(request, reply, batch, rows)
    },
  )
}

/** A transaction for each slice. Whoever sends it again with the same key goes on where it stopped. */
async function inSlices(
  request: FastifyRequest,
  reply: FastifyReply,
  batch: Batch,
  rows: readonly Row[],
): Promise<FastifyReply> {
  const repeatable = Repeatable.of(request)
  const results: Result[] = []
  await alone(request, repeatable, async () => {
    for (let at = 0; at < rows.length; at += SLICE) {
      const slice = rows.slice(at, at + SLICE)
      try {
        const { answer, secret } = await keep(request, repeatable?.part(at / SLICE), async (tx) =>
          told(await batch.each(tx, slice)),
        )
        const { data }: { data: Results } = JSON.parse(answer.body)
        results.push(...{ ...data, ...secret }.results)
      } catch (error) {
        // What went before is done and must be told; what could not be done now is told of each row that is left.
        if (at === 0 || !(error instanceof AppError) || error.code !== 'SERVICE_UNAVAILABLE') throw error
        results.push(...rows.slice(at).map(() => batch.refused(error)))
        return
      }
    }
  })
  const { msg, data } = told(results)
  return reply.header('cache-control', 'no-store').send({ msg, data })
}

class Batch {
  private readonly request: FastifyRequest
  private readonly writable: Writable

  constructor(request: FastifyRequest, writable: Writable) {
    this.request = request
    this.writable = writable
  }

  /** All of them, or the first error. */
  async all(tx: Tx, rows: readonly Row[]): Promise<Written> {
    const within = await parentValue(tx, this.request, this.writable.options)
    const refuse = (row: AppError): Result => {
      throw row
    }
    const done = await this.inOneGo(tx, rows, within, refuse)
    if (done) return told(done)
    const results: Result[] = []
    for (const [index, row] of rows.entries()) results.push(await this.named(index, tx, row, within))
    return told(results)
  }

  /** Each for itself. */
  async each(tx: Tx, rows: readonly Row[]): Promise<Result[]> {
    const within = await parentValue(tx, this.request, this.writable.options)
    const done = await this.inOneGo(tx, rows, within, (row) => this.refused(row))
    if (done) return done
    const results: Result[] = []
    for (const row of rows) results.push(await this.tried(tx, row, within))
    return results
  }

  /**
   * Most batches have no fault: they are done in one go, and what they make is stored together. Undefined: one has, and
   * nothing is done.
   */
  private async inOneGo(
    tx: Tx,
    rows: readonly Row[],
    within: AnyRow,
    refuse: (row: AppError) => Result,
  ): Promise<Result[] | undefined> {
    const { writable, request } = this
    const work = new Run(tx, writable, request)
    const done = async () => {
      await work.findKeys(rows, within)
      const results: Result[] = []
      const pauses = new Pauses()
      for (const row of rows) {
        await pauses.take()
        results.push(row instanceof AppError ? refuse(row) : await work.do(row, within))
      }
      await work.show()
      return results
    }
    try {
      return await tx.attempt(() => (writable.isGathered ? tx.gather(done) : done()))
    } catch (error) {
      if (!isOfRow(error, tx)) throw error
      return undefined
    }
  }

  refused(error: AppError): Result {
    const body = errorBody(error, this.request.server.house.config.docsUrl, this.request.id)
    // It repeats the piece that is wrong, which may be a token in the wrong place.
    return { status: error.status, ...JSON.parse(redactTokens(JSON.stringify(body))) }
  }

  private async tried(tx: Tx, row: Row, within: AnyRow): Promise<Result> {
    try {
      return await tx.attempt(() => this.one(tx, row, within))
    } catch (error) {
      if (isOfRow(error, tx)) return this.refused(error instanceof NotUnique ? await error.explained(tx) : error)
      throw error
    }
  }

  /** Its error says of which operation it is. */
  private async named(index: number, tx: Tx, row: Row, within: AnyRow): Promise<Result> {
    try {
      return await this.one(tx, row, within)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      throw inside(
        `operations[${index}]`,
        error instanceof NotUnique ? await error.explained(reading(this.request)) : error,
      )
    }
  }

  private async one(tx: Tx, row: Row, within: AnyRow): Promise<Result> {
    if (row instanceof AppError) throw row
    const work = new Run(tx, this.writable, this.request)
    const result = await work.do(row, within)
    await work.show()
    return result
  }
}

/** A fault of one row; any other is one of the whole, and so is that its caller has left. */
const isOfRow = (error: unknown, { signal }: Tx): error is AppError =>
  error instanceof AppError && error.status < 500 && error.status !== 429 && !signal?.aborted

function settle(read: () => Asked): Row {
  try {
    return read()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

/** What is shown once is in this answer, and not in what is kept of it. */
function told(all: Result[]): Written & { data: Results } {
  const results = all.map(({ secret: _, ...result }) => result)
  const shown = all.map(({ secret, ...result }) =>
    secret ? { ...result, data: { ...result.data, ...secret } } : result,
  )
  const count = (outcome: Outcome) => results.filter((result) => result.outcome === outcome).length
  const counts = {
    created: count('created'),
    changed: count('changed'),
    unchanged: count('unchanged'),
    deleted: count('deleted'),
  }
  const failed = results.filter(({ error }) => error).length
  const words = Object.entries({ ...counts, failed }).flatMap(([name, n]) => (n > 0 ? [`${n} ${name}`] : []))
  const noun = results.length === 1 ? 'operation' : 'operations'
  const written = { msg: `Did ${results.length} ${noun}: ${words.join(', ')}`, data: { ...counts, failed, results } }
  return all.some(({ secret }) => secret) ? { ...written, secret: { results: shown } } : written
}
