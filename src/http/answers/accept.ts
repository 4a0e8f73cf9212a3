/// <reference path="./negotiator.d.ts" />

import { Negotiator } from 'negotiator'

/** Nobody has more to say; a stranger could say more for the sake of it. */
export const MAX_HEADER = 2000

/**
 * The one of these types that an Accept header asks for most, the first of those it asks for alike; undefined: it takes
 * none.
 */
export const acceptedOf = (accept: string | undefined, types: readonly string[]): string | undefined =>
  !accept || accept === '*/*' || accept === types[0]
    ? types[0]
    : new Negotiator({ headers: { accept: weighed(accept) } }).mediaType(types)

/**
 * Each range with its weight alone: a charset or a version that is asked for beside changes nothing about what there
 * is.
 */
const weighed = (accept: string): string =>
  accept
    .slice(0, MAX_HEADER)
    .split(',')
    .map((range) => {
      const [type = '', ...parameters] = range.split(';')
      const weight = parameters.find((parameter) => /^ *q *=/i.test(parameter))
      return [type.trim() === '*' ? '*/*' : type, ...(weight ? [weight] : [])].join(';')
    })
    .join(',')
