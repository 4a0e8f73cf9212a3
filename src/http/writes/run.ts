import type { FastifyRequest } from 'fastify'
import { AppError } from '../../core/errors.ts'
import type { Tx } from '../../db/change.ts'
import type { AnyRow, Item } from '../../db/resource.ts'
import { getAllWritten } from '../../db/rows.ts'
import type { Results } from './batch-schema.ts'
import { KnownKeys } from './known-keys.ts'
import { type Asked, perform } from './perform.ts'
import type { Writable } from './writable.ts'

export type Result = Results['results'][number]

/**
 * Operations one after the other. What new ones became is read of many at once, before anything else could change it.
 */
export class Run {
  private readonly tx: Tx
  private readonly writable: Writable
  private readonly request: FastifyRequest
  private readonly keys = new KnownKeys()
  private fresh: Array<Result & { data: Item }> = []

  constructor(tx: Tx, writable: Writable, request: FastifyRequest) {
    this.tx = tx
    this.writable = writable
    this.request = request
  }

  async findKeys(rows: readonly (Asked | AppError)[], within: AnyRow): Promise<void> {
    const keys = rows.flatMap((row) => (row instanceof AppError || row.op === 'create' ? [] : (row.external_id ?? [])))
    await this.keys.find(this.tx, this.writable.resource, keys, this.request.scope, within)
  }

  async do(row: Asked, within: AnyRow): Promise<Result> {
    const { tx, writable, request } = this
    const found = this.keys.idOf(row.external_id)
    const isNew = row.op === 'create' || (row.op === 'upsert' && found === null)
    if (!isNew) await this.show()
    const decorate = (data: Item) => writable.decorate(tx, [data], request.caller)
    const performed = await perform(tx, writable, { ...row, found }, request.scope, within, decorate)
    this.keys.note(row, performed)
    const { outcome, row: data, secret } = performed
    const result = { status: outcome === 'created' ? 201 : 200, outcome, data, ...(secret ? { secret } : {}) }
    if (outcome === 'created' && tx.isGathering) this.fresh.push(result)
    else if (outcome !== 'deleted') await decorate(data)
    return result
  }

  /** Gathered ones are stored by being read. */
  async show(): Promise<void> {
    const { tx, writable, request, fresh } = this
    if (fresh.length === 0) return
    this.fresh = []
    const rows = await getAllWritten(
      tx,
      writable.resource,
      fresh.map(({ data }) => data),
      request.scope,
    )
    await writable.decorate(tx, rows, request.caller)
    for (const [index, result] of fresh.entries()) result.data = rows[index] ?? result.data
  }
}
