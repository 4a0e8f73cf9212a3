import { hash, randomUUIDv7 } from 'node:crypto'
import { AppError, invalid } from '../../core/errors.ts'
import { parsed } from '../../db/assignments.ts'
import type { Actor } from '../../db/audit.ts'
import { change, type Tx } from '../../db/change.ts'
import type { OrgHandle } from '../../db/org.ts'
import { raw, sql } from '../../db/sql.ts'
import type { Writable } from '../../http/writes/writable.ts'
import { openRow, sealRows } from './kept.ts'
import { checkMapping, guessMapping, type Mapping } from './mapping.ts'
import { type ImportParts, storedRights } from './run.ts'

/** What comes with the file. */
export interface Asked {
  resource: string
  mapping?: Mapping | undefined
  dry_run: boolean
  fileName: string | null
}

export interface Maker {
  org: number
  actor: Actor
}

/**
 * Stores the rows of a file as they come in, and says what its columns are. Gives the import's id. `last`: done as all
 * of them are there; the import is none without it.
 */
export async function storeImport(
  parts: ImportParts,
  maker: Maker,
  writable: Writable,
  asked: Asked,
  lots: AsyncIterable<string[][]>,
  last?: (tx: Tx, id: string) => Promise<void>,
): Promise<string> {
  const id = randomUUIDv7()
  const within = <T>(work: (tx: Tx) => Promise<T>) =>
    change(parts.engine, maker.org, parts.clock.now(), maker.actor, work)
  let columns: string[] | undefined
  let mapping: Mapping = {}
  /** Rows so far, and those of them that hold something. */
  let [seen, count] = [0, 0]
  try {
    for await (const lot of lots) {
      let rows = lot
      if (!columns) {
        const [head = [], ...rest] = lot
        columns = headings(head)
        rows = rest
        const known = columns
        mapping = await within((tx) => create(tx, { id, writable, asked, columns: known, maker }))
      }
      const first = seen + 2
      const cells = columns
      const filled = rows
        .map((row, index) => ({ row, number: first + index }))
        .filter(({ row }) => row.some((cell) => cell.trim() !== ''))
      await within((tx) => insertRows(tx, id, { columns: cells, mapping, rows: filled }))
      seen += rows.length
      count += filled.length
    }
    if (!columns) throw invalid('file', 'import.file', 'The file is empty: its first row must name the columns')
    await within(async (tx) => {
      await tx.aside(sql`update imports as t set rows = ${count}, status = ${asked.dry_run ? 'checking' : 'running'},
        claimed_until = null
        where t.org = :org and t.id = ${id} and t.status = 'reading'`)
      await last?.(tx, id)
    })
    return id
  } catch (error) {
    const status = error instanceof AppError && error.status < 500 && !isBrokenOff(error) ? 'refused' : 'interrupted'
    if (columns)
      await within((tx) =>
        tx.aside(
          sql`update imports as t set status = ${status}, claimed_until = null where t.org = :org and t.id = ${id}`,
        ),
      )
    throw error
  }
}

/** The file did not come to its end. */
const isBrokenOff = ({ code }: AppError): boolean => code === 'REQUEST_TIMEOUT' || code === 'MALFORMED_REQUEST'

/** What the columns are called: each has a name, and no two the same. */
function headings(head: readonly string[]): string[] {
  const names = head.map((name) => name.trim().slice(0, 200))
  while (names.at(-1) === '') names.pop()
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index)
  if (twice !== undefined)
    throw invalid(
      'file',
      'import.headings',
      `Two columns are called ${JSON.stringify(twice)}; give each a heading of its own`,
    )
  if (names.every((name) => name === ''))
    throw invalid('file', 'import.headings', 'The first row must name the columns')
  return names.map((name, index) => name || `(${index + 1})`)
}

interface Created {
  id: string
  writable: Writable
  asked: Asked
  columns: string[]
  maker: Maker
}

/** So long a file may take to come in before it is taken for interrupted. */
const READING_MS = 600_000

async function create(tx: Tx, { id, writable, asked, columns, maker }: Created): Promise<Mapping> {
  const { rights, ...actor } = maker.actor
  if (!rights || actor.id === null)
    throw new AppError('UNAUTHORIZED', 'Only a caller imports', { status: 403, reason: 'insufficient_permissions' })
  const mapping = await mappingFor(tx, writable, { by: actor.id, columns }, asked.mapping)
  const row = {
    id,
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
    resource: writable.resource.noun,
    file_name: asked.fileName,
    status: 'reading',
    dry_run: asked.dry_run,
    columns,
    mapping,
    rows: 0,
    row_done: 0,
    created: 0,
    changed: 0,
    unchanged: 0,
    failed: 0,
  }
  await tx.insert('imports', {
    ...row,
    dry_run: tx.dialect.name === 'postgres' ? asked.dry_run : Number(asked.dry_run),
    maker_id: actor.id,
    sender_id: actor.id,
    actor,
    rights: storedRights(rights),
    claimed_until: new Date(Date.parse(tx.now) + READING_MS).toISOString(),
  })
  tx.record({ action: 'import.created', resource: 'imports', resourceId: id, before: null, after: row })
  return mapping
}

interface Headings {
  by: string
  columns: readonly string[]
}

/** Of whoever sent them: nobody decides what the columns of others mean. */
const digest = (headings: Headings): string => hash('sha256', JSON.stringify([headings.by, headings.columns]))

/** As sent, as the same caller meant them the last time, or as the headings say. */
async function mappingFor(tx: Tx, writable: Writable, headings: Headings, sent: Mapping | undefined): Promise<Mapping> {
  const { noun } = writable.resource
  const { columns } = headings
  if (sent) {
    checkMapping(writable, columns, sent)
    const whole = guessMapping(writable, columns, sent)
    await tx.aside(sql`insert into import_mappings (org, resource, columns, mapping)
      values (:org, ${noun}, ${digest(headings)}, ${JSON.stringify(whole)})
      on conflict (org, resource, columns) do update set mapping = excluded.mapping`)
    return refuseEmpty(whole)
  }
  const known = await tx.one<{ mapping: Mapping | string }>(sql`select t.mapping from import_mappings t
    where t.org = :org and t.resource = ${noun} and t.columns = ${digest(headings)}`)
  return refuseEmpty(known ? parsed<Mapping>(known.mapping) : guessMapping(writable, columns))
}

function refuseEmpty(mapping: Mapping): Mapping {
  if (Object.values(mapping).some((field) => field !== null)) return mapping
  throw invalid('mapping', 'import.mapping', 'No column is known by its heading: say in mapping which field each is')
}

interface Lot {
  columns: readonly string[]
  mapping: Mapping
  rows: ReadonlyArray<{ row: string[]; number: number }>
}

async function insertRows(tx: Tx, id: string, { columns, mapping, rows }: Lot): Promise<void> {
  if (rows.length === 0) return
  const at = (field: string) => columns.findIndex((column) => mapping[column] === field)
  const text = (row: readonly string[], ...fields: string[]) =>
    fields
      .map((field) => row[at(field)]?.trim().slice(0, 500) ?? '')
      .filter(Boolean)
      .join(' ') || null
  const called = (row: readonly string[]) =>
    text(row, 'display_name') ??
    text(row, 'given_name', 'family_name') ??
    text(row, 'name') ??
    text(row, 'code') ??
    text(row, 'number')
  const seal = await sealRows(tx, id, 'cells')
  const list = tx.dialect.records(
    rows.map(({ row, number }) => ({
      number,
      cells: seal(number, row.slice(0, columns.length)),
      key: text(row, 'external_id'),
      name: called(row),
    })),
    'r',
    { number: 'integer', cells: 'text', key: 'text', name: 'text' },
  )
  const cells = raw(tx.dialect.name === 'postgres' ? 'cast(r.cells as jsonb)' : 'r.cells')
  await tx.aside(sql`insert into import_rows (org, import_id, row_number, cells, key, name)
    select :org, ${id}, r.number, ${cells}, r.key, r.name from ${list}`)
}

/** The first faults, row by row. */
export async function errorsOf(handle: OrgHandle, importId: string, most: number): Promise<object[]> {
  const rows = await handle.all<{
    row_number: number
    errors: string | object[]
  }>(sql`select t.row_number, t.errors from import_rows t
    where t.org = :org and t.import_id = ${importId} and t.errors is not null order by t.row_number limit ${most}`)
  return rows
    .flatMap(({ row_number, errors }) => openRow<object[]>(handle, importId, row_number, 'errors', errors))
    .slice(0, most)
}
