import type { FastifyInstance } from 'fastify'
import { reading } from '../../http/context.ts'
import { bodyOf } from '../../http/items/item.ts'
import { Decoded, DecodeRequest } from './answers.ts'
import { decoded } from './queries.ts'

export function cardNumberRoutes(app: FastifyInstance): void {
  app.post(
    '/api/v1/card-numbers/decode',
    {
      config: {
        permission: 'credentials:read',
        doc: {
          tag: 'credentials',
          operationId: 'decodeCardNumber',
          summary: 'Decode a card number',
          description:
            'Reads a number in any form: as printed (`108,04711`, `108-4711`, `0004711`), decimal, hexadecimal, bit ' +
            'by bit with parity, or with its bytes reversed; as Wiegand with 26, 34 or 37 bits, as Corporate 1000, ' +
            'or as the number of the chip. Says every plausible reading and which credentials each may mean. It ' +
            'changes nothing.',
          body: { name: 'CardNumberText', schema: DecodeRequest },
          success: { status: 200, name: 'DecodedCardNumber', schema: Decoded },
          errors: ['VALIDATION_ERROR'],
          isRepeatable: false,
        },
      },
      schema: { body: DecodeRequest },
    },
    async (request, reply) => {
      const { text } = bodyOf<{ text: string }>(request)
      const data = await decoded(reading(request), text, request.scope)
      const msg = `Read the number in ${data.readings.length} ways; ${data.credentials.length} credentials match`
      return reply.header('cache-control', 'no-store').send({ msg, data })
    },
  )
}
