import type { Scope } from '../../core/rights.ts'
import type { Tx } from '../../db/change.ts'
import type { AnyRow, Resource } from '../../db/resource.ts'
import { findIdsByKeys } from '../../db/rows.ts'
import type { Asked, Performed } from './perform.ts'

/** Whose the keys of many rows are, looked up for all of them at once and followed while they are worked through. */
export class KnownKeys {
  /** Null: nobody's. */
  private ids = new Map<string, string | null>()

  async find(tx: Tx, resource: Resource, keys: readonly string[], scope: Scope, within: AnyRow = {}): Promise<void> {
    const some = [...new Set(keys)].filter((key) => key !== '' && !key.includes('\0'))
    const found = some.length > 0 ? await findIdsByKeys(tx, resource, some, scope, within) : new Map<string, string>()
    this.ids = new Map(some.map((key) => [key, found.get(key) ?? null]))
  }

  /** Undefined: it has to be looked up. */
  idOf(key: string | undefined): string | null | undefined {
    return key === undefined ? undefined : this.ids.get(key)
  }

  note(asked: Asked, { outcome, row }: Performed): void {
    // It may have got another key, or given its own up.
    if (outcome === 'changed' || outcome === 'deleted') this.forget()
    const key = asked.external_id ?? asked.body.external_id
    if (outcome === 'created' && typeof key === 'string' && this.ids.has(key)) this.ids.set(key, row.id)
  }

  forget(): void {
    this.ids.clear()
  }
}
