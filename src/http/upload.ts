import { createRequire } from 'node:module'
import type { Readable } from 'node:stream'
import type { BusboyHeaders, BusboyInstance } from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'
import { AppError, callerLeft, invalid } from '../core/errors.ts'
import { ARRIVAL_MS } from './connections/arrivals.ts'

export const FORM = 'multipart/form-data'

export interface Upload {
  fileName: string
  format: 'csv' | 'xlsx'
  file: AsyncIterable<Uint8Array>
}

const XLSX = /spreadsheetml|\.xlsx$/i
const MAX_FIELD = 64 * 1024
/** Bytes a second of the slowest line that is waited for, beside the time that every request has. */
const SLOWEST = 8 * 1024

const malformed = (msg: string) => new AppError('MALFORMED_REQUEST', msg)
const late = () => new AppError('REQUEST_TIMEOUT', 'The file did not arrive in time')

/** The file of a form, which is read as it comes; `readField` takes what is said before it. */
export function readUpload(
  request: FastifyRequest,
  body: Readable,
  readField: (name: string, text: string) => void,
): Promise<Upload> {
  request.server.arrivals.awaitFile(request)
  return new Promise<Upload>((resolve, reject) => {
    const form = formFor(request)
    const waiting = setTimeout(() => reject(late()), ARRIVAL_MS)
    let hasFile = false
    form.on('field', (name, text) => {
      try {
        if (hasFile)
          throw invalid(
            name.slice(0, 100),
            'import.order',
            `${name.slice(0, 100)} must stand before the file in the form`,
          )
        readField(name, text)
      } catch (error) {
        reject(error)
      }
    })
    form.on('file', (name, file, fileName, _encoding, type) => {
      if (hasFile || name !== 'file') {
        file.resume()
        reject(invalid(name.slice(0, 100), 'body.unknown_field', 'The form has one file, called file'))
        return
      }
      hasFile = true
      clearTimeout(waiting)
      const format = XLSX.test(`${type} ${fileName}`) ? 'xlsx' : 'csv'
      resolve({ fileName: (fileName || 'file').slice(0, 300), format, file: arriving(file) })
      body.once('close', () => {
        if (!body.readableEnded) file.destroy(callerLeft())
      })
    })
    form.on('finish', () => {
      if (!hasFile)
        reject(
          invalid(
            'file',
            'body.required',
            'file is required: the CSV or XLSX file to take in, as the last part of the form',
          ),
        )
    })
    form.on('error', () => reject(malformed('The form cannot be read')))
    body.once('close', () => clearTimeout(waiting))
    body.on('error', () => reject(malformed('The form did not come to its end')))
    body.pipe(form)
  })
}

/**
 * The file as it comes in. Only the time that we wait for it counts: while its rows are stored it is we who let it
 * wait.
 */
async function* arriving(file: Readable): AsyncGenerator<Uint8Array> {
  const pieces = file[Symbol.asyncIterator]()
  let [waited, bytes] = [0, 0]
  for (;;) {
    const begun = performance.now()
    const timer = setTimeout(() => file.destroy(late()), ARRIVAL_MS + (bytes * 1000) / SLOWEST - waited)
    const piece: IteratorResult<Uint8Array> = await pieces.next().finally(() => clearTimeout(timer))
    if (piece.done) return
    waited += performance.now() - begun
    bytes += piece.value.length
    yield piece.value
  }
}

/** Loaded with the first form, not at the start. */
const load = createRequire(import.meta.url)

function formFor({ headers }: FastifyRequest): BusboyInstance {
  const { Busboy }: typeof import('@fastify/busboy') = load('@fastify/busboy')
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      limits: { files: 1, fields: 10, fieldSize: MAX_FIELD, fieldNameSize: 100, parts: 12, headerPairs: 20 },
    })
  } catch (error) {
    throw new AppError('MALFORMED_REQUEST', 'The form has no boundary', { cause: error })
  }
}

export const unknownField = (name: string): AppError =>
  invalid(name.slice(0, 100), 'body.unknown_field', `${name.slice(0, 100)} is not a field of this form`)
