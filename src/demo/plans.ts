import { hash } from 'node:crypto'
import type { Tx } from '../db/change.ts'
import { sql } from '../db/sql.ts'
import type { Bulk } from './bulk.ts'
import { doorsOf } from './doors.ts'
import type { Building, Estate } from './estate.ts'
import { nameOf, type Room, roomOf } from './room.ts'
import type { World } from './world.ts'

/** Which floors are drawn: two of the first building, whose doors live, and the ground floor of the second. */
const drawn = [
  { building: 0, floor: 0 },
  { building: 0, floor: 1 },
  { building: 1, floor: 0 },
] as const

const MARGIN = 40
const ROOM = { width: 130, height: 170 }
const CORRIDOR = 80
const DOOR = 26
const FEWEST = 4

interface Placed {
  id: string
  x: number
  y: number
}

/** A few floors as drawings, with the doors where they are. */
export async function fillPlans(tx: Tx, bulk: Bulk, world: World, estate: Estate): Promise<void> {
  let index = 0
  for (const [nth, { building, floor }] of drawn.entries()) {
    const house = estate.buildings[building]
    const rooms = house ? roomsOn(world, house, floor) : []
    if (!house || rooms.length === 0) continue
    const { svg, width, height, doors } = draw(world, rooms)
    const bytes = Buffer.from(svg)
    const base = world.base('floor_plans', nth)
    const image = {
      image_type: 'image/svg+xml',
      image_size: bytes.length,
      image_hash: hash('sha256', bytes, 'hex'),
      width,
      height,
    }
    await bulk.addAll('floor_plans', [
      { ...base, building_id: world.id('buildings', building), floor, name: null, ...image },
    ])
    await tx.run(sql`insert into floor_plan_images (org, floor_plan_id, bytes) values (:org, ${base.id}, ${bytes})`)
    const positions = doors.map(({ id, x, y }) => ({
      ...world.base('floor_plan_positions', index++),
      floor_plan_id: base.id,
      access_point_id: id,
      x: x / width,
      y: y / height,
    }))
    await bulk.addAll('floor_plan_positions', positions)
  }
}

function roomsOn(world: World, building: Building, floor: number): Room[] {
  const first = (floor - building.lowestFloor) * building.perFloor
  const rooms: Room[] = []
  for (let nth = Math.max(0, first); nth < Math.min(building.count, first + building.perFloor); nth++)
    rooms.push(roomOf(world, building, nth))
  return rooms
}

/** The corridor in the middle, its own doors at its ends, the rooms along both sides. */
function draw(
  world: World,
  [corridor, ...rooms]: Room[],
): { svg: string; width: number; height: number; doors: Placed[] } {
  const columns = Math.max(FEWEST, Math.ceil(rooms.length / 2))
  const width = 2 * MARGIN + columns * ROOM.width
  const height = 2 * MARGIN + 2 * ROOM.height + CORRIDOR
  const top = MARGIN + ROOM.height
  const doors: Placed[] = []
  const parts: string[] = []
  const ends = corridor ? doorsOf(world, corridor) : []
  for (const [nth, { id }] of ends.entries()) {
    const place = { id, x: nth % 2 === 0 ? MARGIN : width - MARGIN, y: top + CORRIDOR / 2 + (nth > 1 ? DOOR : 0) }
    doors.push(place)
    parts.push(opening(place, true))
  }
  for (const [nth, room] of rooms.entries()) {
    const isAbove = nth % 2 === 0
    const left = MARGIN + Math.floor(nth / 2) * ROOM.width
    const y = isAbove ? MARGIN : top + CORRIDOR
    parts.push(
      `<rect x="${left}" y="${y}" width="${ROOM.width}" height="${ROOM.height}" class="room"></rect>`,
      nameIn(room, left, y),
    )
    const own = doorsOf(world, room)
    for (const [at, { id }] of own.entries()) {
      const place = { id, x: left + (ROOM.width * (at + 1)) / (own.length + 1), y: isAbove ? top : top + CORRIDOR }
      doors.push(place)
      parts.push(opening(place, false))
    }
  }
  const floor =
    `<rect x="${MARGIN}" y="${MARGIN}" width="${width - 2 * MARGIN}" height="${height - 2 * MARGIN}" ` +
    'class="wall"></rect>'
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" ` +
    `height="${height}"><style>${STYLE}</style>${floor}${parts.join('')}</svg>`
  return { svg, width, height, doors }
}

const STYLE = [
  '.wall{fill:#f4f5f7;stroke:#3b4252;stroke-width:6}',
  '.room{fill:#fff;stroke:#3b4252;stroke-width:3}',
  '.gap{stroke:#f4f5f7;stroke-width:8}',
  'text{font-family:sans-serif;font-size:14px;fill:#4c566a;text-anchor:middle}',
].join('\n')

/** Where the wall stands open. */
function opening({ x, y }: Placed, isUpright: boolean): string {
  const [dx, dy] = isUpright ? [0, DOOR / 2] : [DOOR / 2, 0]
  return `<line x1="${x - dx}" y1="${y - dy}" x2="${x + dx}" y2="${y + dy}" class="gap"></line>`
}

/** Its words below each other. */
function nameIn(room: Room, left: number, top: number): string {
  const lines = nameOf(room).split(' ')
  const first = top + ROOM.height / 2 - (lines.length - 1) * 9
  return lines
    .map(
      (line, n) => `<text x="${left + ROOM.width / 2}" y="${first + n * 18}">${line.replaceAll('&', '&amp;')}</text>`,
    )
    .join('')
}
