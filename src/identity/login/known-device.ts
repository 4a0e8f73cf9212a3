import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { emailKey } from '../../core/people/email.ts'
import { openHandedOut, sealToHandOut } from '../../db/sealing.ts'
import { signalOf } from '../../http/signal.ts'
import { deviceCookie } from '../sessions/cookie.ts'
import type { Origin } from './attempts.ts'

const DAY_SECONDS = 86_400
/** Renewed with each login. */
const LIFE_SECONDS = 180 * DAY_SECONDS

/** Of this account alone: with another one's address it opens as little as one that was made up. */
const contextOf = (email: string): string => `device of ${emailKey(email)}`

/** Which device it is that somebody has logged in to this account on before, by its cookie; undefined: none that we know. */
function deviceOf(request: FastifyRequest, email: string): string | undefined {
  const cookie = deviceCookie.read(request)
  const { engine, clock } = request.server.house
  const [id, madeAt] = (cookie === undefined ? undefined : openHandedOut(engine, cookie, contextOf(email)))?.split(' ') ?? []
  const age = Date.parse(clock.now()) / 1000 - Number(madeAt)
  return age < LIFE_SECONDS ? id : undefined
}

/** Where an attempt to log in to this account comes from. */
export const originOf = (request: FastifyRequest, email: string): Origin => ({
  address: request.ip,
  device: deviceOf(request, email),
  signal: signalOf(request),
})

/** From now on this device has a counter of its own for this account. */
export function rememberDevice(reply: FastifyReply, email: string, { device }: Origin): void {
  const { engine, clock } = reply.server.house
  const id = device ?? randomBytes(16).toString('base64url')
  const sealed = sealToHandOut(engine, `${id} ${Math.floor(Date.parse(clock.now()) / 1000)}`, contextOf(email))
  if (sealed !== undefined) deviceCookie.write(reply, sealed, LIFE_SECONDS)
}
