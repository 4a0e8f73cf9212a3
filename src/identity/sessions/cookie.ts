import type { FastifyReply, FastifyRequest } from 'fastify'
import { SESSION_SECONDS } from './schema.ts'

/** On one's own machine there is no TLS; everywhere else a browser must never send it without. */
function isPlain(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl)
  return protocol === 'http:' && (hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname))
}

/** A cookie that no script reads, no other site sends along with a change, and no plain connection carries. */
function cookie(name: string) {
  const nameFor = (baseUrl: string): string => (isPlain(baseUrl) ? name : `__Host-${name}`)
  return {
    read(request: FastifyRequest): string | undefined {
      const header = request.headers.cookie
      if (header === undefined || !header.includes(name)) return undefined
      const start = `${nameFor(request.server.house.config.baseUrl)}=`
      const pair = header
        .split(';')
        .map((part) => part.trim())
        .find((part) => part.startsWith(start))
      return pair?.slice(start.length)
    },
    write(reply: FastifyReply, value: string, seconds: number): void {
      const { baseUrl } = reply.server.house.config
      const secure = isPlain(baseUrl) ? '' : ' Secure;'
      reply.header(
        'set-cookie',
        `${nameFor(baseUrl)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly;${secure} SameSite=Lax`,
      )
    },
  }
}

const session = cookie('gatehouse_session')
export const readSessionCookie = session.read
export const setSessionCookie = (reply: FastifyReply, value: string): void =>
  session.write(reply, value, SESSION_SECONDS)
export const clearSessionCookie = (reply: FastifyReply): void => session.write(reply, '', 0)

/** Ties the way to a provider of single sign-on and back to one browser. */
export const signOnCookie = cookie('gatehouse_sign_on')

/** Says that somebody has logged in to an account on this device before; see known-device.ts. */
export const deviceCookie = cookie('gatehouse_device')
