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
 * Operations one after the other. What new ones became is read of many at once, before anything else could change it;
 * what is shown beside the fields of changed ones is looked up for many at once, before any of them is changed again or
 * goes.
 */
export class Run {
  private readonly tx: Tx
  private readonly writable: Writable
  private readonly request: FastifyRequest
  private readonly keys = new KnownKeys()
  private fresh: Array<Result & { data: Item }> = []
  private changed = new Map<string, Item>()

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
    if (!isNew) await this.showFresh()
    if (!isNew && !this.isAnother(row, found)) await this.decorateChanged()
    const decorate = (data: Item) => writable.decorate(tx, [data], request.caller)
    const performed = await perform(tx, writable, { ...row, found }, request.scope, within, decorate)
    this.keys.note(row, performed)
    const { outcome, row: data, secret } = performed
    const result = { status: outcome === 'created' ? 201 : 200, outcome, data, ...(secret ? { secret } : {}) }
    if (outcome === 'created' && tx.isGathering) this.fresh.push(result)
    else if (outcome !== 'deleted') this.changed.set(data.id, data)
    return result
  }

  /** Whether it is known to be about none of those that were changed, and to stay. */
  private isAnother({ op, id }: Asked, found: string | null | undefined): boolean {
    const named = id?.toLowerCase() ?? found
    return op !== 'delete' && typeof named === 'string' && !this.changed.has(named)
  }

  private async decorateChanged(): Promise<void> {
    if (this.changed.size === 0) return
    const rows = [...this.changed.values()]
    this.changed.clear()
    await this.writable.decorate(this.tx, rows, this.request.caller)
  }

  /** To be called at the end. */
  async show(): Promise<void> {
    await this.showFresh()
    await this.decorateChanged()
  }

  /** Gathered ones are stored by being read. */
  private async showFresh(): Promise<void> {
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
