import type { FastifyRequest } from 'fastify'
import { Negotiator } from 'negotiator'
import { type Language, languages } from '../../core/decide/language.ts'
import { MAX_HEADER } from './accept.ts'

/**
 * The language that sentences are answered in: the one that Accept-Language likes best of those we speak, else English.
 */
export function languageOf({ headers }: FastifyRequest): Language {
  const asked = headers['accept-language']
  if (asked === undefined) return 'en'
  const [liked = 'en'] = new Negotiator({ headers: { 'accept-language': asked.slice(0, MAX_HEADER) } }).languages(
    languages,
  )
  return liked
}
