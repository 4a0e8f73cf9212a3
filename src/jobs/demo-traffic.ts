import type { FastifyBaseLogger } from 'fastify'
import { Refused } from '../connect/connector.ts'
import { type Act, drive } from '../connect/simulator/drive.ts'
import type { Clock } from '../core/time/clock.ts'
import type { Engine } from '../db/engine.ts'
import { type Later, repeat } from './repeat.ts'

/** A few events a minute by day, hardly any at night. */
const EVERY_MS = 10_000
const NIGHT = 0.1
const TRIES = 6

export interface TrafficParts {
  readonly engine: Engine
  readonly clock: Clock
  readonly logger: FastifyBaseLogger
}

interface Simulator {
  org: number
  id: string
}

/** Between 0 and 1, the same for the same text: a demo looks the same each time. */
function chanceOf(text: string): number {
  let hash = 2_166_136_261
  for (const char of text) hash = Math.imul(hash ^ char.charCodeAt(0), 16_777_619)
  return ((hash ^ (hash >>> 15)) >>> 0) / 4_294_967_296
}

/** Somebody comes to a door of each simulated system of an organization, or nobody does. Gives how many came. */
export async function passBy(parts: TrafficParts, organization: string): Promise<number> {
  const { engine, clock } = parts
  const now = clock.now()
  const systems = await engine.reader.all<Simulator>(
    `select s.org, s.id from access_control_systems s join organizations o on o.key = s.org
     where o.name = $1 and s.kind = 'simulator' and s.status <> 'disabled' order by s.created_at, s.id limit 2`,
    [organization],
  )
  let came = 0
  for (const system of systems) {
    const seed = `${system.id} ${now.slice(0, 18)}`
    const hour = Number(now.slice(11, 13))
    if (chanceOf(`${seed} comes`) > (hour >= 5 && hour < 18 ? 1 : NIGHT)) continue
    try {
      if (await comeTo(parts, system, seed)) came += 1
    } catch (error) {
      // A door that is open already, or a controller that somebody has put out of order.
      if (!(error instanceof Refused)) throw error
    }
  }
  return came
}

/** Most who come may come in: of a few the first who does, else the last. */
async function comeTo(parts: TrafficParts, system: Simulator, seed: string): Promise<boolean> {
  let act: Act | undefined
  for (let n = 0; n < TRIES; n++) {
    act = await actOf(parts.engine, system, `${seed} ${n}`)
    if (!act) return false
    const { outcome } = await drive(parts, system.org, system.id, act, true)
    if (outcome?.decision !== 'denied') break
  }
  if (act) await drive(parts, system.org, system.id, act)
  return act !== undefined
}

/** Mostly somebody with a card; now and then one that nobody knows, or the button from within. */
async function actOf(engine: Engine, system: Simulator, seed: string): Promise<Act | undefined> {
  const door = await anyOf(engine, system, 'door', chanceOf(`${seed} door`))
  if (!door) return undefined
  const access_point_id = door.item_id
  const kind = chanceOf(`${seed} kind`)
  if (kind < 0.1) return { action: 'push_button', access_point_id }
  const number = kind < 0.15 ? `9${Math.floor(kind * 1e6)}` : await numberOf(engine, system, chanceOf(`${seed} card`))
  return number === undefined ? undefined : { action: 'swipe', access_point_id, number }
}

const numberOf = async (engine: Engine, system: Simulator, chance: number): Promise<string | undefined> => {
  const card = await anyOf(engine, system, 'card', chance)
  if (!card) return undefined
  const body = typeof card.body === 'string' ? JSON.parse(card.body) : card.body
  return body.credential.number ?? undefined
}

interface Row {
  item_id: string
  body: string | { credential: { number: string | null } }
}

/** One of the first entries of its table: the demo has its regulars. */
async function anyOf(
  engine: Engine,
  { org, id }: Simulator,
  kind: 'door' | 'card',
  chance: number,
): Promise<Row | undefined> {
  const rows = await engine.reader.all<Row>(
    `select e.item_id, e.body from simulator_entries e
     where e.org = $1 and e.access_control_system_id = $2 and e.entry_key >= $3 and e.entry_key < $4
     order by e.entry_key limit 40`,
    [org, id, `${kind}:`, `${kind};`],
  )
  return rows[Math.floor(chance * rows.length)]
}

/** Quiet traffic through the day at the simulated systems of the demo. */
export function startDemoTraffic(
  parts: TrafficParts,
  organization: string,
  schedule?: Later,
): { stop: () => Promise<void> } {
  const failed = (err: unknown) =>
    parts.logger.warn({ err }, 'nobody could come to the doors of the demo; it is tried again')
  const run = async () => void (await passBy(parts, organization))
  return repeat(
    { name: 'demo_traffic', engine: parts.engine, run, failed },
    { firstMs: 5000, everyMs: EVERY_MS },
    schedule,
  )
}
