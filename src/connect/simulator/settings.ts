import { type Capabilities, commandActions } from '../connector.ts'

/** What a virtual controller may be made smaller by: the `settings` of its system. */
export interface SimulatorSettings {
  readonly max_doors?: unknown
  readonly max_cards?: unknown
  readonly max_grants?: unknown
  readonly max_schedules?: unknown
  readonly pins?: unknown
  readonly holidays?: unknown
}

const limitOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null

/** Unless its settings say otherwise it knows everything but where people are and who else stands there. */
export const simulatorCapabilities = (settings: SimulatorSettings): Capabilities => ({
  doors: limitOf(settings.max_doors),
  cards: limitOf(settings.max_cards),
  grants: limitOf(settings.max_grants),
  schedules: limitOf(settings.max_schedules),
  pins: settings.pins !== false,
  holidays: settings.holidays !== false,
  second_person: false,
  passback: false,
  commands: commandActions,
})
