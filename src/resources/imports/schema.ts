import { boolean, common, integer, json, line, oneOf, type RowOf } from '../../core/fields.ts'
import { Type } from '../../core/schema.ts'
import { inColumns } from '../../db/lists/search.ts'
import { defineResource } from '../../db/resource.ts'

const MAX_COUNT = 2_147_483_647

const counted = (what: string) => integer(0, MAX_COUNT).readOnly().describe(`How many rows ${what}.`, 0)

/** A cell that does not fit, or a row that is refused. */
const ImportError = Type.Object(
  {
    row: Type.Integer({ description: 'The row in the file; the headings are row 1.', examples: [7] }),
    cell: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The cell, as a spreadsheet names it.',
      examples: ['B7'],
    }),
    column: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The heading of its column.',
      examples: ['Building'],
    }),
    path: Type.String({ description: 'The field.', examples: ['building_id'] }),
    rule: Type.String({ description: 'What it breaks, as a stable word.', examples: ['reference.not_found'] }),
    message: Type.String({
      description: 'The same for people.',
      examples: ['building_id: there is no building "Nord"'],
    }),
  },
  { additionalProperties: false },
)

export const imports = defineResource({
  noun: 'imports',
  table: 'imports',
  singular: 'import',
  plural: 'imports',
  description:
    'Files with rows that become items: people from a personnel system, doors from a list. Each is its maker’s, seen ' +
    'by them and by those who may see imports and such items everywhere; what failed can be fetched as a file for ' +
    '14 days, then the import goes.',
  fields: {
    id: common.id,
    created_at: common.created_at,
    updated_at: common.updated_at,
    version: common.version,
    resource: line(100).readOnly().describe('What the rows become, as in the path.', 'individuals'),
    file_name: line(300).nullable().readOnly().describe('What the file was called.', 'people.csv'),
    status: oneOf('reading', 'checking', 'checked', 'running', 'done', 'cancelled', 'refused', 'interrupted')
      .readOnly()
      .describe(
        'reading: the file comes in. checking: it is tried, checked: it has been; `run` takes it in. running and ' +
          'done likewise. refused: the file could not be read. interrupted: the service ended while the file came ' +
          'in; send it again.',
        'done',
      ),
    dry_run: boolean().readOnly().describe('Whether it is only tried, for now.', false),
    columns: json(Type.Array(Type.String())).readOnly().describe('The headings of the file.', ['Vorname', 'Nachname']),
    mapping: json(Type.Record(Type.String(), Type.Unsafe<string | null>({ type: ['string', 'null'] })))
      .readOnly()
      .describe('Which field each column is; null: none, it is passed over.', {
        Vorname: 'given_name',
        Nachname: 'family_name',
      }),
    rows: counted('the file has'),
    row_done: counted('have been looked at'),
    created: counted('made, or would make, an item'),
    changed: counted('changed, or would change, one'),
    unchanged: counted('say what is so already'),
    failed: counted('were refused'),
    errors: json(Type.Array(ImportError)).decorated().describe('The first 100 faults, by cell.', []),
  },
  search: [],
  searchAlso: inColumns('file_name', 'resource'),
  isVolatile: true,
})

export type Import = RowOf<typeof imports.fields>
