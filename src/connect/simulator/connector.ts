import type { Clock } from '../../core/time/clock.ts'
import { parsed } from '../../db/assignments.ts'
import type { Engine } from '../../db/engine.ts'
import { OrgHandle } from '../../db/org.ts'
import { sql } from '../../db/sql.ts'
import { changeLive, type LiveTx } from '../../live/live-transaction.ts'
import { compileRules } from '../compile.ts'
import {
  type Capabilities,
  type Connector,
  type DeviceCommand,
  type DeviceEvent,
  type DiscoveredDoor,
  type Health,
  type Observed,
  type Operation,
  type Plan,
  type Refusal,
  type Told,
  Unreachable,
} from '../connector.ts'
import type { Compiled, Entry, EntryKind } from '../entry.ts'
import { planOf } from '../plan.ts'
import type { Rules } from '../rules.ts'
import { Device } from './device.ts'
import { type DoorState, deviceTime, type Faults, type Memory } from './memory.ts'
import { type SimulatorSettings, simulatorCapabilities } from './settings.ts'

/** So many events are told at a time, and so many entries read. */
const EVENTS = 200
const PAGE = 1000

export interface SimulatorParts {
  readonly engine: Engine
  readonly clock: Clock
  readonly org: number
  readonly system: string
  readonly settings: SimulatorSettings
}

const LIMITS: Record<EntryKind, 'doors' | 'cards' | 'grants' | 'schedules'> = {
  door: 'doors',
  card: 'cards',
  grant: 'grants',
  schedule: 'schedules',
}

/**
 * Speaks with a virtual controller as with one that is somewhere else: it may not answer, and its answer may be lost.
 */
export class SimulatorConnector implements Connector {
  private readonly parts: SimulatorParts
  private readonly can: Capabilities

  constructor(parts: SimulatorParts) {
    this.parts = parts
    this.can = simulatorCapabilities(parts.settings)
  }

  capabilities(): Capabilities {
    return this.can
  }

  compile(rules: Rules): Compiled {
    return compileRules(rules, this.can)
  }

  plan(desired: ReadonlyMap<string, Entry>, observed: ReadonlyMap<string, string>, size?: number): Plan {
    return planOf(desired, observed, size)
  }

  discover(): Promise<readonly DiscoveredDoor[]> {
    return this.reached(async (_device, tx) => {
      const rows = await tx.all<{ access_point_id: string; state: string | DoorState }>(sql`
        select t.access_point_id, t.state from simulator_doors t
        where t.org = :org and t.access_control_system_id = ${this.parts.system} order by t.access_point_id`)
      return rows.map(({ access_point_id, state }) => ({
        access_point_id,
        position: parsed<DoorState>(state).opened_at === null ? ('closed' as const) : ('open' as const),
      }))
    })
  }

  health(): Promise<Health> {
    return this.reached(async (device) => {
      const { door, card, grant, schedule } = await device.table.counts()
      return {
        clock_offset_ms: device.offsetMs,
        used: { doors: door, cards: card, grants: grant, schedules: schedule },
      }
    })
  }

  async read(): Promise<Observed> {
    const { engine, org, clock, system } = this.parts
    const { read } = await this.reached(async (device): Promise<Faults> => device.memory.faults)
    if (read === 'fails') throw new Unreachable('The table could not be read')
    const observed = new Map<string, string>()
    const handle = new OrgHandle(engine, org, clock.now())
    for (let last = ''; read === 'works'; ) {
      const rows = await handle.all<{ entry_key: string; fingerprint: string }>(sql`
        select t.entry_key, t.fingerprint from simulator_entries t
        where t.org = :org and t.access_control_system_id = ${system} and t.entry_key > ${last} order by t.entry_key
        limit ${PAGE}`)
      for (const { entry_key, fingerprint } of rows) observed.set(entry_key, fingerprint)
      if (rows.length < PAGE) break
      last = rows.at(-1)?.entry_key ?? last
    }
    return observed
  }

  apply(operation: Operation): Promise<readonly Refusal[]> {
    return this.acknowledged(async (device) => {
      if ('put' in operation) return this.put(device, operation.put)
      await device.table.remove(operation.remove)
      return []
    })
  }

  command(command: DeviceCommand): Promise<void> {
    return this.acknowledged((device) => device.command(command))
  }

  /** What comes before the cursor has been taken: the device forgets it. */
  async events(cursor: string | null): Promise<Told> {
    const { system } = this.parts
    const after = Number(cursor ?? 0)
    if (await this.isQuiet(after)) return { events: [], cursor: String(after), hasMore: false }
    return this.reached(async (device, tx) => {
      await tx.run(sql`delete from simulator_events as t
        where t.org = :org and t.access_control_system_id = ${system} and t.place <= ${after}`)
      const rows = await tx.all<{ place: number; body: string | DeviceEvent }>(sql`
        select t.place, t.body from simulator_events t
        where t.org = :org and t.access_control_system_id = ${system} and t.place > ${after} order by t.place
        limit ${EVENTS}`)
      const late = await tx.all<{ id: string }>(sql`
        select t.id from simulator_events t
        where t.org = :org and t.access_control_system_id = ${system} and t.place is null order by t.id
        limit ${EVENTS}`)
      for (const { id } of late)
        await tx.run(sql`update simulator_events as t set place = ${device.nextPlace()}
          where t.org = :org and t.access_control_system_id = ${system} and t.id = ${id}`)
      const events = rows.map(({ body }) => parsed<DeviceEvent>(body))
      return {
        events: device.memory.faults.duplicate_events ? [...events, ...events] : events,
        cursor: String(rows.at(-1)?.place ?? after),
        hasMore: rows.length === EVENTS || late.length > 0,
      }
    })
  }

  /** Asked twice a second, it mostly has nothing to tell: that is found out without writing. */
  private async isQuiet(after: number): Promise<boolean> {
    const { engine, org, clock, system } = this.parts
    const handle = new OrgHandle(engine, org, clock.now())
    const row = await handle.one<{ memory: string | Memory }>(
      sql`select t.memory from simulators t where t.org = :org and t.access_control_system_id = ${system}`,
    )
    if (!row) return false
    const memory = parsed<Memory>(row.memory)
    if (!memory.is_powered || !memory.is_online) return false
    const now = deviceTime(memory, handle.instant)
    const busy = await handle.one(sql`
      select 1 as is_busy from simulators m where m.org = :org and m.access_control_system_id = ${system} and (
        exists (select 1 from simulator_events t where t.org = :org and t.access_control_system_id = ${system}
          and (t.place is null or t.place > ${after}))
        or exists (select 1 from simulator_doors d where d.org = :org and d.access_control_system_id = ${system}
        and d.next_at <= ${now}))`)
    return busy === undefined
  }

  setClock(): Promise<void> {
    return this.reached(async (device) => {
      device.setClock(0)
      await device.emit('system.clock_set', null)
    })
  }

  private async put(device: Device, entries: readonly Entry[]): Promise<Refusal[]> {
    const refused: Refusal[] = []
    const counts = await device.table.counts()
    const held = await device.table.held(entries.map(({ key }) => key))
    for (const entry of entries) {
      const limit = this.can[LIMITS[entry.kind]]
      if (!held.has(entry.key) && limit !== null && counts[entry.kind] >= limit) {
        const message = `The controller is full: it holds ${limit} ${LIMITS[entry.kind]}, and this one did not fit`
        refused.push({ key: entry.key, code: 'device_full', message })
        continue
      }
      if (!held.has(entry.key)) counts[entry.kind] += 1
      await device.table.put(entry)
      if (entry.kind === 'door') await device.look(entry.item_id)
    }
    return refused
  }

  private async reached<T>(work: (device: Device, tx: LiveTx) => Promise<T>): Promise<T> {
    const { engine, org, clock, system } = this.parts
    // What it does by itself meanwhile is kept, whether or not it can be reached.
    const answer = await changeLive(engine, org, clock.now(), (tx) =>
      Device.act(tx, system, async (device) =>
        device.memory.is_powered && device.memory.is_online ? { result: await work(device, tx) } : undefined,
      ),
    )
    if (!answer) throw new Unreachable('The controller does not answer')
    return answer.result
  }

  private async acknowledged<T>(work: (device: Device) => Promise<T>): Promise<T> {
    const { result, isLost } = await this.reached(async (device) => {
      const result = await work(device)
      return { result, isLost: device.memory.faults.lose_acknowledgements }
    })
    if (isLost) throw new Unreachable('The controller did not acknowledge')
    return result
  }
}
