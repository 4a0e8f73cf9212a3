import { sure } from '../../core/typed.ts'
import { sql } from '../../db/sql.ts'
import { isInDoor } from '../in-door.ts'
import type { Settings } from '../settings.ts'

export interface UnaccountedKey {
  key_id: string
  number: string
  key_type_code: string
  status: 'lost' | 'stolen'
  access_point_id: string
}

/** Keys that nobody can account for and that still turn in a cylinder of these doors: whoever has one gets in. */
export const unaccountedKeys = (settings: Settings, doors: readonly string[]): Promise<UnaccountedKey[]> =>
  settings.asOf === undefined ? unaccountedNow(settings, doors) : unaccountedThen(settings, doors)

const unaccountedNow = ({ handle }: Settings, doors: readonly string[]): Promise<UnaccountedKey[]> =>
  handle.all<UnaccountedKey>(sql`
    select distinct k.id as key_id, k.number, kt.code as key_type_code, k.status, c.access_point_id from cylinders c
    join plan_cells p on p.org = :org and p.cylinder_id = c.id
    join keys k on k.org = :org and k.key_type_id = p.key_type_id and k.status in ('lost', 'stolen')
    join key_types kt on kt.org = :org and kt.id = k.key_type_id
    where c.org = :org and ${handle.dialect.inList('c.access_point_id', doors, 'uuid')} and ${isInDoor('c')}
    order by kt.code, k.number, k.id, c.access_point_id`)

type KeyThen = Pick<UnaccountedKey, 'key_id' | 'number' | 'status'> & { key_type_id: string }

/**
 * One table after the other: joined as they were on another day, each with each of the others, there is no end to it.
 */
async function unaccountedThen(settings: Settings, doors: readonly string[]): Promise<UnaccountedKey[]> {
  const { handle } = settings
  const among = (column: string, ids: Iterable<string>) => handle.dialect.inList(column, [...new Set(ids)], 'uuid')
  const cylinders = await handle.all<{ id: string; access_point_id: string }>(sql`select c.id, c.access_point_id
    from ${settings.from('cylinders', 'c')} where c.org = :org and ${among('c.access_point_id', doors)}
    and ${isInDoor('c')}`)
  const doorOf = new Map(cylinders.map(({ id, access_point_id }) => [id, access_point_id]))
  const cells = await handle.all<{ key_type_id: string; cylinder_id: string }>(sql`select p.key_type_id, p.cylinder_id
    from ${settings.from('plan_cells', 'p')} where p.org = :org and ${among('p.cylinder_id', doorOf.keys())}`)
  const types = Map.groupBy(cells, ({ key_type_id }) => key_type_id)
  const keys = await handle.all<KeyThen>(sql`select k.id as key_id, k.number, k.status, k.key_type_id
      from ${settings.from('keys', 'k')}
    where k.org = :org and ${among('k.key_type_id', types.keys())} and k.status in ('lost', 'stolen')`)
  const rows = await handle.all<{
    id: string
    code: string
  }>(sql`select kt.id, kt.code from ${settings.from('key_types', 'kt')}
    where kt.org = :org and ${among('kt.id', types.keys())}`)
  const codes = new Map(rows.map(({ id, code }) => [id, code]))
  const found = keys.flatMap(({ key_type_id, ...key }) => {
    const turnsAt = new Set((types.get(key_type_id) ?? []).map(({ cylinder_id }) => sure(doorOf.get(cylinder_id))))
    const key_type_code = codes.get(key_type_id)
    return key_type_code === undefined
      ? []
      : [...turnsAt].map((access_point_id) => ({ ...key, key_type_code, access_point_id }))
  })
  const orderOf = ({ key_type_code, number, key_id, access_point_id }: UnaccountedKey) =>
    [key_type_code, number, key_id, access_point_id].join('\0')
  return found.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
}
