import type { Bitset } from '../core/bitset.ts'
import { Pauses } from '../core/pauses.ts'
import { covers, type Rights, type Scope } from '../core/rights.ts'
import { isRecord } from '../core/typed.ts'
import type { ChangeRecord } from '../db/audit.ts'
import type { Tx } from '../db/change.ts'
import { placesOf } from '../db/places.ts'
import { limitsOf } from '../db/scope.ts'
import { concernedBy } from './affected.ts'
import { type AffectedDoor, doorsOn, ONE_BY_ONE } from './affected-doors.ts'
import { grantsByPlace, grantsOn, keyTypesAt } from './counts/rights-in-force.ts'
import { crowdsOf } from './crowds-of-change.ts'
import { DoorRights, Names, OwnRights } from './door-rights.ts'
import { type Side, Tally } from './impact-tally.ts'
import { type Looked, onBothSides, onOneSide } from './lists/both-sides.ts'

export interface Impact {
  /** Null: now. */
  at: string | null
  gained: Side
  lost: Side
  /** There may be more elsewhere. */
  limited_to?: Awaited<ReturnType<typeof limitsOf>>
}

type Sides = Pick<Impact, 'gained' | 'lost'>

/** So many moments to come are looked at. */
const MOMENTS = 8

/**
 * Who would gain and lose which doors by what the transaction has done so far, as far as the caller may see who can
 * open doors; null: not at all. Whoever may see that alone sees people by name. Where nobody does now, it is told of
 * the first moment at which somebody does, of those at which a window that was written begins or ends. Of more than so
 * many doors those without anything of their own are taken together.
 */
export async function impactOf(tx: Tx, rights: Rights, oneByOne = ONE_BY_ONE): Promise<Impact | null> {
  const scope = rights.scopeOf('access-points:audience')
  if (scope === undefined) return null
  // What is kept is looked at beside the transaction: as it was after the change before it.
  await tx.committed()
  const limits = await limitsOf(tx, scope)
  const told = (at: string | null, sides: Sides): Impact => ({
    at,
    ...sides,
    ...(limits ? { limited_to: limits } : {}),
  })
  const now = await impactAt({ tx, at: tx.now }, rights, scope, oneByOne)
  if (isAny(now)) return told(null, now)
  for (const at of momentsIn(tx).slice(0, MOMENTS)) {
    const then = await impactAt({ tx, at }, rights, scope, oneByOne)
    if (isAny(then)) return told(at, then)
  }
  return told(null, now)
}

const isAny = ({ gained, lost }: Sides): boolean => gained.pairs + lost.pairs > 0

/** When windows of rows as they were, or as they were written, begin and end, from now on. */
function momentsIn({ records, now }: Tx): string[] {
  const moments = records.flatMap(({ before: was, after: is }) =>
    [was, is].flatMap((row) => {
      const { valid_from, valid_until } = isRecord(row) ? row : {}
      return [valid_from, valid_until].filter((moment) => typeof moment === 'string').filter((moment) => moment > now)
    }),
  )
  return [...new Set(moments)].sort()
}

async function impactAt(looked: Looked, rights: Rights, scope: Scope, oneByOne: number): Promise<Sides> {
  const { tx } = looked
  const seesPeople = covers(rights.scopeOf('individuals:read'), scope)
  const concerning = concernedBy(tx.records)
  const [doorsBefore, doorsAfter] = await doorsOn(looked, concerning, scope, oneByOne)
  const [was, is] = await rightsOf(looked, doorsBefore, doorsAfter)
  const crowds = await crowdsOf(looked, concerning, was, is)
  const pauses = new Pauses(tx.signal)
  const names = new Map<string, AffectedDoor>()
  const singles = new Set<string>()
  for (const doors of new Set([doorsBefore, doorsAfter]))
    for (const door of doors) {
      const pause = pauses.take()
      if (pause) await pause
      names.set(door.id, door)
      if (door.space_id !== null) singles.add(door.id)
    }
  const gained = new Tally()
  const lost = new Tally()
  const known = new Map<string, [gained: Bitset, lost: Bitset]>()
  for (const door of names.values()) {
    const pause = pauses.take()
    if (pause) await pause
    const [a, b] = [was.shapeOf(door.id), is.shapeOf(door.id)]
    // Most doors of a building have the same rights: two that had and have the same differ alike.
    const key = `${a}|${b}`
    let difference = known.get(key)
    if (!difference) {
      const [old, now] = [was.peopleOf(a, crowds.was), is.peopleOf(b, crowds.is)]
      difference = [now.without(old), old.without(now)]
      known.set(key, difference)
    }
    gained.add(door, difference[0])
    lost.add(door, difference[1])
  }
  const told = { looked, scope, seesPeople, singles, idOf: crowds.idOf }
  return { gained: await gained.shown('is', told), lost: await lost.shown('was', told) }
}

/** What the doors have before and after. */
async function rightsOf(
  looked: Looked,
  before: readonly AffectedDoor[],
  after: readonly AffectedDoor[],
): Promise<[DoorRights, DoorRights]> {
  const [points, targets, buildings] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const pauses = new Pauses(looked.tx.signal)
  // Mostly the same doors on both sides.
  for (const doors of new Set([before, after]))
    for (const { id, space_id, building_id } of doors) {
      const pause = pauses.take()
      if (pause) await pause
      buildings.add(building_id)
      if (space_id === null) continue
      points.add(id)
      targets.add(id).add(space_id)
    }
  const [placesBefore, placesAfter] = await onBothSides(looked, placesOf)
  const around = new Set(
    [placesBefore, placesAfter].flatMap((places) =>
      [...buildings].flatMap((id) => Object.values(places.above(id)).flat()),
    ),
  )
  const [wideBefore, wideAfter] = await onBothSides(looked, (handle) => grantsByPlace(handle, around))
  // A grant on a building or a location leaves those on single spaces and doors as they were: they are read once.
  const reading = looked.tx.records.every(isWideGrant) ? onOneSide : onBothSides
  const [ownBefore, ownAfter] = await reading(looked, (handle) => grantsOn(handle, [...targets]))
  const [typesBefore, typesAfter] = await onBothSides(looked, (handle) => keyTypesAt(handle, [...points]))
  const names = new Names()
  const was = new OwnRights(names, ownBefore, typesBefore)
  const is = ownAfter === ownBefore && typesAfter === typesBefore ? was : new OwnRights(names, ownAfter, typesAfter)
  return [
    await DoorRights.of({ doors: before, places: placesBefore, wide: wideBefore, own: was }),
    await DoorRights.of({ doors: after, places: placesAfter, wide: wideAfter, own: is }),
  ]
}

/** What was written is a grant, and stands on nothing smaller than a building. */
const isWideGrant = ({ resource, before, after }: ChangeRecord): boolean =>
  resource === 'access-grants' && [before, after].every((row) => row === null || (isRecord(row) && isWide(row)))

const isWide = ({ building_id, location_id }: Partial<Record<string, unknown>>): boolean =>
  typeof (building_id ?? location_id) === 'string'
