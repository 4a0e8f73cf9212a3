import type { FastifyInstance } from 'fastify'
import { AppError } from '../../core/errors.ts'
import { didYouMean, meant } from '../../query/hints.ts'
import { pathOf } from '../address.ts'
import { answerPreflight } from '../callers/cors.ts'
import { ownErrorsOf } from './errors.ts'

const NOUN = /^\/api\/v1\/([^/:]+)/

/**
 * What no route took: OPTIONS of a known path, a wrong method (405 with Allow), a page of the portal, or an unknown
 * path.
 */
export function installNotFound(app: FastifyInstance): void {
  let patterns: Array<{ pattern: RegExp; methods: Set<string> }> | undefined
  let nouns: string[] | undefined

  const methodsOf = (path: string): string[] => {
    patterns ??= compile(app)
    const methods = new Set(patterns.filter(({ pattern }) => pattern.test(path)).flatMap((entry) => [...entry.methods]))
    return methods.size === 0 ? [] : [...methods, 'OPTIONS'].sort()
  }

  /** The noun that a path was probably meant to begin with. */
  const hintFor = (path: string): string => {
    nouns ??= [...new Set(app.routeTable.flatMap(({ url }) => NOUN.exec(url)?.[1] ?? []))]
    const given = NOUN.exec(path)?.[1]
    const noun = given === undefined || nouns.includes(given) ? undefined : meant(given, nouns)
    return didYouMean(noun && `/api/v1/${noun}`)
  }

  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request)
    const methods = methodsOf(path)
    if (methods.length === 0 && !ownErrorsOf(request) && (request.method === 'GET' || request.method === 'HEAD')) {
      const answer = app.answerUnclaimed?.(request, reply)
      if (answer) return answer
    }
    if (methods.length === 0) throw new AppError('NOT_FOUND', `There is nothing at this address${hintFor(path)}`)
    const allow = methods.join(', ')
    reply.header('allow', allow)
    if (request.method !== 'OPTIONS') {
      throw new AppError('METHOD_NOT_ALLOWED', `${request.method} is not possible here; possible: ${allow}`)
    }
    answerPreflight(request, reply, allow)
    return reply
      .header('content-type', 'application/json; charset=utf-8')
      .send(JSON.stringify({ msg: `Possible here: ${allow}` }))
  })
}

function compile(app: FastifyInstance) {
  const byUrl = new Map<string, Set<string>>()
  for (const { url, method } of app.routeTable) {
    const methods = byUrl.get(url) ?? new Set()
    byUrl.set(url, methods.add(method))
  }
  return [...byUrl].map(([url, methods]) => {
    const escaped = url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')
    return { pattern: new RegExp(`^${escaped.replace(/\/$/, '')}/?$`), methods }
  })
}
