import type { FastifyContextConfig, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** Told of every request that was answered. */
    observers: Array<(answered: Answered) => void>
  }
}

/** A request that was answered, as it is logged and counted. */
export interface Answered {
  readonly id: string
  readonly method: string
  readonly url: string
  /** The pattern of its route, and what that is declared to be; undefined: it has none. */
  readonly route: string | undefined
  readonly login: FastifyContextConfig['login'] | undefined
  readonly status: number
  readonly ms: number
  readonly callerId: string | undefined
  readonly failure: FastifyRequest['failure']
  readonly ip: string
}

/** Of an address that is logged; the rest tells nobody anything. */
const MAX_LOGGED_URL = 2048

/** What is told of a request that was answered, but for how long it took. */
export const answeredBy = (request: FastifyRequest, status: number): Omit<Answered, 'ms'> => ({
  id: request.id,
  method: request.method,
  // As it came: the part that answers OAuth changes it.
  url: loggedUrl(request),
  route: request.routeOptions.url,
  login: request.routeOptions.config?.login,
  status,
  callerId: request.caller?.id,
  failure: request.failure,
  ip: request.ip,
})

const loggedUrl = (request: FastifyRequest): string =>
  (isQuerySecret(request) ? request.originalUrl.split('?', 1).join() : request.originalUrl).slice(0, MAX_LOGGED_URL)

/** Of what has no such method or no such path we cannot tell. */
const isQuerySecret = ({ is404, routeOptions }: FastifyRequest): boolean =>
  is404 || routeOptions.config?.isQuerySecret === true
