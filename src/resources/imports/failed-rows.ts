import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { csvLine } from '../../core/csv.ts'
import { isShown } from '../../core/fields.ts'
import type { OrgHandle } from '../../db/org.ts'
import { sql } from '../../db/sql.ts'
import { exporting } from '../../http/context.ts'
import type { RowError } from './body.ts'
import { openRow } from './kept.ts'
import { type Import, imports } from './schema.ts'
import { getImport } from './sight.ts'

const TYPE = 'text/csv'
const AT_ONCE = 500
const BOM = '\uFEFF'
const EXAMPLE = 'Vorname,Nachname,error\r\nAda,,A2: given_name is required\r\n'

/** `GET …/failed-rows`: the rows that failed as they were sent, and why, to be mended and sent again. */
export function failedRowsRoute(app: FastifyInstance): void {
  app.get(
    '/api/v1/imports/:id/failed-rows',
    {
      config: {
        permission: 'imports:read',
        doc: {
          tag: imports.plural,
          operationId: 'getFailedImportRows',
          summary: 'Get the failed rows of an import',
          description:
            'As CSV, with the columns of the file and one more that says what is wrong: mended, it can be sent ' +
            'again. Whoever did not send the file gets it without the columns that are passed over, and without ' +
            'those that no answer shows, such as a PIN.',
          success: { status: 200, files: { [TYPE]: { example: EXAMPLE } } },
          errors: ['NOT_FOUND'],
        },
      },
    },
    async (request, reply) => {
      const handle = exporting(request)
      const found = await getImport(request, handle)
      return reply
        .header('content-type', `${TYPE}; charset=utf-8`)
        .header('content-disposition', 'attachment; filename="failed-rows.csv"')
        .header('cache-control', 'no-store')
        .send(Readable.from(linesOf(handle, found, await toldColumns(request, handle, found))))
    },
  )
}

/**
 * Where they stand in a row. What is left out is no column of the file at all: an empty cell, sent again, would clear
 * what is there.
 */
async function toldColumns({ server, caller }: FastifyRequest, handle: OrgHandle, found: Import): Promise<number[]> {
  const { id, columns, mapping, resource } = found
  const sent = await handle.one(
    sql`select 1 as one from imports t where t.org = :org and t.id = ${id} and t.sender_id = ${caller.id}`,
  )
  const fields = server.writables.get(resource)?.resource.fields ?? {}
  const isTold = (column: string) => {
    const field = fields[mapping[column] ?? '']
    return field !== undefined && isShown(field)
  }
  return [...columns.keys()].filter((index) => sent !== undefined || isTold(columns[index] ?? ''))
}

async function* linesOf(handle: OrgHandle, { id, columns }: Import, told: readonly number[]): AsyncGenerator<string> {
  yield BOM + csvLine([...told.map((index) => columns[index] ?? ''), 'error'])
  for (let after = 0; ; ) {
    const rows = await handle.all<{
      row_number: number
      cells: string | string[]
      errors: string | RowError[]
    }>(sql`select t.row_number, t.cells, t.errors from import_rows t
      where t.org = :org and t.import_id = ${id} and t.errors is not null and t.cells is not null
      and t.row_number > ${after} order by t.row_number limit ${AT_ONCE}`)
    for (const { row_number, cells, errors } of rows) {
      const sent = openRow<string[]>(handle, id, row_number, 'cells', cells)
      const faults = openRow<RowError[]>(handle, id, row_number, 'errors', errors)
      const why = faults.map(({ cell, message }) => (cell ? `${cell}: ${message}` : message))
      yield csvLine([...told.map((index) => sent[index] || null), why.join('; ')])
    }
    after = rows.at(-1)?.row_number ?? after
    if (rows.length < AT_ONCE) return
  }
}
