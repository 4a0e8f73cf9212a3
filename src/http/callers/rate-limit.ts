import type { FastifyReply } from 'fastify'
import { AppError } from '../../core/errors.ts'
import type { Caller } from '../../core/rights.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Engine } from '../../db/engine.ts'

/**
 * Requests per credential and minute, counted in the database: exact however many processes serve. Off unless
 * configured.
 */
export class RateLimit {
  private readonly engine: Engine
  private readonly clock: Clock
  private readonly perMinute: number

  constructor(engine: Engine, clock: Clock, perMinute: number) {
    this.engine = engine
    this.clock = clock
    this.perMinute = perMinute
  }

  get isOff(): boolean {
    return this.perMinute === 0
  }

  /** Counts one request; throws RATE_LIMITED beyond the limit. */
  async take(caller: Caller, reply: FastifyReply): Promise<void> {
    const now = this.clock.now()
    const used = await this.count(caller, `${now.slice(0, 16)}:00.000Z`)
    const seconds = 60 - Number(now.slice(17, 19))
    const remaining = Math.max(0, this.perMinute - used)
    const headers = {
      'ratelimit-policy': `"requests";q=${this.perMinute};w=60`,
      ratelimit: `"requests";r=${remaining};t=${seconds}`,
    }
    reply.headers(headers)
    if (used <= this.perMinute) return
    throw new AppError(
      'RATE_LIMITED',
      `More than ${this.perMinute} requests in this minute; try again in ${seconds} s`,
      {
        reason: 'requests',
        headers: { 'retry-after': String(seconds) },
      },
    )
  }

  private async count(caller: Caller, minute: string): Promise<number> {
    const [row] = await this.engine.transaction((session) =>
      session.all<{ used: number }>(
        `insert into rate_counters (org, credential_id, minute, used) values ($1, $2, $3, 1)
         on conflict (org, credential_id) do update
         set used = case when rate_counters.minute = excluded.minute then rate_counters.used + 1 else 1 end,
         minute = excluded.minute
         returning used`,
        [caller.org, caller.tokenId ?? caller.id, minute],
      ),
    )
    return row?.used ?? 1
  }
}
