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
  settings.handle.all<UnaccountedKey>(sql`
    select distinct k.id as key_id, k.number, kt.code as key_type_code, k.status, c.access_point_id from ${settings.from('cylinders', 'c')}
    join ${settings.from('plan_cells', 'p')} on p.org = :org and p.cylinder_id = c.id
    join ${settings.from('keys', 'k')} on k.org = :org and k.key_type_id = p.key_type_id and k.status in ('lost', 'stolen')
    join ${settings.from('key_types', 'kt')} on kt.org = :org and kt.id = k.key_type_id
    where c.org = :org and ${settings.handle.dialect.inList('c.access_point_id', doors, 'uuid')} and ${isInDoor('c')}
    order by kt.code, k.number, k.id`)
