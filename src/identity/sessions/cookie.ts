import type { FastifyReply, FastifyRequest } from 'fastify'
import { SESSION_SECONDS } from './schema.ts'

const NAME = 'gatehouse_session'

/** On one's own machine there is no TLS; everywhere else a browser must never send it without. */
function isPlain(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl)
  return protocol === 'http:' && (hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname))
}

const nameFor = (baseUrl: string): string => (isPlain(baseUrl) ? NAME : `__Host-${NAME}`)

export function readSessionCookie(request: FastifyRequest): string | undefined {
  const header = request.headers.cookie
  if (header === undefined || !header.includes(NAME)) return undefined
  const name = `${nameFor(request.server.house.config.baseUrl)}=`
  const pair = header
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(name))
  return pair?.slice(name.length)
}

const write = (reply: FastifyReply, value: string, seconds: number): void => {
  const { baseUrl } = reply.server.house.config
  const secure = isPlain(baseUrl) ? '' : ' Secure;'
  reply.header('set-cookie', `${nameFor(baseUrl)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly;${secure} SameSite=Lax`)
}

export const setSessionCookie = (reply: FastifyReply, value: string): void => write(reply, value, SESSION_SECONDS)
export const clearSessionCookie = (reply: FastifyReply): void => write(reply, '', 0)
