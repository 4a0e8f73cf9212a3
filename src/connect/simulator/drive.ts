import { pinKeysOf } from '../../access/pin-key.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Engine } from '../../db/engine.ts'
import { sql } from '../../db/sql.ts'
import { changeLive } from '../../live/live-transaction.ts'
import { Refused } from '../connector.ts'
import { wakersOf } from '../wake.ts'
import { Device, type Outcome } from './device.ts'
import type { Faults } from './memory.ts'

/** What somebody does at the doors of a virtual controller. */
export const doorActs = ['swipe', 'push_button', 'open', 'force', 'hold', 'close'] as const
/** What happens to the controller itself. */
export const deviceActs = ['go_online', 'go_offline', 'lose_power', 'restore_power', 'set_clock', 'set_faults'] as const

export interface Act {
  readonly action: (typeof doorActs)[number] | (typeof deviceActs)[number]
  readonly access_point_id?: string | undefined
  readonly type?: string
  readonly number?: string | null
  readonly facility_code?: string | null
  readonly pin?: string | null
  readonly direction?: 'in' | 'out'
  readonly passes?: boolean
  readonly offset_ms?: number
  readonly drift_ppm?: number
  readonly faults?: Partial<Faults>
}

export interface SimulatorState {
  readonly is_online: boolean
  readonly is_powered: boolean
  readonly clock: string
  readonly clock_offset_ms: number
  readonly drift_ppm: number
  readonly faults: Faults
  readonly entries: {
    readonly doors: number
    readonly cards: number
    readonly grants: number
    readonly schedules: number
  }
  readonly events_waiting: number
}

export interface Driven {
  readonly outcome: Outcome | null
  readonly state: SimulatorState
}

interface Parts {
  readonly engine: Engine
  readonly clock: Clock
}

/** Carries the answer out of a transaction that must not commit. */
class NothingKept extends Error {
  readonly driven: Driven
  constructor(driven: Driven) {
    super('a dry run keeps nothing')
    this.driven = driven
  }
}

/** Plays what happens at a virtual controller. `act` undefined: only looks. */
export async function drive(
  { engine, clock }: Parts,
  org: number,
  system: string,
  act?: Act,
  isDryRun = false,
): Promise<Driven> {
  const pinKeys = act?.pin ? await pinKeysOf(engine, org, act.pin) : []
  try {
    const driven = await changeLive(engine, org, clock.now(), (tx) =>
      Device.act(tx, system, async (device) => {
        const outcome = act ? await play(device, act, pinKeys) : null
        const driven = { outcome, state: await stateOf(device, await waiting()) }
        if (isDryRun) throw new NothingKept(driven)
        return driven
        async function waiting(): Promise<number> {
          const row = await tx.one<{ n: number }>(
            sql`select count(*) as n from simulator_events t where t.org = :org
              and t.access_control_system_id = ${system}`,
          )
          return Number(row?.n ?? 0)
        }
      }),
    )
    if (act) wakersOf(engine).wake(org, system)
    return driven
  } catch (error) {
    if (error instanceof NothingKept) return error.driven
    throw error
  }
}

async function play(device: Device, act: Act, pinKeys: readonly string[]): Promise<Outcome | null> {
  const { action } = act
  if (isDoorAct(action)) {
    if (!device.memory.is_powered)
      throw new Refused('no_power', 'The controller has no power: nothing happens at its doors')
    return playAtDoor(device, { ...act, action }, act.access_point_id ?? '', pinKeys)
  }
  const { memory } = device
  if (action === 'go_online' || action === 'go_offline')
    device.memory = { ...memory, is_online: action === 'go_online' }
  if (action === 'lose_power') {
    if (memory.is_powered) await device.emit('system.power_lost', null)
    device.memory = { ...device.memory, is_powered: false }
  }
  if (action === 'restore_power' && !memory.is_powered) {
    device.memory = { ...memory, is_powered: true }
    await device.emit('system.power_restored', null)
  }
  if (action === 'set_clock') device.setClock(act.offset_ms ?? 0, act.drift_ppm ?? 0)
  if (action === 'set_faults') device.memory = { ...memory, faults: { ...memory.faults, ...act.faults } }
  return null
}

const isDoorAct = (action: Act['action']): action is (typeof doorActs)[number] => doorActs.some((one) => one === action)

async function playAtDoor(
  device: Device,
  act: Act & { action: (typeof doorActs)[number] },
  door: string,
  pinKeys: readonly string[],
): Promise<Outcome | null> {
  switch (act.action) {
    case 'swipe':
      return device.swipe({
        access_point_id: door,
        type: act.type ?? 'card',
        number: act.number ?? null,
        facility_code: act.facility_code ?? null,
        pin: act.pin ? 'typed' : 'none',
        pin_keys: pinKeys,
        direction: act.direction ?? 'in',
        passes: act.passes ?? true,
      })
    case 'push_button':
      await device.pushButton(door)
      return null
    case 'hold':
      await device.hold(door)
      return null
    case 'close':
      await device.close(door)
      return null
    default:
      await device.open(door, act.action === 'force')
      return null
  }
}

async function stateOf(device: Device, events_waiting: number): Promise<SimulatorState> {
  const { is_online, is_powered, drift_ppm, faults } = device.memory
  const { door, card, grant, schedule } = await device.table.counts()
  return {
    is_online,
    is_powered,
    clock: device.now,
    clock_offset_ms: device.offsetMs,
    drift_ppm,
    faults,
    entries: { doors: door, cards: card, grants: grant, schedules: schedule },
    events_waiting,
  }
}
