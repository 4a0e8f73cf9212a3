import { invalid } from '../../core/errors.ts'
import type { Tx } from '../../db/change.ts'
import { sql } from '../../db/sql.ts'
import type { KeyType } from './schema.ts'

/** The hierarchy stays within its locking system and has no circles. */
export async function prepareKeyType(tx: Tx, next: KeyType, current: KeyType | undefined): Promise<undefined> {
  if (next.parent_id === null || next.parent_id === current?.parent_id) return
  const above = await tx.all<{ id: string; locking_system_id: string }>(sql`with recursive up as (
      select t.id, t.parent_id, t.locking_system_id from key_types t where t.org = :org and t.id = ${next.parent_id}
      union
      select t.id, t.parent_id, t.locking_system_id from up join key_types t on t.org = :org and t.id = up.parent_id
    ) select up.id, up.locking_system_id from up`)
  if (above.some(({ id }) => id === next.id)) {
    throw invalid('parent_id', 'reference.cycle', 'parent_id: a key type cannot stand below itself')
  }
  if (above.some(({ locking_system_id }) => locking_system_id !== next.locking_system_id)) {
    throw invalid(
      'parent_id',
      'key_type.other_system',
      'parent_id: the key type above must belong to the same locking system',
    )
  }
}
