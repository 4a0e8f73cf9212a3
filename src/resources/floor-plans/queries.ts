import { hash } from 'node:crypto'
import { invalid } from '../../core/errors.ts'
import type { Tx } from '../../db/change.ts'
import type { OrgHandle } from '../../db/org.ts'
import { placesOf } from '../../db/places.ts'
import type { AnyRow, Item } from '../../db/resource.ts'
import { updateRow } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import type { SafeImage } from './image.ts'
import { type FloorPlan, type FloorPlanPosition, floorPlans } from './schema.ts'

/** Only doors of the building, or of its wings, are on its plans. */
export async function preparePosition(
  tx: Tx,
  next: FloorPlanPosition,
  current: FloorPlanPosition | undefined,
): Promise<undefined> {
  if (current) return
  const found = await tx.one<{ of: string; at: string }>(sql`select t.building_id as of, s.building_id as at
    from floor_plans t join access_points p on p.org = :org and p.id = ${next.access_point_id}
    join spaces s on s.org = :org and s.id = p.space_id where t.org = :org and t.id = ${next.floor_plan_id}`)
  const isThere = found && (await placesOf(tx)).below([], [found.of]).buildings.has(found.at)
  if (!isThere)
    throw invalid(
      'access_point_id',
      'floor_plan.other_building',
      'access_point_id: this door does not lie in the building of the plan',
    )
}

/** Doors move: whether each is still in the building of the plan, or in a wing of it. */
export async function addWhetherElsewhere(
  handle: OrgHandle,
  rows: Item[],
  _caller: unknown,
  names: readonly string[],
): Promise<void> {
  if (!names.includes('is_elsewhere') || rows.length === 0) return
  const ids = new Set(rows.map(({ id }) => id))
  const found = await handle.all<{
    id: string
    of: string
    at: string
  }>(sql`select t.id, f.building_id as of, s.building_id as at
    from floor_plan_positions t join floor_plans f on f.org = :org and f.id = t.floor_plan_id
    join access_points p on p.org = :org and p.id = t.access_point_id join spaces s on s.org = :org
    and s.id = p.space_id
    where t.org = :org and ${handle.dialect.inList('t.id', ids, 'uuid')}`)
  const places = await placesOf(handle)
  const houses = new Map([...new Set(found.map(({ of }) => of))].map((of) => [of, places.below([], [of]).buildings]))
  const there = new Set(found.filter(({ of, at }) => houses.get(of)?.has(at)).map(({ id }) => id))
  for (const row of rows) row.is_elsewhere = !there.has(row.id)
}

/** The same image once more is no change. */
export async function storeImage(tx: Tx, plan: FloorPlan, { type, bytes, width, height }: SafeImage): Promise<AnyRow> {
  const image_hash = hash('sha256', bytes, 'hex')
  if (plan.image_hash === image_hash) return plan
  await tx.run(sql`insert into floor_plan_images (org, floor_plan_id, bytes) values (:org, ${plan.id}, ${bytes})
    on conflict (org, floor_plan_id) do update set bytes = excluded.bytes`)
  const image = { image_type: type, image_size: bytes.length, image_hash, width, height }
  return updateRow(tx, floorPlans, plan, image, 'drawn')
}
