import { AppError, type ErrorDetail } from '../../core/errors.ts'
import { fromRows, type PlanReading, toRows } from '../../core/keys/plan-table.ts'
import { inTurns } from '../../core/pauses.ts'
import type { Rights, Scope } from '../../core/rights.ts'
import type { Tx } from '../../db/change.ts'
import { visible } from '../../db/lists/counts.ts'
import type { OrgHandle } from '../../db/org.ts'
import { sql } from '../../db/sql.ts'
import { accessPoints } from '../access-points/schema.ts'
import { type Cell, changeCells, readPlan } from './plan.ts'
import type { LockingSystem } from './schema.ts'

/** As many faults as somebody mends in one go. */
const MOST_FAULTS = 100

/** The plan as rows of a file, with the names of the doors that the caller may see. */
export async function planRows(handle: OrgHandle, systemId: string, scope: Scope, rights: Rights): Promise<string[][]> {
  const { key_types, cylinders, cells } = await readPlan(handle, systemId, scope)
  const doors = await doorNames(handle, systemId, rights)
  const set = new Set(cells.map(({ key_type_id, cylinder_id }) => `${key_type_id} ${cylinder_id}`))
  return inTurns(
    toRows({
      cylinders: cylinders.map((row) => ({
        number: String(row.number),
        label: row.label as string | null,
        door: doors.get(String(row.access_point_id)) ?? null,
      })),
      codes: key_types.map(({ code }) => String(code)),
      opens: (cylinder, code) => set.has(`${key_types[code]?.id} ${cylinders[cylinder]?.id}`),
    }),
  )
}

async function doorNames(handle: OrgHandle, systemId: string, rights: Rights): Promise<Map<string, string>> {
  const scope = rights.scopeOf('access-points:read')
  if (scope === undefined) return new Map()
  const rows = await handle.all<{ id: string; name: string }>(sql`select t.id, t.name from access_points t
    where ${await visible(handle, accessPoints, scope)} and t.id in (
      select c.access_point_id from cylinders c where c.org = :org and c.locking_system_id = ${systemId})`)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Sets the cells of the file as they stand there; cylinders and key types that it does not name stay as they are. */
export async function importPlan(
  tx: Tx,
  system: LockingSystem,
  rows: readonly string[][],
): Promise<{ set: number; cleared: number }> {
  const reading = fromRows(rows)
  const cylinders = await idsOf(
    tx,
    sql`select t.id, t.number as name from cylinders t where t.org = :org and t.locking_system_id = ${system.id}`,
  )
  const types = await idsOf(
    tx,
    sql`select t.id, t.code as name from key_types t where t.org = :org and t.locking_system_id = ${system.id}`,
  )
  refuseFaults([
    ...reading.faults,
    ...unknown(reading.codes, types, 'plan.unknown_key_type', 'key type'),
    ...unknown(reading.numbers, cylinders, 'plan.unknown_cylinder', 'cylinder'),
  ])
  const cells = (isSet: boolean): Cell[] =>
    reading.marks
      .filter((mark) => mark.isSet === isSet)
      .map(({ number, code }) => ({ key_type_id: types.get(code) ?? '', cylinder_id: cylinders.get(number) ?? '' }))
  return changeCells(tx, system, { set: cells(true), clear: await nowSet(tx, system.id, cells(false)) })
}

/** Of the cells that are to be empty, those that are not yet. */
async function nowSet(tx: Tx, systemId: string, cells: readonly Cell[]): Promise<Cell[]> {
  // In this order: SQLite would walk through the plans of all systems otherwise.
  const found = await tx.all<Cell>(sql`select t.key_type_id, t.cylinder_id from cylinders c cross join plan_cells t
    where c.org = :org and c.locking_system_id = ${systemId} and t.org = :org and t.cylinder_id = c.id`)
  const set = new Set(found.map(({ key_type_id, cylinder_id }) => `${key_type_id} ${cylinder_id}`))
  return cells.filter(({ key_type_id, cylinder_id }) => set.has(`${key_type_id} ${cylinder_id}`))
}

const idsOf = async (tx: Tx, statement: ReturnType<typeof sql>): Promise<Map<string, string>> =>
  new Map((await tx.all<{ id: string; name: string }>(statement)).map(({ id, name }) => [name.trim(), id]))

const unknown = (
  named: PlanReading['codes'],
  known: ReadonlyMap<string, string>,
  rule: string,
  what: string,
): ErrorDetail[] =>
  [...named]
    .filter(([name]) => !known.has(name))
    .map(([name, at]) => ({
      path: at,
      rule,
      message: `${at}: this locking system has no ${what} ${name.slice(0, 100)}`,
    }))

function refuseFaults(faults: readonly ErrorDetail[]): void {
  const [first] = faults
  if (!first) return
  const more = faults.length === 1 ? '' : `; and ${faults.length - 1} more faults, by cell in details`
  throw new AppError('VALIDATION_ERROR', `${first.message}${more}. Nothing was changed`, {
    reason: first.rule,
    details: faults.slice(0, MOST_FAULTS),
  })
}
