import { randomUUIDv7 } from 'node:crypto'
import { AppError } from '../core/errors.ts'
import { newTokenValue, TOKEN_PREFIX, tokenHash } from '../core/token.ts'
import type { Actor } from '../db/audit.ts'
import { change } from '../db/change.ts'
import type { Engine } from '../db/engine.ts'
import { sql } from '../db/sql.ts'
import { findOrganization } from './organizations.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** A bare date means the end of that day, UTC. */
export function readExpiry(text: string): string | undefined {
  const instant = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T23:59:59.999Z` : text)
  return Number.isNaN(instant.getTime()) ? undefined : instant.toISOString()
}

export function checkExpiry(expiresAt: string, now: string, maxDays: number): void {
  const ahead = Date.parse(expiresAt) - Date.parse(now)
  if (ahead >= HOUR && ahead <= maxDays * DAY) return
  const message = `expires_at must be at least 1 hour and at most ${maxDays} days ahead`
  throw new AppError('VALIDATION_ERROR', message, { reason: 'body.range', details: [{ path: 'expires_at', rule: 'body.range', message }] })
}

export interface NewToken {
  organization: string
  role: string
  name?: string
  expires?: string
  place?: { location_id?: string; building_id?: string }
}

/** The columns of a new token; the value itself is stored nowhere. */
export function tokenColumns(value: string) {
  return { hash: tokenHash(value), prefix: TOKEN_PREFIX, last_four: value.slice(-4) }
}

/** The command line's way: a service user with one role, and a token for it. */
export async function createToken(
  engine: Engine,
  now: string,
  actor: Actor,
  wanted: NewToken,
): Promise<{ value: string; expiresAt: string }> {
  const organization = await findOrganization(engine, wanted.organization)
  if (!organization)
    throw new AppError(
      'NOT_FOUND',
      `There is no organization "${wanted.organization}"; make it with: organization create "${wanted.organization}"`,
    )
  const expiresAt = wanted.expires === undefined ? new Date(Date.parse(now) + 90 * DAY).toISOString() : readExpiry(wanted.expires)
  if (expiresAt === undefined) throw new AppError('VALIDATION_ERROR', `"${wanted.expires}" is not a date; write it as 2027-03-31`)
  const value = newTokenValue()
  await change(engine, organization.key, now, actor, async (tx) => {
    const limits = await tx.one<{ max_token_days: number }>(sql`select max_token_days from organizations where key = :org`)
    checkExpiry(expiresAt, now, limits?.max_token_days ?? 366)
    const role = await tx.one<{ id: string }>(sql`select t.id from roles t where t.org = :org and t.name = ${wanted.role}`)
    if (!role) {
      const roles = await tx.all<{ name: string }>(sql`select t.name from roles t where t.org = :org order by t.created_at, t.id`)
      throw new AppError('NOT_FOUND', `There is no role "${wanted.role}"; there are ${roles.map((row) => row.name).join(', ')}`)
    }
    const base = { created_at: now, updated_at: now, version: 1 }
    const name = wanted.name ?? `${wanted.role} (command line)`
    const user = { id: randomUUIDv7(), ...base, name, status: 'active', search_text: name.toLowerCase() }
    await tx.insert('service_users', user)
    tx.record({
      action: 'service_user.created',
      resource: 'service-users',
      resourceId: user.id,
      before: null,
      after: { id: user.id, name },
    })
    const assignment = { id: randomUUIDv7(), ...base, role_id: role.id, service_user_id: user.id, ...wanted.place }
    await tx.insert('role_assignments', assignment)
    tx.record({
      action: 'role_assignment.created',
      resource: 'role-assignments',
      resourceId: assignment.id,
      before: null,
      after: assignment,
    })
    const token = { id: randomUUIDv7(), ...base, service_user_id: user.id, name, expires_at: expiresAt, ...tokenColumns(value) }
    await tx.insert('tokens', token)
    const { hash: _, ...visible } = token
    tx.record({ action: 'token.created', resource: 'tokens', resourceId: token.id, before: null, after: visible })
  })
  return { value, expiresAt }
}
