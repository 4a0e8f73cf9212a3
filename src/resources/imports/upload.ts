import type { Readable } from 'node:stream'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'
import { AppError, invalid } from '../../core/errors.ts'
import { parseJson } from '../../http/body.ts'

/** What stands before the file in a form. */
export interface FormFields {
  resource?: string
  mapping?: unknown
  dry_run?: boolean
}

export interface Upload {
  fields: FormFields
  fileName: string
  format: 'csv' | 'xlsx'
  file: AsyncIterable<Uint8Array>
}

const XLSX = /spreadsheetml|\.xlsx$/i
const MAX_FIELD = 64 * 1024

const malformed = (msg: string) => new AppError('MALFORMED_REQUEST', msg)

/** The file of a form, and what was said before it; it is read as it comes. */
export function readUpload(request: FastifyRequest, body: Readable): Promise<Upload> {
  return new Promise((resolve, reject) => {
    const form = formFor(request)
    const fields: FormFields = {}
    let hasFile = false
    form.on('field', (name, text) => {
      try {
        if (hasFile) throw invalid(name.slice(0, 100), 'import.order', `${name.slice(0, 100)} must stand before the file in the form`)
        readField(fields, name, text)
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
      const format = XLSX.test(`${type} ${fileName}`) ? 'xlsx' : 'csv'
      resolve({ fields, fileName: (fileName || 'file').slice(0, 300), format, file })
    })
    form.on('finish', () => {
      if (!hasFile)
        reject(invalid('file', 'body.required', 'file is required: the CSV or XLSX file to take in, as the last part of the form'))
    })
    form.on('error', () => reject(malformed('The form cannot be read')))
    body.on('error', () => reject(malformed('The form did not come to its end')))
    body.pipe(form)
  })
}

function formFor({ headers }: FastifyRequest): BusboyInstance {
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      limits: { files: 1, fields: 10, fieldSize: MAX_FIELD, fieldNameSize: 100, parts: 12, headerPairs: 20 },
    })
  } catch (error) {
    throw new AppError('MALFORMED_REQUEST', 'The form has no boundary', { cause: error })
  }
}

function readField(fields: FormFields, name: string, text: string): void {
  if (name === 'resource') fields.resource = text
  else if (name === 'mapping') fields.mapping = parseJson(Buffer.from(text))
  else if (name !== 'dry_run') throw invalid(name.slice(0, 100), 'body.unknown_field', `${name.slice(0, 100)} is not a field of this form`)
  else if (text === 'true' || text === 'false') fields.dry_run = text === 'true'
  else throw invalid('dry_run', 'body.enum', 'dry_run must be true or false')
}
