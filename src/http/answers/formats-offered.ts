import type { FastifyRequest } from 'fastify'
import { Type } from '../../core/schema.ts'
import { at, isKeyOf, keysOf } from '../../core/typed.ts'
import { fault, type Parameter, parseParameters } from '../../query/parameters.ts'
import { rawQueryOf } from '../address.ts'
import type { RouteDoc } from '../route-doc.ts'
import { acceptedOf } from './accept.ts'

interface FormatsOffered<Name extends string> {
  /** Which one is asked for: by the parameter, or else by Accept; the first where neither says. */
  asked(request: FastifyRequest): Name
  doc(description: string): NonNullable<RouteDoc['parameters']>[number]
}

/** What an answer can be had as, by its media type, where it has the parameter `format` and no other. */
export function formatsOffered<Name extends string>(types: Readonly<Record<Name, string>>): FormatsOffered<Name> {
  const names = keysOf(types)
  const format: Parameter<Name> = {
    parse(name, value) {
      if (isKeyOf(types, value)) return value
      throw fault(name, 'param.not_offered', value, `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`)
    },
  }
  return {
    asked(request) {
      const said = parseParameters(rawQueryOf(request), { format }).format
      const accepted = acceptedOf(request.headers.accept, Object.values(types))
      return said ?? names.find((name) => types[name] === accepted) ?? at(names, 0)
    },
    doc: (description) => ({
      name: 'format',
      description,
      schema: Type.Unsafe<string>({ type: 'string', enum: names, default: names[0] }),
    }),
  }
}
