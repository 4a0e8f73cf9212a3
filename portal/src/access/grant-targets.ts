import { ApiError } from '../api/client.ts'
import { type Item, listOptions, queryClient } from '../api/queries.ts'
import type { Values } from '../resource/forms/form-values.ts'
import { resources } from '../resource/resources.ts'

const PAGE = 100
/** A batch takes so many. */
const MOST = 1000

/** All doors on a floor of a building, its wings included. */
async function doorsOnFloor(building: string, floor: number): Promise<string[]> {
  const ids: string[] = []
  for (let page = 1, pages = 1; page <= pages && ids.length < MOST; page++) {
    const query = {
      within_building: building,
      floor: `eq.${floor}`,
      limit: String(PAGE),
      page: String(page),
      select: 'id',
      order: 'id',
    }
    const found = await queryClient.fetchQuery(listOptions<Item>(resources['access-points'].api, query))
    ids.push(...found.items.map(({ id }) => id))
    pages = found.pages
  }
  return ids
}

/** A grant has one target: several spaces or doors, or a floor, are as many grants. */
export async function grantsOf({ floor, ...body }: Values): Promise<Values[]> {
  if (typeof floor === 'number' && typeof body.building_id === 'string') {
    const { building_id: building, ...rest } = body
    const doors = await doorsOnFloor(building, floor)
    if (doors.length === 0) {
      throw new ApiError('There is no door on that floor', {
        status: 400,
        code: 'VALIDATION_ERROR',
        details: [{ path: 'floor', rule: 'grant.floor', message: 'There is no door on that floor' }],
      })
    }
    return doors.map((access_point_id) => ({ ...rest, access_point_id }))
  }
  for (const field of ['space_id', 'access_point_id']) {
    const chosen = body[field]
    if (Array.isArray(chosen)) return chosen.map((id) => ({ ...body, [field]: id }))
  }
  return [body]
}
