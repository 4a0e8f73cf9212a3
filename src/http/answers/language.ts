import type { FastifyRequest } from 'fastify'
import { type Language, languages } from '../../core/decide/language.ts'

/** The language that sentences are answered in: the one that Accept-Language likes best of those we speak, else English. */
export function languageOf(request: FastifyRequest): Language {
  const header = request.headers['accept-language']
  if (header === undefined) return 'en'
  let best: { language: Language; weight: number } | undefined
  for (const item of header.slice(0, 200).split(',')) {
    const [tag = '', weight] = item.split(';')
    const language = languages.find((one) => tag.trim().slice(0, 2).toLowerCase() === one)
    const liking = weight === undefined ? 1 : Number(weight.trim().slice(2)) || 0
    if (language && liking > (best?.weight ?? 0)) best = { language, weight: liking }
  }
  return best?.language ?? 'en'
}
