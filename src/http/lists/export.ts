import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Action } from '../../core/change-verbs.ts'
import type { Scope } from '../../core/rights.ts'
import type { OrgHandle } from '../../db/org.ts'
import type { AnyRow, Resource } from '../../db/resource.ts'
import { cutOf, type LimitingPlace } from '../../db/scope.ts'
import { eachPair } from '../../query/pairs.ts'
import { rawQueryOf } from '../address.ts'
import { sendLarge } from '../answers/coding.ts'
import { changeAs } from '../change-as.ts'
import type { Column } from './columns.ts'
import { exportPlaces } from './export-places.ts'
import { type Format, formats } from './formats.ts'
import { whileAllowed } from './while-allowed.ts'

/** A list that is to be sent as a file. */
export interface Export {
  readonly resource: Resource
  readonly format: Format
  readonly columns: readonly Column[]
  /** Where its caller may look: a file says so where that is not everywhere. */
  readonly scope: Scope
  /** Its rows as they are answered, some at a time; the next are read when the last have been taken. */
  readonly pieces: AsyncIterable<AnyRow[]>
  /** What was asked for, for the record; the parameters unless said. */
  readonly asked?: object
}

/** Sends a file as it is read. It is on the record before its first line is out. */
export async function sendExport(
  request: FastifyRequest,
  reply: FastifyReply,
  handle: OrgHandle,
  file: Export,
): Promise<FastifyReply> {
  const { resource, format, columns, pieces, scope } = file
  const { type, isText, write } = formats[format]
  // Whoever asks for the headers alone is shown nothing.
  const isShown = request.method !== 'HEAD'
  const leave = isShown ? exportPlaces(handle.engine).take(handle.org) : undefined
  let limits: LimitingPlace[] | undefined
  try {
    limits = await cutOf(handle, resource, scope)
    if (isShown) await record(request, resource, { format, ...(file.asked ?? parametersOf(request)) })
  } catch (error) {
    leave?.()
    throw error
  }
  // Last: where one of these fails, the answer is no file.
  const when = `${handle.instant.slice(0, 19).replaceAll(':', '')}Z`
  const name = `${resource.noun}-${when}${limits ? '-limited' : ''}.${format}`
  const vary = [reply.getHeader('vary'), 'Accept'].filter(Boolean).join(', ')
  reply
    .header('content-type', isText ? `${type}; charset=utf-8` : type)
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('cache-control', 'no-store')
    .header('vary', vary)
  if (limits) reply.header('limited-to', limitedTo(limits))
  if (!leave) return reply.send('')
  const body = Readable.from(write(columns, whileAllowed(request, pieces)), { objectMode: false, highWaterMark: 1 })
  body.once('close', leave)
  // A workbook is compressed already.
  return isText ? sendLarge(reply, body) : reply.send(body)
}

/** A header has little room: who is limited to more places than that reads the rest in the list's `meta`. */
const MOST_PLACES = 50

const limitedTo = (limits: readonly LimitingPlace[]): string =>
  limits
    .slice(0, MOST_PLACES)
    .map(({ location_id, building_id }) =>
      location_id === null ? `building_id=${building_id}` : `location_id=${location_id}`,
    )
    .join(', ') || 'nothing'

function parametersOf(request: FastifyRequest): object {
  const parameters: [string, string][] = []
  eachPair(rawQueryOf(request), (key, value) => {
    if (key !== 'format') parameters.push([key, value])
  })
  return parameters.length === 0 ? {} : { parameters }
}

async function record(request: FastifyRequest, { noun }: Resource, after: object): Promise<void> {
  const action: Action = `${noun.replaceAll('-', '_')}.exported`
  await changeAs(request, async (tx) =>
    tx.event({ action, resource: noun, resourceId: null, before: null, after: { ...after } }),
  )
}
