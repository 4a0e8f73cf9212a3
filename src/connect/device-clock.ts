import { noteClock } from '../live/system-states.ts'
import type { DeviceEvent } from './connector.ts'
import type { Link } from './link.ts'

/** A clock that is off by more than this is told, and set. */
export const CLOCK_SLACK_MS = 5000

/** How far its clock is ahead of ours: asked of it, and put on the record wherever that is shown. */
export async function askClock(link: Link): Promise<number> {
  const { clock_offset_ms } = await link.connector.health()
  await link.note({ clock_offset_ms }, (tx) => noteClock(tx, link.system, clock_offset_ms))
  return clock_offset_ms
}

/**
 * Sets events right that a clock which is behind has told of. It is asked once at most, and only where something looks
 * old: mostly nothing does.
 */
export class ClockBehind {
  private readonly link: Link
  private offset: Promise<number> | undefined

  constructor(link: Link) {
    this.link = link
  }

  /** By our clock, when each happened; null: as it says. */
  async momentsOf(events: readonly DeviceEvent[]): Promise<Array<string | null>> {
    const now = Date.parse(this.link.now)
    const told = events.map(({ occurred_at }) => Date.parse(occurred_at))
    if (told.every((at) => now - at <= CLOCK_SLACK_MS)) return told.map(() => null)
    this.offset ??= askClock(this.link)
    const offset = await this.offset
    return told.map((at) => (offset < -CLOCK_SLACK_MS ? rightMoment(at - offset, now) : null))
  }
}

/**
 * What would lie ahead of us was told by the right clock, before that was set back. The answer takes a moment: hence
 * the slack.
 */
const rightMoment = (at: number, now: number): string | null =>
  at - now > CLOCK_SLACK_MS ? null : new Date(at).toISOString()
