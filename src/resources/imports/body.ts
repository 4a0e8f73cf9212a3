import { AppError, type ErrorDetail, invalid } from '../../core/errors.ts'
import type { Scope } from '../../core/rights.ts'
import type { TSchema } from '../../core/schema.ts'
import type { Tx } from '../../db/change.ts'
import type { AnyRow } from '../../db/resource.ts'
import { type Resources, resourcesOf } from '../../db/resources.ts'
import { findRow } from '../../db/rows.ts'
import { UUID } from '../../http/items/item.ts'
import { isFailedFormula, NOT_WORKED_OUT } from '../../http/workbook/formulas.ts'
import type { Asked } from '../../http/writes/perform.ts'
import type { Writable } from '../../http/writes/writable.ts'
import { valueIn } from './cells.ts'
import type { Mapping } from './mapping.ts'
import { type MadeByFile, resolve } from './references.ts'

/** A fault of a row, told by the cell it comes from where there is one. */
export interface RowError {
  row: number
  cell: string | null
  column: string | null
  path: string
  rule: string
  message: string
}

export interface Sheet {
  writable: Writable
  columns: readonly string[]
  mapping: Mapping
  /** Of the organization: what a day without a zone means. */
  zone: string
}

/** What a row asks for; throws all that is wrong with its cells at once. */
export async function askedBy(
  tx: Tx,
  sheet: Sheet,
  cells: readonly string[],
  scope: Scope,
  made: MadeByFile,
): Promise<Asked> {
  const { fields } = sheet.writable.resource
  const body: AnyRow = {}
  const faults: ErrorDetail[] = []
  const note = (error: unknown): void => {
    if (!(error instanceof AppError)) throw error
    faults.push(...(error.details ?? []))
  }
  let id: string | undefined
  for (const [index, column] of sheet.columns.entries()) {
    const name = sheet.mapping[column]
    const cell = cells[index] ?? ''
    const field = fields[name ?? '']
    if (!name || !field) continue
    try {
      refuseFormula(name, cell.trim())
      if (name === 'id') id = cell.trim() || undefined
      else {
        const value = valueIn(name, field, cell, sheet.zone)
        const { references } = field.spec
        const idOf = (table: string, text: string) => resolve(tx, name, table, text, scope, made)
        body[name] =
          references && typeof value === 'string'
            ? await idOf(references, value)
            : await withIds(resourcesOf(tx.engine), value, field.spec.schema, idOf)
        if (body[name] === undefined) delete body[name]
      }
    } catch (error) {
      note(error)
    }
  }
  if (faults.length > 0) {
    // What could be read may be wrong as well; what could not is missing for that reason alone.
    try {
      sheet.writable.check('upsert', body)
    } catch (error) {
      note(error)
    }
    throw new AppError('VALIDATION_ERROR', faults[0]?.message ?? '', { reason: faults[0]?.rule ?? '', details: faults })
  }
  return asked(tx, sheet.writable, body, id, scope)
}

type IdOf = (table: string, text: string) => Promise<string | undefined>

/**
 * What a cell holds as JSON, with the items that it names by what people call them, where its schema has ids:
 * `[{"building_id": "HQ"}]`.
 */
async function withIds(
  resources: Resources,
  value: unknown,
  { items, properties }: TSchema,
  idOf: IdOf,
): Promise<unknown> {
  if (Array.isArray(value) && items) return Promise.all(value.map((item) => withIds(resources, item, items, idOf)))
  if (typeof value !== 'object' || value === null || !properties) return value
  const named: AnyRow = { ...value }
  for (const [name, property] of Object.entries(properties)) {
    const inner = named[name]
    const table = `${name.replace(/_id$/, '')}s`
    const isNamed = property.format === 'uuid' && typeof inner === 'string' && resources.of(table)
    if (inner !== undefined)
      named[name] = isNamed ? await idOf(table, inner) : await withIds(resources, inner, property, idOf)
  }
  return named
}

/** Not the value that was meant, and no empty cell either, which would clear what is there. */
function refuseFormula(name: string, shown: string): void {
  if (isFailedFormula(shown))
    throw invalid(
      name,
      'import.cell',
      `${name}: the cell holds the error ${shown} instead of a value; mend its formula, or clear it`,
    )
  if (shown === NOT_WORKED_OUT)
    throw invalid(
      name,
      'import.cell',
      `${name}: the cell holds a formula without its result; open the file in a spreadsheet and save it there, ` +
        'or put the value in',
    )
}

/** By our id or the caller's key the item is made or changed; without either it is made. */
async function asked(tx: Tx, writable: Writable, body: AnyRow, sent: string | undefined, scope: Scope): Promise<Asked> {
  const external_id = typeof body.external_id === 'string' ? body.external_id : undefined
  const id = sent === undefined ? undefined : await idHere(tx, writable, sent, external_id, scope)
  if (id === undefined && external_id === undefined) {
    const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
    writable.check('create', given)
    return { op: 'create', body: given }
  }
  writable.check('upsert', body)
  return { op: 'upsert', id, external_id: id === undefined ? external_id : undefined, body }
}

/** A file from elsewhere has ids that are none here: its rows are known by their keys. */
async function idHere(
  tx: Tx,
  { resource }: Writable,
  id: string,
  key: string | undefined,
  scope: Scope,
): Promise<string | undefined> {
  const own = id.toLowerCase()
  if (UUID.test(own) && (await findRow(tx, resource, own, scope, ['id']))) return own
  if (key !== undefined) return undefined
  const told = `id: there is no ${resource.singular} ${JSON.stringify(id.slice(0, 100))} that you may change`
  throw invalid('id', 'reference.not_found', `${told}; to make new ones leave the column out`)
}

/** The faults of a row by cell, from left to right: B7 is the second column of row 7. */
export function faultsOf({ columns, mapping }: Sheet, row: number, error: AppError): RowError[] {
  const details = error.details?.length
    ? error.details
    : [{ path: '', rule: error.reason ?? error.code.toLowerCase(), message: error.message }]
  const indexOf = (path: string): number => {
    const [field = ''] = path.split(/[.[]/, 1)
    return columns.findIndex((column) => mapping[column] === field && field !== '')
  }
  const told = details
    .map((detail) => ({ ...detail, index: indexOf(detail.path) }))
    .toSorted((a, b) => a.index - b.index)
  return told.map(({ path, rule, message, index }) => ({
    row,
    cell: index === -1 ? null : `${letters(index)}${row}`,
    column: columns[index] ?? null,
    path,
    rule,
    message,
  }))
}

function letters(index: number): string {
  const rest = Math.floor(index / 26) - 1
  return (rest >= 0 ? letters(rest) : '') + String.fromCharCode(65 + (index % 26))
}
