import { secretHash } from '../../../core/secrets/secret.ts'
import type { Engine } from '../../../db/engine.ts'

/** What the provider stores of a code, a token, an interaction … */
export type Payload = Record<string, unknown> & {
  exp?: number
  grantId?: string
  uid?: string
  consumed?: unknown
  jti?: string
}

const MAX_LIFE_SECONDS = 3600

/**
 * Records of one kind. The value that somebody carries (a code, a refresh token, a cookie) is neither the key nor in
 * the payload: of it only a digest is stored.
 */
export class Records {
  private readonly engine: Engine
  private readonly kind: string

  constructor(engine: Engine, kind: string) {
    this.engine = engine
    this.kind = kind
  }

  async upsert(id: string, { jti: _, ...payload }: Payload, expiresIn = MAX_LIFE_SECONDS): Promise<void> {
    const expiresAt = new Date(
      payload.exp === undefined ? Date.now() + expiresIn * 1000 : payload.exp * 1000,
    ).toISOString()
    await this.engine.transaction((session) =>
      session.run(
        `insert into oauth_records (kind, hash, payload, grant_id, uid, expires_at) values ($1, $2, $3, $4, $5, $6)
         on conflict (kind, hash) do update
         set payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid,
         expires_at = excluded.expires_at`,
        [this.kind, secretHash(id), JSON.stringify(payload), payload.grantId ?? null, payload.uid ?? null, expiresAt],
      ),
    )
  }

  async find(id: string): Promise<Payload | undefined> {
    const [row] = await this.engine.reader.all<{ payload: string; consumed_at: string | null }>(
      'select payload, consumed_at from oauth_records where kind = $1 and hash = $2',
      [this.kind, secretHash(id)],
    )
    if (!row) return undefined
    const consumed = row.consumed_at === null ? {} : { consumed: Math.floor(Date.parse(row.consumed_at) / 1000) }
    return { ...JSON.parse(row.payload), ...consumed, jti: id }
  }

  /** True for one of any number that try: the condition and the change are one statement. */
  async consume(id: string, now: string): Promise<boolean> {
    const changed = await this.engine.transaction((session) =>
      session.run('update oauth_records set consumed_at = $1 where kind = $2 and hash = $3 and consumed_at is null', [
        now,
        this.kind,
        secretHash(id),
      ]),
    )
    return changed === 1
  }

  async destroy(id: string): Promise<void> {
    await this.engine.transaction((session) =>
      session.run('delete from oauth_records where kind = $1 and hash = $2', [this.kind, secretHash(id)]),
    )
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.engine.transaction((session) =>
      session.run('delete from oauth_records where kind = $1 and grant_id = $2', [this.kind, grantId]),
    )
  }
}
