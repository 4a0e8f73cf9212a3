import { mix, Random } from './random.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND
const DAY = 24 * HOUR

/** When the made-up organization was set up: fixed, so that ids and creation dates are the same on every day. */
const FOUNDED = Date.UTC(2025, 0, 6, 8)

/** Each table's number (for its random values) and the day its rows were entered. */
const tables = {
  locations: [1, 0],
  buildings: [2, 1],
  access_control_systems: [3, 2],
  spaces: [4, 3],
  access_points: [5, 3],
  individuals: [6, 150],
  credentials: [7, 152],
  access_groups: [8, 154],
  access_group_members: [9, 155],
  access_grants: [10, 157],
  locking_systems: [11, 159],
  cylinders: [12, 160],
  key_types: [13, 162],
  keys: [14, 163],
  key_handovers: [15, 165],
  calendars: [16, 2],
  schedules: [17, 2],
  lockdowns: [18, 170],
  access_requests: [19, 172],
  access_reviews: [20, 174],
  access_review_lines: [21, 175],
  floor_plans: [22, 4],
  floor_plan_positions: [23, 4],
} as const satisfies Record<string, readonly [number, number]>

export type DemoTable = keyof typeof tables

const HISTORY_DAY = 180

/** The columns every stored row has. */
export interface BaseRow {
  id: string
  external_id: string | null
  created_at: string
  updated_at: string
  version: number
}

/** Where everything about the made-up organization comes from: the seed, and the day it is looked at. */
export class World {
  readonly seed: number
  /** Midnight UTC of the day of the fill. What is due, expired or still to come is so as seen from there. */
  readonly today: number
  readonly spaces: number

  constructor(seed: number, spaces: number, now: string) {
    this.seed = seed
    this.spaces = spaces
    this.today = Date.parse(now.slice(0, 10))
  }

  random(table: DemoTable, index: number): Random {
    return new Random(mix(this.seed, tables[table][0], index))
  }

  /** UUIDv7: the row's creation date, then bits of the seed. */
  id(table: DemoTable, index: number): string {
    const at = createdAt(table, index).toString(16).padStart(12, '0')
    const a = mix(this.seed, tables[table][0] + 100, index)
    const b = mix(this.seed, tables[table][0] + 200, index)
    const c = mix(this.seed, tables[table][0] + 300, index)
    const variant = '89ab'[a & 3]
    const fourth = `${variant}${hex((a >>> 4) & 0xfff, 3)}`
    return `${at.slice(0, 8)}-${at.slice(8)}-7${hex(a >>> 20, 3)}-${fourth}-${hex(b, 8)}${hex(c & 0xffff, 4)}`
  }

  base(table: DemoTable, index: number, externalId: string | null = null): BaseRow {
    const at = new Date(createdAt(table, index)).toISOString()
    return { id: this.id(table, index), external_id: externalId, created_at: at, updated_at: at, version: 1 }
  }

  /** A point in time, so many days from today; fractions are hours. */
  at(days: number): string {
    return new Date(this.today + Math.round(days * 24 * 60) * 60 * SECOND).toISOString()
  }

  /** Sometime in working hours, so many days ago: when somebody did something. */
  atWork(daysAgo: number): string {
    return this.at(-daysAgo + (7 * 60 + ((daysAgo * 97) % 540)) / (24 * 60))
  }

  /** From when on it is known how everything was: all of it had been entered by then. */
  historySince(): string {
    return new Date(FOUNDED + HISTORY_DAY * DAY).toISOString()
  }

  /** A day, so many days from today. */
  on(days: number): string {
    return this.at(days).slice(0, 10)
  }
}

/** Access points are numbered by their space, so many numbers to each; they are entered along with it. */
export const POINTS_PER_SPACE = 8

const createdAt = (table: DemoTable, index: number): number => {
  const step = table === 'access_points' ? SECOND / POINTS_PER_SPACE : SECOND
  return FOUNDED + tables[table][1] * DAY + index * step
}

const hex = (value: number, length: number): string => value.toString(16).padStart(length, '0')
