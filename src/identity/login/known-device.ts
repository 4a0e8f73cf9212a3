import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { emailKey } from '../../core/people/email.ts'
import { openHandedOut, sealToHandOut } from '../../db/sealing.ts'
import { signalOf } from '../../http/signal.ts'
import { deviceCookie } from '../sessions/cookie.ts'
import type { Origin } from './attempts.ts'
import { deviceMarkFor, type LoggedIn, type Meant } from './queries.ts'

const DAY_SECONDS = 86_400
/** Renewed with each login. */
const LIFE_SECONDS = 180 * DAY_SECONDS

/** Of this account alone: with another one's address it opens as little as one that was made up. */
const contextOf = (email: string): string => `device of ${emailKey(email)}`

/**
 * Which device it is that somebody has logged in to this account on before, by its cookie; undefined: none that we
 * know.
 */
async function deviceOf(request: FastifyRequest, meant: Meant): Promise<string | undefined> {
  const cookie = deviceCookie.read(request)
  const { engine, clock } = request.server.house
  const [id, madeAt, mark] =
    (cookie === undefined ? undefined : openHandedOut(engine, cookie, contextOf(meant.email)))?.split(' ') ?? []
  const age = Date.parse(clock.now()) / 1000 - Number(madeAt)
  return age < LIFE_SECONDS && mark !== undefined && mark === (await deviceMarkFor(engine, meant)) ? id : undefined
}

/** Where an attempt to log in to this account comes from. */
export const originOf = async (request: FastifyRequest, meant: Meant): Promise<Origin> => ({
  address: request.ip,
  device: await deviceOf(request, meant),
  signal: signalOf(request),
})

/** From now on this device has a counter of its own for whoever has logged in. */
export function rememberDevice(reply: FastifyReply, { user, device: mark }: LoggedIn, { device }: Origin): void {
  const { engine, clock } = reply.server.house
  const id = device ?? randomBytes(16).toString('base64url')
  const sealed = sealToHandOut(
    engine,
    `${id} ${Math.floor(Date.parse(clock.now()) / 1000)} ${mark}`,
    contextOf(user.email),
  )
  if (sealed !== undefined) deviceCookie.write(reply, sealed, LIFE_SECONDS)
}
