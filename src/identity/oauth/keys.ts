import { createPublicKey, generateKeyPairSync, hash, type KeyObject } from 'node:crypto'
import type { Clock } from '../../core/time/clock.ts'
import type { Engine, Session } from '../../db/engine.ts'
import { sealForAll, unsealForAll } from '../../db/sealing.ts'

const DAY = 24 * 3_600_000
/** The key that signs is replaced at this age. */
const ROTATE_AFTER_MS = 90 * DAY
/** Everything a key has signed is over by then: access tokens live minutes, ID tokens an hour. */
export const KEEP_PREVIOUS_MS = DAY
/** What another process has rotated is noticed within this time. */
const FRESH_MS = 1000

/** P-256, private. */
interface EcJwk extends Record<string, string> {
  kty: 'EC'
  crv: 'P-256'
  x: string
  y: string
  d: string
}

export interface SigningKey {
  readonly kid: string
  readonly status: 'next' | 'current' | 'previous'
  readonly privateJwk: EcJwk
  readonly publicKey: KeyObject
}

export interface KeySet {
  /** Moves when the keys do. */
  readonly generation: string
  /** The one that signs first. */
  readonly keys: readonly SigningKey[]
  find(kid: string): SigningKey | undefined
}

interface KeyRow {
  kid: string
  private_jwk: string
  status: SigningKey['status']
  changed_at: string
}

/**
 * The ES256 keys in the database, shared by all processes. One signs; the next is published long before it does, the
 * previous ones until nothing they signed is good any more: whoever keeps our JWKS for a while never misses a key.
 */
export class SigningKeys {
  private readonly engine: Engine
  private readonly clock: Clock
  private loaded: { set: KeySet; at: number } | undefined
  private loading: Promise<KeySet> | undefined

  constructor(engine: Engine, clock: Clock) {
    this.engine = engine
    this.clock = clock
  }

  /** Those read within the last second; undefined: ask `load`. */
  peek(): KeySet | undefined {
    return this.loaded && performance.now() - this.loaded.at < FRESH_MS ? this.loaded.set : undefined
  }

  async load(): Promise<KeySet> {
    const known = this.peek()
    if (known) return known
    this.loading ??= this.read().finally(() => {
      this.loading = undefined
    })
    return this.loading
  }

  private async read(): Promise<KeySet> {
    const at = performance.now()
    const now = this.clock.now()
    let rows = await readRows(this.engine.reader)
    const current = rows.find(({ status }) => status === 'current')
    if (!current || Date.parse(now) - Date.parse(current.changed_at) >= ROTATE_AFTER_MS) {
      await rotateKeys(this.engine, now, current?.kid)
      rows = await readRows(this.engine.reader)
    }
    const generation = rows.map(({ kid, status }) => `${kid} ${status}`).join()
    const set = this.loaded?.set.generation === generation ? this.loaded.set : keySetOf(this.engine, generation, rows)
    this.loaded = { set, at }
    return set
  }
}

const rank = { current: 0, next: 1, previous: 2 }

const readRows = async (session: Session): Promise<KeyRow[]> =>
  (
    await session.all<KeyRow>(
      'select kid, private_jwk, status, changed_at from oauth_keys order by changed_at, kid',
      [],
    )
  ).sort((a, b) => rank[a.status] - rank[b.status])

const contextOf = (kid: string): string => `oauth key ${kid}`

function keySetOf(engine: Engine, generation: string, rows: readonly KeyRow[]): KeySet {
  const keys = rows.map(({ kid, private_jwk, status }): SigningKey => {
    const privateJwk: EcJwk = JSON.parse(unsealForAll(engine, private_jwk, contextOf(kid)))
    const { d: _, ...publicJwk } = privateJwk
    return { kid, status, privateJwk, publicKey: createPublicKey({ key: publicJwk, format: 'jwk' }) }
  })
  const byKid = new Map(keys.map((key) => [key.kid, key]))
  return { generation, keys, find: (kid) => byKid.get(kid) }
}

/**
 * The next key signs from now on, the one that did is kept for checking. `expected`: only if that one still signs, so
 * that of processes that find it too old together one rotates. `forget`: what was signed before, and what the next key
 * might, is refused.
 */
export async function rotateKeys(
  engine: Engine,
  now: string,
  expected: string | undefined,
  forget = false,
): Promise<string | undefined> {
  return engine.transaction(async (session) => {
    if (expected !== undefined) {
      const retired = await session.run(
        `update oauth_keys set status = 'previous', changed_at = $1 where kid = $2 and status = 'current'`,
        [now, expected],
      )
      if (retired !== 1) return undefined
    }
    if (forget) await session.run(`delete from oauth_keys where status = 'next'`, [])
    await insertKey(engine, session, now)
    await session.run(
      `update oauth_keys set status = 'current', changed_at = $1
       where status = 'next' and not exists (select 1 from oauth_keys where status = 'current')`,
      [now],
    )
    await insertKey(engine, session, now)
    if (forget) await session.run(`delete from oauth_keys where status = 'previous'`, [])
    const [current] = await session.all<{ kid: string }>(`select kid from oauth_keys where status = 'current'`, [])
    return current?.kid
  })
}

/** A next one, unless there is one: two that start at once make one between them. */
async function insertKey(engine: Engine, session: Session, now: string): Promise<void> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { crv, kty, x, y, d } = privateKey.export({ format: 'jwk' })
  const kid = hash('sha256', JSON.stringify({ crv, kty, x, y }), 'base64url')
  const sealed = await sealForAll(engine, session, JSON.stringify({ kty, crv, x, y, d }), contextOf(kid))
  await session.run(
    `insert into oauth_keys (kid, private_jwk, status, created_at, changed_at) values ($1, $2, 'next', $3, $3)
     on conflict (status) where status <> 'previous' do nothing`,
    [kid, sealed, now],
  )
}

export async function currentKid(session: Session): Promise<string | undefined> {
  const [row] = await session.all<{ kid: string }>(`select kid from oauth_keys where status = 'current'`, [])
  return row?.kid
}
