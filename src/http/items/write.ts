import type { FastifyReply, FastifyRequest } from 'fastify'
import type { StoredAnswer } from '../../db/along/kept-answers.ts'
import type { Tx } from '../../db/change.ts'
import { NotUnique } from '../../db/not-unique.ts'
import type { AnyRow } from '../../db/resource.ts'
import { etagOf } from '../answers/etag.ts'
import { changeAs } from '../change-as.ts'
import { reading } from '../context.ts'
import { dryRun } from './dry-run.ts'
import { Repeatable, stillRunning } from './idempotency.ts'
import type { Written } from './written.ts'

const running = new Set<string>()

type Said<D extends object> = Pick<Written<D>, 'msg' | 'data'>
type After<D extends object> = (made: Said<D>) => Promise<Said<AnyRow>>

interface WriteOptions<D extends object> {
  /** Done once it is committed; what is said and the data as they are then. */
  after?: After<D> | undefined
  isBrief?: boolean
}

/** Runs a change in one transaction, audit and idempotency included, and answers with its result. */
export async function write<D extends AnyRow>(
  request: FastifyRequest,
  reply: FastifyReply,
  work: (tx: Tx) => Promise<Written<D>>,
  { after, isBrief }: WriteOptions<D> = {},
): Promise<FastifyReply> {
  try {
    if (request.isDryRun) return await dryRun(request, reply, work)
    const repeatable = Repeatable.of(request)
    const { answer, secret } = await alone(request, repeatable, () => keep(request, repeatable, work, isBrief))
    return sendAnswer(reply, after ? await followed(request, answer, after) : answer, secret)
  } catch (error) {
    // Looked up here: the transaction that met it is over, and on PostgreSQL could not have been asked any more.
    throw error instanceof NotUnique ? await error.explained(reading(request)) : error
  }
}

/** It is done, whatever comes of what follows: nobody is told that it is not. */
async function followed<D extends AnyRow>(
  { log }: FastifyRequest,
  answer: StoredAnswer,
  after: After<D>,
): Promise<StoredAnswer> {
  const made: Said<D> = JSON.parse(answer.body)
  try {
    const { msg, data } = await after(made)
    return { ...answer, etag: etagOf(data) ?? null, body: JSON.stringify({ msg, data }) }
  } catch (err) {
    log.warn({ err }, 'what follows a change failed; it is answered as it was made')
    return answer
  }
}

/** Refuses the same request, by its key, while it is under way. */
export async function alone<T>(
  { caller }: FastifyRequest,
  repeatable: Repeatable | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const slot = repeatable && `${caller.org}:${repeatable.lock}`
  if (slot !== undefined && running.has(slot)) throw stillRunning()
  if (slot !== undefined) running.add(slot)
  try {
    return await work()
  } finally {
    if (slot !== undefined) running.delete(slot)
  }
}

/** One transaction; what was done under this key before is not done again. */
export async function keep(
  request: FastifyRequest,
  repeatable: Repeatable | undefined,
  work: (tx: Tx) => Promise<Written>,
  isBrief = false,
): Promise<{ answer: StoredAnswer; secret: Written['secret'] }> {
  let secret: Written['secret']
  const perform = async (tx: Tx): Promise<StoredAnswer> => {
    const before = await repeatable?.findAnswer(tx)
    if (before) return before
    const written = await work(tx)
    secret = written.secret
    const made: StoredAnswer = {
      status: written.status ?? 200,
      location: written.location ?? null,
      etag: etagOf(written.data) ?? null,
      body: JSON.stringify({ msg: written.msg, data: written.data }),
    }
    await repeatable?.remember(tx, made)
    return made
  }
  const only = repeatable && { key: repeatable.lock, busy: stillRunning }
  return { answer: await changeAs(request, perform, { only, isBrief }), secret }
}

export function sendAnswer(reply: FastifyReply, answer: StoredAnswer, secret?: Record<string, unknown>): FastifyReply {
  reply
    .code(answer.status)
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
  if (answer.location) reply.header('location', answer.location)
  if (answer.etag) reply.header('etag', answer.etag)
  if (!secret) return reply.send(answer.body)
  const body: { data: object } = JSON.parse(answer.body)
  return reply.send(JSON.stringify({ ...body, data: { ...body.data, ...secret } }))
}
