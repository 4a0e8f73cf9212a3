import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError, invalid } from '../core/errors.ts'
import { change, type Tx } from '../db/change.ts'
import { sql } from '../db/sql.ts'
import { actorOf } from './context.ts'
import { etagOf } from './etag.ts'
import { signalOf } from './signal.ts'

/** What a change answers with. */
export interface Written {
  msg: string
  data: Record<string, unknown>
  /** 200 unless something was made. */
  status?: 200 | 201
  location?: string
  /** Shown in this answer only; a replay of the same request leaves it out. */
  secret?: Record<string, unknown>
}

interface StoredAnswer {
  status: number
  location: string | null
  etag: string | null
  body: string
}

const running = new Set<string>()

/** Runs a change in one transaction, audit and idempotency included, and answers with its result. */
export async function write(request: FastifyRequest, reply: FastifyReply, work: (tx: Tx) => Promise<Written>): Promise<FastifyReply> {
  const { engine, clock } = request.server.house
  const { org, id: principal } = request.caller
  const key = idempotencyKey(request)
  const slot = key === undefined ? undefined : `${org}:${principal}:${key}`
  if (slot !== undefined && running.has(slot)) throw stillRunning()
  if (slot !== undefined) running.add(slot)
  try {
    let secret: Record<string, unknown> | undefined
    const perform = async (tx: Tx): Promise<StoredAnswer> => {
      const replay = key === undefined ? undefined : await findReplay(tx, request, principal, key)
      if (replay) return replay
      const written = await work(tx)
      secret = written.secret
      const made: StoredAnswer = {
        status: written.status ?? 200,
        location: written.location ?? null,
        etag: etagOf(written.data) ?? null,
        body: JSON.stringify({ msg: written.msg, data: written.data }),
      }
      if (key !== undefined) await remember(tx, request, principal, key, made)
      return made
    }
    const only = key === undefined ? undefined : { key: `idempotency:${principal}:${key}`, busy: stillRunning }
    const answer = await change(engine, org, clock.now(), actorOf(request), perform, { only, signal: signalOf(request) })
    return send(reply, answer, secret)
  } finally {
    if (slot !== undefined) running.delete(slot)
  }
}

function send(reply: FastifyReply, answer: StoredAnswer, secret: Record<string, unknown> | undefined): FastifyReply {
  reply.code(answer.status).header('content-type', 'application/json; charset=utf-8').header('cache-control', 'no-store')
  if (answer.location) reply.header('location', answer.location)
  if (answer.etag) reply.header('etag', answer.etag)
  if (!secret) return reply.send(answer.body)
  const body = JSON.parse(answer.body) as { data: object }
  return reply.send(JSON.stringify({ ...body, data: { ...body.data, ...secret } }))
}

const stillRunning = () =>
  new AppError('IDEMPOTENCY_IN_PROGRESS', 'A request with this Idempotency-Key is still running', { headers: { 'retry-after': '1' } })

function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (request.method !== 'POST' || key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalid('Idempotency-Key', 'header.idempotency_key', 'Idempotency-Key must be 1 to 255 visible ASCII characters')
  }
  return key
}

const fingerprintOf = (request: FastifyRequest): string =>
  hash('sha256', `${request.raw.url}\n${JSON.stringify(request.body ?? null)}`, 'hex')

async function findReplay(tx: Tx, request: FastifyRequest, principal: string, key: string): Promise<StoredAnswer | undefined> {
  const found = await tx.one<StoredAnswer & { fingerprint: string; created_at: string }>(
    sql`select t.status, t.location, t.etag, t.body, t.fingerprint, t.created_at from idempotency_keys t where t.org = :org and t.principal_id = ${principal} and t.key = ${key}`,
  )
  if (!found) return undefined
  if (Date.parse(found.created_at) < Date.parse(tx.now) - 24 * 3_600_000) {
    await tx.aside(sql`delete from idempotency_keys as t where t.org = :org and t.principal_id = ${principal} and t.key = ${key}`)
    return undefined
  }
  if (found.fingerprint !== fingerprintOf(request)) {
    throw new AppError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used with another request; use a new key for a new request')
  }
  return found
}

async function remember(tx: Tx, request: FastifyRequest, principal: string, key: string, made: StoredAnswer): Promise<void> {
  await tx.aside(sql`insert into idempotency_keys (org, principal_id, key, fingerprint, status, location, etag, body, created_at)
    values (:org, ${principal}, ${key}, ${fingerprintOf(request)}, ${made.status}, ${made.location}, ${made.etag}, ${made.body}, ${tx.now})`)
}
