import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { csvLine } from '../../core/csv.ts'
import { parsed } from '../../db/assignments.ts'
import type { OrgHandle } from '../../db/org.ts'
import { sql } from '../../db/sql.ts'
import { exporting } from '../../http/context.ts'
import { type Import, imports } from './schema.ts'
import { getImport } from './sight.ts'

const TYPE = 'text/csv'
const AT_ONCE = 500
const BOM = '\uFEFF'
const EXAMPLE = 'Vorname,Nachname,error\r\nAda,,A2: given_name is required\r\n'

interface Failed {
  row_number: number
  cells: string[] | string
  errors: Array<{ cell: string | null; message: string }> | string
}

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
          description: 'As CSV, with the columns of the file and one more that says what is wrong: mended, it can be sent again.',
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
        .send(Readable.from(linesOf(handle, found)))
    },
  )
}

async function* linesOf(handle: OrgHandle, { id, columns }: Import): AsyncGenerator<string> {
  yield BOM + csvLine([...columns, 'error'])
  for (let after = 0; ; ) {
    const rows = await handle.all<Failed>(sql`select t.row_number, t.cells, t.errors from import_rows t
      where t.org = :org and t.import_id = ${id} and t.errors is not null and t.cells is not null and t.row_number > ${after} order by t.row_number limit ${AT_ONCE}`)
    for (const { cells, errors } of rows) {
      const sent = parsed<string[]>(cells)
      const why = parsed<Exclude<Failed['errors'], string>>(errors).map(({ cell, message }) => (cell ? `${cell}: ${message}` : message))
      yield csvLine([...columns.map((_, index) => sent[index] || null), why.join('; ')])
    }
    after = rows.at(-1)?.row_number ?? after
    if (rows.length < AT_ONCE) return
  }
}
