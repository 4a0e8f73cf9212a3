import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError, notFound, tooSlow } from '../../core/errors.ts'
import { Type } from '../../core/schema.ts'
import { Turns } from '../../core/turns.ts'
import { getRow, getSeen } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { checkIfMatch, isNotModified } from '../../http/answers/etag.ts'
import { reading } from '../../http/context.ts'
import { idOf } from '../../http/items/item.ts'
import { write } from '../../http/items/write.ts'
import { CHANGE_ERRORS } from '../../http/route-doc.ts'
import { itemSchema } from '../../http/schemas.ts'
import { signalOf } from '../../http/signal.ts'
import { MAX_BYTES, madeSafe, type SafeImage } from './image.ts'
import { storeImage } from './queries.ts'
import { floorPlans, type ImageType, imageTypes } from './schema.ts'

const PATH = '/api/v1/floor-plans/:id/image'
const tag = floorPlans.plural
const files = {
  'image/svg+xml': { example: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 800">…</svg>' },
  'image/png': { example: '\u0089PNG…' },
}

const item = itemSchema(floorPlans)
const left_out = Type.Array(Type.String(), {
  readOnly: true,
  description:
    'What of the image is not stored because it is not safe: names of elements and attributes. Empty: it is whole.',
  examples: [['script']],
})
const stored = {
  name: 'FloorPlanDrawn',
  schema: Type.Object({ ...item.properties, left_out }, { additionalProperties: false }),
}

/** Nothing in it is run or loaded, wherever it is opened. */
const SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** As many are held in memory at once; the others are not read yet. */
const uploads = new Turns(4, 20, tooSlow)

export function imageRoutes(app: FastifyInstance): void {
  app.get(
    PATH,
    {
      config: {
        permission: 'floor-plans:read',
        doc: {
          tag,
          operationId: 'getFloorPlanImage',
          summary: 'Get the image of a floor plan',
          description: 'As it is stored: made safe, SVG or PNG. 404 while there is none.',
          success: { status: 200, files },
          hasEtag: true,
          errors: ['NOT_FOUND'],
        },
      },
    },
    async (request, reply) => {
      const handle = reading(request)
      const { id, image_hash, image_type } = await getSeen(handle, floorPlans, idOf(request), request.scope)
      if (image_type === null) throw notFound()
      const etag = `"${image_hash}"`
      reply.header('etag', etag).header('cache-control', 'private, no-cache')
      if (isNotModified(request, etag)) return reply.code(304).send()
      const image = await handle.one<{ bytes: Uint8Array }>(
        sql`select t.bytes from floor_plan_images t where t.org = :org and t.floor_plan_id = ${id}`,
      )
      if (!image) throw notFound()
      return reply
        .header('content-type', image_type)
        .header('content-disposition', `inline; filename="floor-plan.${image_type === 'image/png' ? 'png' : 'svg'}"`)
        .header('content-security-policy', SECURITY_POLICY)
        .header('cross-origin-resource-policy', 'same-origin')
        .send(Buffer.from(image.bytes))
    },
  )
  // In a scope of its own: the parsers are for this route alone.
  app.register(async (scope) => {
    scope.addContentTypeParser([...imageTypes], (_request, body, done) => done(null, body))
    putRoute(scope)
  })
}

function putRoute(app: FastifyInstance): void {
  app.put(
    PATH,
    {
      config: {
        permission: 'floor-plans:write',
        doc: {
          tag,
          operationId: 'putFloorPlanImage',
          summary: 'Set the image of a floor plan',
          description:
            'SVG or PNG, at most 5 MiB, in place of the one before. Of an SVG what draws is kept: scripts, links, ' +
            'pictures and whatever comes from elsewhere are left out, and the answer names them (`left_out`). A ' +
            'PNG has at most 10,000 pixels on each side and 25 million in all. Doors stay where they are on the ' +
            'plan.',
          body: { name: 'FloorPlanImage', schema: Type.Object({}), mediaTypes: [], files },
          success: { status: 200, ...stored },
          hasEtag: true,
          errors: [...CHANGE_ERRORS, 'SERVICE_UNAVAILABLE'],
        },
      },
      onRequest: refuseEarly,
    },
    async (request, reply) => {
      const image = await uploads.run(() => imageIn(request), signalOf(request))
      return write(request, reply, async (tx) => {
        const plan = await getRow(tx, floorPlans, idOf(request), request.scope)
        checkIfMatch(request, plan)
        const left = image.removed.length === 0 ? '' : `; left out, because it is not safe: ${image.removed.join(', ')}`
        const drawn = await storeImage(tx, plan, image)
        return { msg: `Stored the image of the floor plan${left}`, data: { ...drawn, left_out: image.removed } }
      })
    },
  )
}

/** Before a byte of the body is read; and a plan that the caller may not see is not there, whatever they send. */
async function refuseEarly(request: FastifyRequest): Promise<void> {
  checkIfMatch(request, await getRow(reading(request), floorPlans, idOf(request), request.scope))
  typeOf(request)
  if (Number(request.headers['content-length'] ?? 0) > MAX_BYTES) throw tooLarge()
}

function typeOf(request: FastifyRequest): ImageType {
  const [sent = ''] = (request.headers['content-type'] ?? '').split(';', 1)
  const type = imageTypes.find((known) => known === sent.trim().toLowerCase())
  if (!type) throw new AppError('UNSUPPORTED_MEDIA_TYPE', `Send the image as ${imageTypes.join(' or ')}`)
  return type
}

const tooLarge = () => new AppError('PAYLOAD_TOO_LARGE', `The image is larger than ${MAX_BYTES / 1024 / 1024} MiB`)

async function imageIn(request: FastifyRequest): Promise<SafeImage> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of request.body as Readable) {
    size += piece.length
    if (size > MAX_BYTES) throw tooLarge()
    pieces.push(piece)
  }
  if (size === 0)
    throw new AppError('VALIDATION_ERROR', 'The body is empty: send the image', { reason: 'floor_plan.image' })
  return madeSafe({ type: typeOf(request), bytes: Buffer.concat(pieces) }, signalOf(request))
}
