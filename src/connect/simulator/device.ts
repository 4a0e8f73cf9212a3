import { randomUUIDv7 } from 'node:crypto'
import { decide } from '../../core/decide/decide.ts'
import { doorMode, standsOpen } from '../../core/decide/mode.ts'
import type { Reason } from '../../core/decide/reasons.ts'
import type { LiveTx } from '../../live/live-transaction.ts'
import { type DeviceCommand, type DeviceEvent, Refused, staysBlocked, staysIn } from '../connector.ts'
import type { DoorBody } from '../entry.ts'
import {
  addEvent,
  type DoorState,
  deviceTime,
  doorsDue,
  findDoorState,
  holdMemory,
  keepDoorState,
  keepMemory,
  type Memory,
  offsetAt,
} from './memory.ts'
import { type Reading, Table } from './table.ts'

/** So many doors do at once what they do by themselves: nobody waits long for the writer. */
const AT_ONCE = 50

export interface Swipe extends Reading {
  readonly access_point_id: string
  readonly direction: 'in' | 'out'
  readonly pin: 'none' | 'typed'
  /** Whether whoever is let in goes through. */
  readonly passes: boolean
}

export interface Outcome {
  readonly decision: 'granted' | 'denied'
  readonly reason: Reason
}

/**
 * A virtual controller while somebody or something acts upon it, in one transaction. It decides by the table that it
 * has, by its own clock, and keeps what it has to tell until it is taken: as a real one does, whether or not anybody
 * can reach it.
 */
export class Device {
  readonly table: Table
  memory: Memory
  private readonly tx: LiveTx
  private readonly system: string
  private place: number
  /** When something happened by itself that is made up for now. */
  private moment: string | undefined

  private constructor(tx: LiveTx, system: string, memory: Memory, place: number) {
    this.tx = tx
    this.system = system
    this.memory = memory
    this.place = place
    this.table = new Table(tx, system)
  }

  /** Does what it would have done by itself since, then the work. */
  static async act<T>(tx: LiveTx, system: string, work: (device: Device) => Promise<T>): Promise<T> {
    const { memory, place } = await holdMemory(tx, system)
    const device = new Device(tx, system, memory, place)
    await device.catchUp()
    const result = await work(device)
    await keepMemory(tx, system, device.memory, device.place)
    return result
  }

  /** By its own clock. */
  get now(): string {
    return this.moment ?? deviceTime(this.memory, this.tx.instant)
  }

  get offsetMs(): number {
    return offsetAt(this.memory, this.tx.instant)
  }

  setClock(offsetMs: number, drift_ppm = this.memory.drift_ppm): void {
    this.memory = { ...this.memory, clock_offset_ms: offsetMs, drift_ppm, clock_set_at: this.tx.instant }
  }

  async emit(type: string, door: string | null, more: Partial<DeviceEvent> = {}): Promise<void> {
    const event: DeviceEvent = {
      source_id: randomUUIDv7(),
      type,
      occurred_at: this.now,
      access_point_id: door,
      ...more,
    }
    const emitted = this.memory.emitted + 1
    this.memory = { ...this.memory, emitted }
    const isLate = this.memory.faults.late_events && emitted % 2 === 1
    if (!isLate) this.place += 1
    await addEvent(this.tx, this.system, event, isLate ? null : this.place)
  }

  /** Where what is late is told next. */
  nextPlace(): number {
    this.place += 1
    return this.place
  }

  async getDoor(id: string): Promise<DoorBody> {
    const door = await this.table.findDoor(id)
    if (!door)
      throw new Refused('unknown_door', 'The controller does not know this door: it has not been given to it yet')
    return door
  }

  /** Somebody holds something to a reader. */
  async swipe(swipe: Swipe): Promise<Outcome> {
    const id = swipe.access_point_id
    const door = await this.getDoor(id)
    const state = await findDoorState(this.tx, this.system, id)
    const card = await this.table.findCard(swipe)
    const facts = await this.table.factsOf(door, state, card)
    const isRightPin = card?.pin_key !== null && card !== undefined && swipe.pin_keys.includes(card.pin_key)
    const { isGranted, reason } = decide(facts, {
      by: 'credential',
      at: this.now,
      direction: swipe.direction,
      pin: swipe.pin === 'none' || !card ? 'none' : isRightPin ? 'right' : 'wrong',
    })
    const who = {
      direction: swipe.direction,
      reason,
      ...(card
        ? { credential_id: card.credential.id, individual_id: card.credential.individual_id }
        : { credential_number: swipe.number, credential_type: swipe.type, facility_code: swipe.facility_code }),
    }
    await this.emit(isGranted ? 'access.granted' : 'access.denied', id, {
      result: isGranted ? 'granted' : 'denied',
      ...who,
    })
    if (!isGranted) return { decision: 'denied', reason }
    if (card) await this.table.noteUse(card.credential.id)
    const entry = swipe.direction === 'in' ? { last_entry_at: this.now } : {}
    await this.settle(
      id,
      { ...state, ...entry, passing_until: this.after(door.unlock_seconds), is_taken: swipe.passes },
      door,
    )
    if (swipe.passes) {
      await this.emit('door.opened', id)
      await this.emit('access.taken', id, { result: 'granted', ...who })
      await this.emit('door.closed', id)
    }
    return { decision: 'granted', reason }
  }

  /** From within, without a card. */
  async pushButton(id: string): Promise<void> {
    const door = await this.getDoor(id)
    await this.emit('door.exit_requested', id, { direction: 'out' })
    const state = await findDoorState(this.tx, this.system, id)
    await this.settle(id, { ...state, passing_until: this.after(door.unlock_seconds), is_taken: true }, door)
  }

  /** The leaf is opened; where the door is locked, by force. */
  async open(id: string, isForced: boolean): Promise<void> {
    const door = await this.getDoor(id)
    const state = await findDoorState(this.tx, this.system, id)
    if (state.opened_at !== null) throw new Refused('is_open', 'The door is open already: close it first')
    if (!isForced && !state.is_unlocked) throw new Refused('is_locked', 'The door is locked: it opens by force alone')
    await this.emit(isForced ? 'door.forced' : 'door.opened', id)
    await this.settle(id, { ...state, opened_at: this.now, is_held_told: isForced }, door)
  }

  /** Somebody keeps it open for longer than they may. */
  async hold(id: string): Promise<void> {
    const door = await this.getDoor(id)
    const state = await findDoorState(this.tx, this.system, id)
    if (state.opened_at === null) {
      if (!state.is_unlocked) throw new Refused('is_locked', 'The door is locked: have it opened before it is held')
      await this.emit('door.opened', id)
    }
    await this.emit('door.held_open', id)
    await this.settle(id, { ...state, opened_at: state.opened_at ?? this.now, is_held_told: true }, door)
  }

  async close(id: string): Promise<void> {
    const door = await this.getDoor(id)
    const state = await findDoorState(this.tx, this.system, id)
    if (state.opened_at === null) throw new Refused('is_closed', 'The door is closed already')
    await this.emit('door.closed', id)
    await this.settle(id, { ...state, opened_at: null, is_held_told: false }, door)
  }

  /** Done or refused at once; what is done is told by an event that names the command. */
  async command({ id: command_id, action, access_point_id: id, seconds }: DeviceCommand): Promise<void> {
    const door = await this.getDoor(id)
    const state = await findDoorState(this.tx, this.system, id)
    const isBlocked = state.override === 'blocked'
    if (isBlocked && action === 'unlock') throw staysBlocked()
    const isBlockedAfter = action === 'block' || (isBlocked && action !== 'release')
    const asked: DoorState =
      action === 'unlock'
        ? { ...state, ...this.unlockedFor(seconds, state) }
        : { ...state, override: isBlockedAfter ? 'blocked' : null, override_until: null, passing_until: null }
    const { mode } = doorMode(await this.table.factsOf(door, asked, undefined), this.now)
    if ((action === 'unlock') !== standsOpen(mode) && action !== 'release') throw staysIn(mode)
    await this.settle(id, asked, door, { id: command_id, action })
    await this.emit(EVENT_OF[action], id, { command_id })
  }

  /** What is unlocked until it is released, or for longer, stays so. */
  private unlockedFor(seconds: number | null, { override, override_until }: DoorState) {
    const until = seconds === null ? null : this.after(seconds)
    const isLonger = override_until === null ? override === 'unlocked' : until !== null && override_until > until
    if (until === null) return { override: 'unlocked', override_until: null } as const
    return isLonger ? {} : ({ override: 'unlocked_timed', override_until: until } as const)
  }

  /** Its table has changed: the door looks at once what it makes of it. */
  async look(id: string): Promise<void> {
    const door = await this.table.findDoor(id)
    if (door) await this.settle(id, await findDoorState(this.tx, this.system, id), door)
  }

  private after(seconds: number): string {
    return new Date(Date.parse(this.now) + seconds * 1000).toISOString()
  }

  private async catchUp(): Promise<void> {
    if (!this.memory.is_powered) return
    const due = await doorsDue(this.tx, this.system, this.now, AT_ONCE)
    // What its clock leapt over when it was set happens then: it tells of nothing at a time that it no longer goes by.
    const set = deviceTime(this.memory, this.memory.clock_set_at)
    for (const { access_point_id, next_at } of due) {
      const isLeaptOver = next_at < set
      this.moment = isLeaptOver ? set : next_at
      await this.look(access_point_id)
    }
    this.moment = undefined
  }

  /** What follows from its state by now: timers that are over, the lock, what it tells of, and when to look again. */
  private async settle(
    id: string,
    asked: DoorState,
    door: DoorBody,
    command?: Pick<DeviceCommand, 'id' | 'action'>,
  ): Promise<void> {
    let state = asked
    if (isOver(state.override_until, this.now)) state = { ...state, override: null, override_until: null }
    if (isOver(state.passing_until, this.now)) {
      if (!state.is_taken) await this.emit('access.not_taken', id)
      state = { ...state, passing_until: null, is_taken: false }
    }
    const { mode, until } = doorMode(await this.table.factsOf(door, state, undefined), this.now)
    const isUnlocked = standsOpen(mode) || state.passing_until !== null
    const lockEvent = isUnlocked ? 'lock.unlocked' : 'lock.locked'
    // A command to lock or unlock tells of the lock by itself; one to block or release says nothing of it.
    if (isUnlocked !== state.is_unlocked && (!command || EVENT_OF[command.action] !== lockEvent))
      await this.emit(lockEvent, id, command ? { command_id: command.id } : {})
    const heldAt =
      state.opened_at !== null && !state.is_held_told && door.held_open_seconds !== null && !standsOpen(mode)
        ? new Date(Date.parse(state.opened_at) + door.held_open_seconds * 1000).toISOString()
        : null
    if (isOver(heldAt, this.now)) {
      await this.emit('door.held_open', id)
      state = { ...state, is_held_told: true }
    }
    const next = [until, state.override_until, state.passing_until, isOver(heldAt, this.now) ? null : heldAt].filter(
      (at) => at !== null && at !== undefined,
    )
    await keepDoorState(this.tx, this.system, id, { ...state, is_unlocked: isUnlocked }, next.sort()[0] ?? null)
  }
}

const isOver = (at: string | null, now: string): boolean => at !== null && at <= now

/** What a door tells of once it has done it. */
const EVENT_OF = {
  unlock: 'lock.unlocked',
  lock: 'lock.locked',
  block: 'door.blocked',
  release: 'door.released',
} as const
