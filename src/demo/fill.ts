import { hashPin } from '../core/cards/pin.ts'
import { keysOf } from '../core/typed.ts'
import type { Actor } from '../db/audit.ts'
import { change, type Tx } from '../db/change.ts'
import type { Engine } from '../db/engine.ts'
import type { NewEvent } from '../live/intake/new-event.ts'
import { takeIn } from '../live/intake/take-in.ts'
import { grantRows, groupRows, memberRows } from './access.ts'
import { Bulk } from './bulk.ts'
import { type Estate, layOut } from './estate.ts'
import { fillHistory } from './history.ts'
import { setIndexesAside } from './indexes.ts'
import { lockdownRows } from './lockdowns.ts'
import { lockingPlans } from './locking.ts'
import { credentialRows, individualRows, peopleCount } from './people.ts'
import { fillPlans } from './plans.ts'
import { requestRows } from './requests.ts'
import { fillReviews } from './reviews.ts'
import { calendarRows, scheduleRows } from './schedules.ts'
import { spaceRows } from './spaces.ts'
import { occupantsOf } from './stories.ts'
import { systemRows } from './systems.ts'
import { POINTS_PER_SPACE, World } from './world.ts'

export interface Progress {
  stage: string
  rows: number
  /** About how many rows there will be. */
  expected: number
}

export interface FillOptions {
  spaces: number
  seed: number
  /** From how many spaces on the indexes are built after the rows. */
  largeFrom?: number
  onProgress?: (progress: Progress) => void
}

export interface FillResult {
  /** Rows by table. */
  counts: Record<string, number>
}

const LARGE_FROM = 10_000
/** So many doors are held in memory. */
const CHUNK = 4000
/** So many doors report what is wrong with them, however large the estate. */
const TROUBLES = 500
const PINS = ['2580', '1379', '4711', '8642']

/** Whether the organization has places already, or was ever filled. */
export async function isFilled(engine: Engine, org: number): Promise<boolean> {
  const rows = await engine.reader.all(
    `select 1 as one from locations where org = $1 union all select 1 from audit_log where org = $1
      and action = 'demo.filled' limit 1`,
    [org],
  )
  return rows.length > 0
}

/**
 * Fills an organization with a made-up estate: one transaction, one audit entry. The same seed gives the same estate.
 */
export async function fillDemo(
  engine: Engine,
  org: number,
  now: string,
  actor: Actor,
  options: FillOptions,
): Promise<FillResult> {
  const world = new World(options.seed, options.spaces, now)
  const estate = layOut(world)
  const people = peopleCount(world.spaces)
  // The same PINs in every run: a hash is salted from what it is made of.
  const pins = await Promise.all(PINS.map((pin) => hashPin(pin, `demo ${world.seed} ${pin}`)))
  const progress = {
    stage: 'places',
    rows: 0,
    expected: Math.round(world.spaces * 2.16 + people * 6 + Math.min(122_000, world.spaces * 5.5)),
  }
  const report = (stage: string, rows = 0) => {
    progress.stage = stage
    progress.rows += rows
    options.onProgress?.(progress)
  }
  const troubles: NewEvent[] = []
  const filled = await change(
    engine,
    org,
    now,
    actor,
    async (tx) => {
      const restore = world.spaces >= (options.largeFrom ?? LARGE_FROM) ? await setIndexesAside(tx) : undefined
      const bulk = new Bulk(tx, (rows) => report(progress.stage, rows))
      await bulk.addAll('calendars', calendarRows(world))
      await bulk.addAll('schedules', scheduleRows(world))
      troubles.push(...(await fillPlaces(bulk, world, estate, report)))
      await fillPlans(tx, bulk, world, estate)
      report('people')
      await bulk.addAll('individuals', individualRows(world, estate, people))
      await bulk.addAll('credentials', credentialRows(world, estate, people, pins))
      report('access')
      await bulk.addAll('access_groups', groupRows(world, estate))
      await bulk.addAll('access_group_members', memberRows(world, estate, people))
      await bulk.addAll('access_grants', grantRows(world, estate, people))
      report('keys')
      for (const plan of lockingPlans(world, estate, people)) {
        for (const table of keysOf(plan)) await bulk.addAll(table, plan[table])
      }
      report('past')
      await bulk.addAll('lockdowns', lockdownRows(world, estate))
      await bulk.addAll('access_requests', requestRows(world, estate))
      await fillPresence(tx, world, estate, people)
      await fillHistory(tx, world)
      await restore?.(report)
      await fillReviews(tx, bulk, world, estate)
      const { spaces, seed } = options
      tx.record({
        action: 'demo.filled',
        resource: 'organizations',
        resourceId: null,
        before: null,
        after: { seed, spaces, counts: bulk.counts },
      })
      return { counts: bulk.counts }
    },
    { isUnhurried: true },
  )
  // As a system tells them, after the register is there: the state of a door and its alarm are of one making.
  await takeIn(engine, org, now, [{ events: troubles, scope: 'all', received_at: now }])
  return filled
}

/** Gives what doors have to report. */
async function fillPlaces(
  bulk: Bulk,
  world: World,
  estate: Estate,
  report: (stage: string) => void,
): Promise<NewEvent[]> {
  const troubles: NewEvent[] = []
  await bulk.addAll('locations', estate.locations)
  await bulk.addAll('buildings', estate.buildingRows)
  await bulk.addAll('access_control_systems', systemRows(world, estate))
  report('spaces')
  let waiting: object[] = []
  // A door is stored after the spaces it joins.
  const flush = async () => {
    await bulk.flush('spaces')
    await bulk.addAll('access_points', waiting)
    waiting = []
  }
  for (const { space, doors } of spaceRows(world, estate)) {
    await bulk.add('spaces', space)
    for (const { row, trouble } of doors) {
      waiting.push(row)
      if (trouble && troubles.length < TROUBLES) troubles.push(trouble)
    }
    if (waiting.length >= CHUNK) await flush()
  }
  await flush()
  return troubles
}

/** Live facts are no part of the audited rows, and of no resource. */
async function fillPresence(tx: Tx, world: World, estate: Estate, people: number): Promise<void> {
  const laboratory = occupantsOf(world, estate, people)
  if (!laboratory) return
  for (const who of laboratory.people) {
    await tx.insert('presence', {
      individual_id: world.id('individuals', who),
      space_id: world.id('spaces', laboratory.space),
      access_point_id: world.id('access_points', laboratory.space * POINTS_PER_SPACE),
      since: world.atWork(1),
    })
  }
}
