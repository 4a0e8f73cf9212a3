import { setImmediate as nextTurn } from 'node:timers/promises'
import { type DoorFacts, loadModes } from '../access/doors.ts'
import { Settings } from '../access/settings.ts'
import { doorMode } from '../core/decide/mode.ts'
import { scheduleState } from '../core/time/schedule.ts'
import { Kept } from '../db/kept/kept.ts'
import { perEngine } from '../db/kept/per-engine.ts'
import { OrgHandle } from '../db/org.ts'
import { changeDoors, statesOf } from './door-states.ts'
import { changeLive } from './live-transaction.ts'
import { doorsInQuestion } from './modes-in-question.ts'

interface Worked {
  /** When the clock alone makes the mode of some door another. */
  readonly until: string | undefined
}

/** A reader waits no longer than this for the modes of very many doors: the others follow. */
const PATIENCE_MS = 1000
/** Nobody says when the first person comes: looked for so often. */
const FIRST_PERSON_MS = 1000
/** Whoever was overtaken has stored what was so before: it looks once more. */
const ATTEMPTS = 5

/** Kept while nothing that modes are made of is written, and no schedule, emergency or command ends. */
const modes = perEngine(
  (engine) =>
    new Kept<Worked>(engine, {
      name: 'modes',
      max: 1000,
      attempts: ATTEMPTS,
      isOfNow: true,
      untilOf: ({ until }) => until,
    }),
)

/** Works the modes of an organization's doors out, where they may be others than those stored, and stores them. */
export const keepModes = async (handle: OrgHandle): Promise<void> => {
  await modes(handle.engine).get(handle, String(handle.org), workOut)
}

/** The same for whoever is about to look at them, to be done; undefined: they are up to date. */
export function outdatedModes(handle: OrgHandle): (() => Promise<void>) | undefined {
  const versions = handle.versions()
  if (!(versions instanceof Promise) && modes(handle.engine).known(String(handle.org), versions, handle.instant))
    return undefined
  return () => keepPatiently(handle)
}

function keepPatiently(handle: OrgHandle): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, PATIENCE_MS)
  keepModes(handle)
    .then(resolve, reject)
    .finally(() => clearTimeout(timer))
  return promise
}

async function workOut(handle: OrgHandle): Promise<Worked> {
  const { instant: at } = handle
  const settings = new Settings(handle)
  let until: string | undefined
  for await (const ids of doorsInQuestion(handle)) {
    const doors = await loadModes(settings, ids, at)
    await store(new OrgHandle(handle.engine, handle.org, at), doors)
    for (const facts of doors.values()) until = earlier(until, nextOf(facts, at))
    await nextTurn()
  }
  return { until }
}

async function store(handle: OrgHandle, doors: ReadonlyMap<string, DoorFacts>): Promise<void> {
  const { engine, org, instant: at } = handle
  const states = await statesOf(handle, new Set(doors.keys()))
  const changes = [...doors].flatMap(([access_point_id, facts]) => {
    const { mode } = doorMode(facts, at)
    return states.get(access_point_id)?.mode === mode ? [] : [{ access_point_id, at, mode }]
  })
  if (changes.length > 0) await changeLive(engine, org, at, (tx) => changeDoors(tx, changes))
}

/** When to look at a door again. */
function nextOf(facts: DoorFacts, at: string): string | undefined {
  const { first_person_in, unlock_schedule, time_zone } = facts.door
  const { mode, until } = doorMode(facts, at)
  if (!first_person_in || !unlock_schedule || mode === 'unlocked') return until
  const { open, next } = scheduleState(unlock_schedule, unlock_schedule.time_zone ?? time_zone, Date.parse(at))
  const look = open ? Date.parse(at) + FIRST_PERSON_MS : next
  return look === null ? until : earlier(until, new Date(look).toISOString())
}

const earlier = (a: string | undefined, b: string | undefined): string | undefined =>
  a === undefined || (b !== undefined && b < a) ? b : a
