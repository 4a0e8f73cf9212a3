import type { FastifyReply, FastifyRequest } from 'fastify'
import { csvCell, csvLine, plainCell } from '../../core/csv.ts'
import { invalid } from '../../core/errors.ts'
import { Type } from '../../core/schema.ts'
import { at, isKeyOf, keysOf } from '../../core/typed.ts'
import type { AnyRow, Resource } from '../../db/resource.ts'
import { eachPair } from '../../query/pairs.ts'
import { fault, type Parameter } from '../../query/parameters.ts'
import { PAGING } from '../../query/parse.ts'
import { rawQueryOf } from '../address.ts'
import { acceptedOf } from '../answers/accept.ts'
import type { RouteDoc } from '../route-doc.ts'
import type { Column } from './columns.ts'
import { xlsx } from './xlsx.ts'

/** How a list is written as a file, from pieces of its rows. */
interface FileFormat {
  readonly type: string
  readonly isText: boolean
  write(columns: readonly Column[], pieces: AsyncIterable<AnyRow[]>): AsyncGenerator<string | Buffer>
}

export const formats = {
  csv: { type: 'text/csv', isText: true, write: csv },
  xlsx: { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', isText: false, write: xlsx },
  ndjson: { type: 'application/x-ndjson', isText: true, write: ndjson },
} as const satisfies Record<string, FileFormat>

export type Format = keyof typeof formats
const names = keysOf(formats)

/** The first piece comes before the head: what fails by then is an error like any other, and no file. */
async function* csv(columns: readonly Column[], pieces: AsyncIterable<AnyRow[]>): AsyncGenerator<string> {
  const head = csvLine(columns.map(({ name }) => name))
  let isBegun = false
  for await (const rows of pieces) {
    let text = isBegun ? '' : head
    for (const row of rows) {
      for (let index = 0; index < columns.length; index++) {
        const column = at(columns, index)
        const value = column.valueOf(row)
        if (index > 0) text += ','
        text += column.isPlain ? plainCell(value) : csvCell(value)
      }
      text += '\r\n'
    }
    yield text
    isBegun = true
  }
  if (!isBegun) yield head
}

async function* ndjson(_columns: readonly Column[], pieces: AsyncIterable<AnyRow[]>): AsyncGenerator<string> {
  for await (const rows of pieces) {
    let text = ''
    for (const row of rows) text += `${JSON.stringify(row)}\n`
    if (text !== '') yield text
  }
}

const isFormat = (value: string): value is Format => isKeyOf(formats, value)

export const formatParameter: Parameter<Format> = {
  takes: isFormat,
  parse(name, value) {
    if (!isFormat(value)) throw fault(name, 'param.not_offered', value, names.join(', '))
    return value
  },
}

/** What a list can be answered as, JSON first. */
export const listTypes: readonly string[] = ['application/json', ...names.map((name) => formats[name].type)]

type AsPage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>
type AsFile = (request: FastifyRequest, reply: FastifyReply, format: Format) => FastifyReply | Promise<FastifyReply>

/** A list as a page, or as a file where one is asked for. */
export const pageOrFile =
  (asPage: AsPage, asFile: AsFile): AsPage =>
  (request, reply) => {
    const format = formatOf(request)
    return format === undefined ? asPage(request, reply) : asFile(request, reply, format)
  }

/**
 * The file that is asked for, by the parameter or else by Accept; undefined: none. It is the whole list, so it has no
 * pages.
 */
function formatOf(request: FastifyRequest): Format | undefined {
  const rawQuery = rawQueryOf(request)
  const accepted = acceptedOf(request.headers.accept, listTypes)
  let format = names.find((name) => formats[name].type === accepted)
  // Most are asked for as a page, and need no second look at their parameters.
  if (format === undefined && !rawQuery.includes('format=')) return undefined
  eachPair(rawQuery, (key, value) => {
    if (key === 'format' && isFormat(value)) format = value
  })
  if (format === undefined) return undefined
  eachPair(rawQuery, (key) => {
    if (PAGING.has(key))
      throw invalid(key, 'export.paged', `Parameter "${key}": a file has the whole list; leave it out`)
  })
  return format
}

/** What the reference says of the parameter. A field of that name is filtered by all the same. */
export const formatDoc = ({ fields }: Resource): NonNullable<RouteDoc['parameters']>[number] => {
  const description =
    'The whole list as a file instead, in the columns of `select`; so does the header `Accept`. In CSV, a text that ' +
    'a spreadsheet would run as a formula is led by an apostrophe, which an import takes away; in XLSX it is a ' +
    'text. An answer that breaks off before its end is incomplete. That it was exported is recorded.'
  if (!Object.hasOwn(fields, 'format'))
    return { name: 'format', description, schema: Type.Unsafe<Format>({ type: 'string', enum: names }) }
  const also = `${description} Any other value is a filter on the field \`format\`, such as \`eq.wiegand-26\`.`
  return { name: 'format', description: also, schema: Type.String(), example: 'csv' }
}
