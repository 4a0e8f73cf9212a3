import { invalid } from '../../core/errors.ts'
import type { Scope } from '../../core/rights.ts'
import type { Tx } from '../../db/change.ts'
import { visible } from '../../db/lists/counts.ts'
import type { OrgHandle } from '../../db/org.ts'
import type { AnyRow } from '../../db/resource.ts'
import { findRow } from '../../db/rows.ts'
import { limitsOf } from '../../db/scope.ts'
import { raw, type Sql, sql } from '../../db/sql.ts'
import { cylinders } from '../cylinders/schema.ts'
import { keyTypes } from '../key-types/schema.ts'
import { type LockingSystem, lockingSystems } from './schema.ts'

export interface Cell {
  key_type_id: string
  cylinder_id: string
}

/**
 * The matrix, as far as the caller sees its key types and cylinders. A cell is there where the key type opens the
 * cylinder.
 */
export async function readPlan(handle: OrgHandle, systemId: string, scope: Scope) {
  const types = await visible(handle, keyTypes, scope)
  const key_types = await handle.all<AnyRow>(sql`select t.id, t.code, t.name, t.parent_id from key_types t
    where ${types} and t.locking_system_id = ${systemId} order by t.code, t.id`)
  const seen = await visible(handle, cylinders, scope)
  const found =
    await handle.all<AnyRow>(sql`select t.id, t.number, t.label, t.status, t.access_point_id from cylinders t
    where ${seen} and t.locking_system_id = ${systemId} order by t.number, t.id`)
  const cells = await handle.all<Cell>(sql`select p.key_type_id, p.cylinder_id from key_types kt
    join plan_cells p on p.org = :org and p.key_type_id = kt.id
    join cylinders c on c.org = :org and c.id = p.cylinder_id
    where kt.org = :org and kt.locking_system_id = ${systemId} order by kt.code, c.number`)
  if (await findRow(handle, lockingSystems, systemId, scope, ['id']))
    return { locking_system_id: systemId, key_types, cylinders: found, cells }
  // Of one that lies elsewhere only what is seen from here, and nothing that points to the rest.
  const shown = new Set([...key_types, ...found].map((row) => row.id))
  for (const row of key_types) if (!shown.has(row.parent_id)) row.parent_id = null
  return {
    locking_system_id: systemId,
    key_types,
    cylinders: found,
    cells: cells.filter(({ key_type_id, cylinder_id }) => shown.has(key_type_id) && shown.has(cylinder_id)),
    limited_to: await limitsOf(handle, scope),
  }
}

/** Sets and clears cells; those that already are as asked are left alone. Gives what changed. */
export async function changeCells(
  tx: Tx,
  system: LockingSystem,
  asked: { set: readonly Cell[]; clear: readonly Cell[] },
): Promise<{ set: number; cleared: number }> {
  const set = distinct(asked.set)
  const clear = distinct(asked.clear)
  refuseContradiction(asked.clear, set)
  await refuseForeign(tx, system.id, 'key_types', 'key_type_id', asked)
  await refuseForeign(tx, system.id, 'cylinders', 'cylinder_id', asked)

  const existing = await existingCells(tx, [...set.values(), ...clear.values()])
  const added = [...set].filter(([name]) => !existing.has(name)).map(([, cell]) => cell)
  const removed = [...clear].filter(([name]) => existing.has(name)).map(([, cell]) => cell)
  if (added.length > 0) {
    await tx.run(sql`insert into plan_cells (org, key_type_id, cylinder_id, created_at)
      select :org, r.key_type_id, r.cylinder_id, ${tx.now}${raw(tx.dialect.name === 'postgres' ? '::timestamptz' : '')}
      from ${records(tx, added)}`)
  }
  if (removed.length > 0) await tx.run(sql`delete from plan_cells as t where t.org = :org and ${among(tx, removed)}`)
  if (added.length + removed.length > 0) {
    tx.record({
      action: 'locking_plan.changed',
      resource: lockingSystems.noun,
      resourceId: system.id,
      // With the system itself: who may be told of it is told by where that lies.
      before: { ...system, cells: removed },
      after: { ...system, cells: added },
    })
  }
  return { set: added.length, cleared: removed.length }
}

const nameOf = (cell: Cell): string => `${cell.key_type_id} ${cell.cylinder_id}`

const distinct = (cells: readonly Cell[]): Map<string, Cell> =>
  new Map(
    cells
      .map((cell) => ({ key_type_id: cell.key_type_id.toLowerCase(), cylinder_id: cell.cylinder_id.toLowerCase() }))
      .map((cell) => [nameOf(cell), cell]),
  )

function refuseContradiction(clear: readonly Cell[], set: ReadonlyMap<string, Cell>): void {
  const index = clear.findIndex((cell) => set.has(nameOf(cell).toLowerCase()))
  if (index !== -1)
    throw invalid(`clear[${index}]`, 'plan.contradiction', `clear[${index}]: the same cell stands in set too`)
}

/** A plan has cells of its own key types and cylinders only. */
async function refuseForeign(
  tx: Tx,
  systemId: string,
  table: 'key_types' | 'cylinders',
  field: keyof Cell,
  asked: { set: readonly Cell[]; clear: readonly Cell[] },
): Promise<void> {
  const ids = new Set([...asked.set, ...asked.clear].map((cell) => cell[field].toLowerCase()))
  const own = table === 'key_types' ? sql`key_types t` : sql`cylinders t`
  const found = await tx.all<{
    id: string
  }>(sql`select t.id from ${own} where t.org = :org and t.locking_system_id = ${systemId}
    and ${tx.dialect.inList('t.id', ids, 'uuid')}`)
  const known = new Set(found.map((row) => row.id))
  for (const part of ['set', 'clear'] as const) {
    const index = asked[part].findIndex((cell) => !known.has(cell[field].toLowerCase()))
    if (index === -1) continue
    const path = `${part}[${index}].${field}`
    const what = table === 'key_types' ? 'key type' : 'cylinder'
    throw invalid(
      path,
      'reference.not_found',
      `${path}: this locking system has no ${what} ${asked[part][index]?.[field]}`,
    )
  }
}

async function existingCells(tx: Tx, cells: readonly Cell[]): Promise<Set<string>> {
  const rows = await tx.all<Cell>(
    sql`select t.key_type_id, t.cylinder_id from plan_cells t where t.org = :org and ${among(tx, cells)}`,
  )
  return new Set(rows.map(nameOf))
}

const records = (tx: Tx, cells: readonly Cell[]): Sql =>
  tx.dialect.records(cells, 'r', { key_type_id: 'uuid', cylinder_id: 'uuid' })

const among = (tx: Tx, cells: readonly Cell[]): Sql =>
  sql`(t.key_type_id, t.cylinder_id) in (select r.key_type_id, r.cylinder_id from ${records(tx, cells)})`
