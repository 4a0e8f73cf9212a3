import { hash } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'
import { emailKey } from '../../core/email.ts'
import { AppError } from '../../core/errors.ts'
import type { Engine, Session } from '../../db/engine.ts'
import { subnetOf } from './subnet.ts'

/** From this failure on, the next attempt has to wait: a second, then two, four, … up to a minute. There is no lock. */
const FREE = 5
const LONGEST_MS = 60_000
/** Failures are forgotten when the last of them is this old. */
const FORGOTTEN_MS = 3_600_000

interface Row {
  failures: number
  last_at: string
}

const delayAfter = (failures: number): number => (failures < FREE ? 0 : Math.min(1000 * 2 ** (failures - FREE), LONGEST_MS))

/**
 * Counts failed logins per account and per network (/24, /64), in the database, so that it is exact across processes. An
 * attempt is counted before the password is looked at, and taken back when it was right: however many come at once, no more
 * get through than one after the other.
 */
export class LoginAttempts {
  private readonly engine: Engine
  private readonly clock: Clock
  private readonly purpose: string

  /** What is tried is counted by itself: `purpose`. */
  constructor(engine: Engine, clock: Clock, purpose = '') {
    this.engine = engine
    this.clock = clock
    this.purpose = purpose
  }

  /** Counts an attempt; throws RATE_LIMITED, and counts nothing, while the account or the network has to wait. */
  async begin(email: string, address: string): Promise<void> {
    const now = this.clock.now()
    const wait = await this.engine.transaction(async (session) => {
      const found = new Map<string, number>()
      let wait = 0
      for (const key of this.keysOf(email, address)) {
        const failures = await this.lock(session, key, now)
        found.set(key, failures.count)
        wait = Math.max(wait, failures.wait)
      }
      if (wait > 0) return wait
      for (const [key, failures] of found)
        await session.run('update login_attempts set failures = $1, last_at = $2 where key = $3', [failures + 1, now, key])
      return 0
    })
    if (wait > 0) throw tooMany(Math.ceil(wait / 1000))
  }

  /** It was right, or not yet wrong: the attempt does not count. */
  async takeBack(email: string, address: string): Promise<void> {
    await this.engine.transaction(async (session) => {
      for (const key of this.keysOf(email, address))
        await session.run('update login_attempts set failures = failures - 1 where key = $1 and failures > 0', [key])
    })
  }

  /** A login: what failed before on this account is forgotten; of the network only this attempt, or a guesser could wipe its own slate. */
  async succeed(email: string, address: string): Promise<void> {
    await this.takeBack(email, address)
    await this.engine.transaction((session) => session.run('delete from login_attempts where key = $1', [this.accountKey(email)]))
  }

  private async lock(session: Session, key: string, now: string): Promise<{ count: number; wait: number }> {
    await session.run('insert into login_attempts (key, failures, last_at) values ($1, 0, $2) on conflict (key) do nothing', [key, now])
    const lock = this.engine.dialect.name === 'postgres' ? ' for update' : ''
    const [row] = await session.all<Row>(`select failures, last_at from login_attempts where key = $1${lock}`, [key])
    const { failures, last_at } = row as Row
    const age = Date.parse(now) - Date.parse(last_at)
    if (age >= FORGOTTEN_MS) return { count: 0, wait: 0 }
    // A clock that was set back must not make anybody wait longer than the longest delay.
    return { count: failures, wait: Math.max(0, delayAfter(failures) - Math.max(0, age)) }
  }

  private accountKey(email: string): string {
    return hash('sha256', `${this.purpose}account:${emailKey(email)}`)
  }

  /** In one order everywhere: two attempts never wait for each other. */
  private keysOf(email: string, address: string): string[] {
    return [this.accountKey(email), hash('sha256', `${this.purpose}network:${subnetOf(address)}`)].sort()
  }
}

const tooMany = (seconds: number) =>
  new AppError('RATE_LIMITED', `Too many failed logins; try again in ${seconds} s`, {
    reason: 'failed_logins',
    headers: { 'retry-after': String(seconds) },
  })
