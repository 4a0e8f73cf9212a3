import { hash } from 'node:crypto'
import { emailKey } from '../../core/people/email.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Engine, Session } from '../../db/engine.ts'
import { type AttemptMemory, attemptMemory } from './attempt-memory.ts'
import { type Failures, failuresAt, tooManyFailures, waitAfter } from './delays.ts'
import { subnetOf } from './subnet.ts'
import { turnsFor } from './turns.ts'

/** Where an attempt comes from. */
export interface Origin {
  address: string
  /** A device that has logged in to this account before: see known-device.ts. */
  device?: string | undefined
  signal?: AbortSignal | undefined
}

/**
 * What came of an attempt: it counts, it wipes the slate, or it was neither right nor wrong. `shared`: it was right for
 * one of several whom organizations know by this address, which says nothing of who tries the others.
 */
export type Verdict = 'wrong' | 'right' | 'shared' | 'neither'

interface Keys {
  /** What is counted, in one order everywhere: two attempts never wait for each other. */
  counted: readonly string[]
  account: string | undefined
  network: string
  /** This account in this network. Where it is known it is counted by itself, and waits for nobody else's failures. */
  pair: string
}

interface Begun extends Keys {
  /**
   * How long others have to wait for this account or in this network: who is known there does not, and is not told
   * either.
   */
  hiddenWait: number
}

/** So many of a network are told from strangers while it has to wait: those who came last. */
const MAX_KNOWN = 5000
/** A network that was logged in from stays known this long. */
export const KNOWN_NETWORK_MS = 90 * 86_400_000

class Refused extends Error {
  readonly waitMs: number

  constructor(waitMs: number) {
    super('too many failed logins')
    this.waitMs = waitMs
  }
}

/**
 * Counts failed logins per account and per network (/24, /64), in the database, so that it is exact across processes.
 * An attempt is counted before the password is looked at, and taken back when it was right: however many come at once,
 * no more get through than one after the other. Who has to wait is refused in memory. Others' guesses make nobody wait
 * on a device that is known, nor in a network that is, which have counters of their own: in the network only guesses at
 * this account count.
 */
export class LoginAttempts {
  private readonly engine: Engine
  private readonly clock: Clock
  private readonly purpose: string
  private readonly memory: AttemptMemory

  /** What is tried is counted by itself: `purpose`. */
  constructor(engine: Engine, clock: Clock, purpose = '') {
    this.engine = engine
    this.clock = clock
    this.purpose = purpose
    this.memory = attemptMemory(engine)
  }

  /**
   * Does `work` in turn, as an attempt; throws RATE_LIMITED, and counts nothing, while the account or the network has
   * to wait.
   */
  async attempt<T>(email: string, origin: Origin, work: () => Promise<T>, judge: (result: T) => Verdict): Promise<T> {
    const keys = this.keysOf(email, origin)
    this.refuseInMemory(keys)
    this.memory.begin(keys.counted, this.clock.now())
    let isUnderWay = true
    const arrived = () => {
      if (isUnderWay) this.memory.end(keys.counted)
      isUnderWay = false
    }
    try {
      return await turnsFor(this.engine, origin.device !== undefined).run(async () => {
        const begun = await this.begin(keys)
        arrived()
        return this.judged(begun, work, judge)
      }, origin.signal)
    } catch (error) {
      throw error instanceof Refused ? tooManyFailures(error.waitMs) : error
    } finally {
      arrived()
    }
  }

  private async judged<T>(begun: Begun, work: () => Promise<T>, judge: (result: T) => Verdict): Promise<T> {
    let verdict: Verdict = 'neither'
    try {
      const result = await work()
      verdict = judge(result)
      if (verdict === 'wrong' && begun.hiddenWait > 0) throw new Refused(begun.hiddenWait)
      return result
    } finally {
      if (verdict === 'right' || verdict === 'shared') await this.succeed(begun, verdict)
      else if (verdict === 'neither') await this.inTransaction((session, now) => this.takeBack(session, begun, now))
    }
  }

  /** Whoever floods does not get further: who is known in a network was looked up when it began to wait. */
  private refuseInMemory({ counted, account, network, pair }: Keys): void {
    const now = this.clock.now()
    const standing = this.memory.standingOf(network, pair, now)
    const own = standing === 'known' ? this.memory.waitOf(pair, now) : 0
    for (const key of counted) {
      const wait = this.memory.waitOf(key, now)
      if (wait === 0) continue
      const holds = account === undefined || standing === 'strange' || (standing === 'unsure' && key === network)
      if (holds || own > 0) throw tooManyFailures(Math.max(wait, own))
    }
  }

  /** Counts it, unless it has to wait: then nothing is kept of it. */
  private async begin(keys: Keys): Promise<Begun> {
    const found = new Map<string, Failures>()
    return this.inTransaction(async (session, now) => {
      const waitOf = async (key: string): Promise<number> => {
        const known = await this.lock(session, key, now)
        found.set(key, known)
        const wait = waitAfter(known, now)
        if (wait > 0) this.memory.learn(key, known)
        return wait
      }
      let hiddenWait = 0
      for (const key of keys.counted) hiddenWait = Math.max(hiddenWait, await waitOf(key))
      if (hiddenWait > 0) {
        if (keys.account === undefined || !(await this.isKnown(session, keys, now))) throw new Refused(hiddenWait)
        const own = await waitOf(keys.pair)
        if (own > 0) throw new Refused(Math.max(hiddenWait, own))
      }
      let waits = false
      for (const [key, known] of found) {
        const counted = { failures: failuresAt(known, now) + 1, last_at: now }
        await session.run('update login_attempts set failures = $1, last_at = $2 where key = $3', [
          counted.failures,
          now,
          key,
        ])
        this.memory.learn(key, counted)
        waits ||= waitAfter(counted, now) > 0
      }
      // From now on others are refused in memory, and whoever is known is not.
      if (waits && keys.account !== undefined) await this.isKnown(session, keys, now)
      return { ...keys, counted: [...found.keys()], hiddenWait }
    })
  }

  /** Whoever else is known there is looked up with it. */
  private async isKnown(session: Session, { network, pair }: Keys, now: string): Promise<boolean> {
    const since = new Date(Date.parse(now) - KNOWN_NETWORK_MS).toISOString()
    const rows = await session.all<{ key: string }>(
      'select key from login_networks where (network = $1 or key = $2) and seen_at > $3 order by seen_at desc limit $4',
      [network, pair, since, MAX_KNOWN],
    )
    const known = new Set(rows.map(({ key }) => key))
    this.memory.noteWhoIsKnown(network, known, now)
    return known.has(pair)
  }

  /**
   * A login: what failed before on this account is forgotten, unless somebody else has to wait for it just now; of the
   * network only this attempt, or a guesser could wipe its own slate.
   */
  private async succeed(begun: Begun, verdict: 'right' | 'shared'): Promise<void> {
    const { account, counted, network, pair, hiddenWait } = begun
    const isShared = verdict === 'shared' && account !== undefined
    await this.inTransaction(async (session, now) => {
      await this.takeBack(session, begun, now)
      if (isShared) return
      const wiped = hiddenWait > 0 ? undefined : (account ?? counted[0])
      if (wiped !== undefined) {
        await session.run('delete from login_attempts where key = $1', [wiped])
        this.memory.learn(wiped, { failures: 0, last_at: now })
      }
      await session.run(
        `insert into login_networks (key, network, seen_at) values ($1, $2, $3)
          on conflict (key) do update set network = excluded.network, seen_at = excluded.seen_at`,
        [pair, network, now],
      )
    })
    if (!isShared) this.memory.noteKnown(network, pair)
  }

  /** It was right, or not yet wrong: the attempt does not count. */
  private async takeBack(session: Session, { counted }: Keys, now: string): Promise<void> {
    for (const key of counted) {
      const [row] = await session.all<Failures>(
        'update login_attempts set failures = failures - 1 where key = $1 and failures > 0 returning failures, last_at',
        [key],
      )
      this.memory.learn(key, row ?? { failures: 0, last_at: now })
    }
  }

  private async lock(session: Session, key: string, now: string): Promise<Failures> {
    await session.run(
      'insert into login_attempts (key, failures, last_at) values ($1, 0, $2) on conflict (key) do nothing',
      [key, now],
    )
    const lock = this.engine.dialect.name === 'postgres' ? ' for update' : ''
    const [row] = await session.all<Failures>(`select failures, last_at from login_attempts where key = $1${lock}`, [
      key,
    ])
    return row ?? { failures: 0, last_at: now }
  }

  private inTransaction<T>(work: (session: Session, now: string) => Promise<T>): Promise<T> {
    const now = this.clock.now()
    return this.engine.transaction((session) => work(session, now))
  }

  private keysOf(email: string, { address, device }: Origin): Keys {
    const [who, where] = [emailKey(email), subnetOf(address)]
    const keyOf = (text: string) => hash('sha256', `${this.purpose}${text}`)
    const pair = keyOf(`known:${who} ${where}`)
    const network = keyOf(`network:${where}`)
    if (device !== undefined) return { counted: [keyOf(`device:${device}`)], account: undefined, network, pair }
    const account = keyOf(`account:${who}`)
    return { counted: [account, network].sort(), account, network, pair }
  }
}
