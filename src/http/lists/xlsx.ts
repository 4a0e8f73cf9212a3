import { sure } from '../../core/typed.ts'
import type { AnyRow } from '../../db/resource.ts'
import type { Column } from './columns.ts'
import { type ZipEntry, zip } from './zip.ts'

/** What a sheet holds, and what one cell does. */
const MAX_ROWS = 1_048_576
const MAX_CELL = 32_767

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The first row stays in sight. */
const SHEET_HEAD =
  `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" ` +
  'activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>'
const SHEET_END = '</sheetData></worksheet>'
/** The second style is text: what looks like a number, a date or a formula stays as it is, also when it is edited. */
const STYLES =
  `${HEAD}<styleSheet xmlns="${MAIN}"><fonts count="1"><font><sz val="11"/><name ` +
  'val="Calibri"/></font></fonts><fills count="2"><fill><patternFill ' +
  'patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders ' +
  'count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf ' +
  'numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0" ' +
  'fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" ' +
  'applyNumberFormat="1"/></cellXfs></styleSheet>'

/** A workbook, sent as it is made; rows beyond what a sheet holds go on in the next. */
export const xlsx = (
  columns: readonly Column[],
  pieces: AsyncIterable<AnyRow[]>,
  maxRows = MAX_ROWS,
): AsyncGenerator<Buffer> => zip(entriesOf(columns, pieces, maxRows))

async function* entriesOf(
  columns: readonly Column[],
  pieces: AsyncIterable<AnyRow[]>,
  maxRows: number,
): AsyncGenerator<ZipEntry> {
  const source = new Source(pieces)
  let sheets = 0
  try {
    do {
      sheets += 1
      yield { name: `xl/worksheets/sheet${sheets}.xml`, content: sheet(columns, source, maxRows) }
    } while (await source.hasMore())
  } finally {
    await source.end()
  }
  // What names the sheets comes behind them: a reader begins at the end.
  const parts = Array.from({ length: sheets }, (_, index) => index + 1)
  const list = parts.map((n) => `<sheet name="${n === 1 ? 'Export' : `Export ${n}`}" sheetId="${n}" r:id="rId${n}"/>`)
  yield part(
    'xl/workbook.xml',
    `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${list.join('')}</sheets></workbook>`,
  )
  const related = parts.map((n) => relationship(n, 'worksheet', `worksheets/sheet${n}.xml`))
  yield part(
    'xl/_rels/workbook.xml.rels',
    relationships([...related, relationship(sheets + 1, 'styles', 'styles.xml')]),
  )
  yield { name: 'xl/styles.xml', content: [STYLES] }
  yield part('_rels/.rels', relationships([relationship(1, 'officeDocument', 'xl/workbook.xml')]))
  const types = [
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Default Extension="xml" ContentType="application/xml"/>',
    `<Override PartName="/xl/workbook.xml" ContentType="${SPREADSHEET}.sheet.main+xml"/>`,
    `<Override PartName="/xl/styles.xml" ContentType="${SPREADSHEET}.styles+xml"/>`,
    ...parts.map(
      (n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${SPREADSHEET}.worksheet+xml"/>`,
    ),
  ]
  yield part('[Content_Types].xml', `<Types xmlns="${PACKAGE}/content-types">${types.join('')}</Types>`)
}

const part = (name: string, content: string): ZipEntry => ({ name, content: [HEAD + content] })
const relationship = (n: number, kind: string, target: string) =>
  `<Relationship Id="rId${n}" Type="${OFFICE}/${kind}" Target="${target}"/>`
const relationships = (list: readonly string[]) =>
  `<Relationships xmlns="${PACKAGE}/relationships">${list.join('')}</Relationships>`

/** Pieces of rows, of which a sheet takes what it holds. */
class Source {
  private readonly pieces: AsyncIterator<AnyRow[]>
  private left: AnyRow[] = []
  private isThrough = false

  constructor(pieces: AsyncIterable<AnyRow[]>) {
    this.pieces = pieces[Symbol.asyncIterator]()
  }

  async hasMore(): Promise<boolean> {
    while (this.left.length === 0 && !this.isThrough) {
      const next = await this.pieces.next()
      if (next.done) this.isThrough = true
      else this.left = next.value
    }
    return this.left.length > 0
  }

  /** Empty: there are no more. */
  async take(most: number): Promise<AnyRow[]> {
    return (await this.hasMore()) ? this.left.splice(0, most) : []
  }

  async end(): Promise<void> {
    await this.pieces.return?.()
  }
}

async function* sheet(columns: readonly Column[], source: Source, maxRows: number): AsyncGenerator<string> {
  const opens = columns.map((_, index) => `<c r="${lettersOf(index)}`)
  const writers = columns.map(writerOf)
  const head = columns.map((column, index) => opens[index] + textCell('1', column.name))
  yield `${SHEET_HEAD}<row r="1">${head.join('')}</row>`
  for (let number = 1; number < maxRows; ) {
    const rows = await source.take(maxRows - number)
    if (rows.length === 0) break
    let text = ''
    for (const row of rows) {
      number += 1
      const at = String(number)
      text += `<row r="${at}">`
      for (let index = 0; index < columns.length; index++) {
        const value = sure(columns[index]).valueOf(row)
        if (value !== null && value !== undefined) text += opens[index] + sure(writers[index])(at, value)
      }
      text += '</row>'
    }
    yield text
  }
  yield SHEET_END
}

/** A cell behind its column's letters: the number of its row, how it is shown, its value. */
type CellWriter = (at: string, value: unknown) => string

/**
 * A text as the value of the cell is half as long as one inside of it, for the same to every reader: most are written
 * so.
 */
const plainCell: CellWriter = (at, value) => `${at}" s="1" t="str"><v>${value}</v></c>`
const numberCell: CellWriter = (at, value) =>
  typeof value === 'number' ? `${at}"><v>${value}</v></c>` : anyCell(at, value)
const anyCell: CellWriter = (at, value) => {
  if (typeof value === 'boolean') return `${at}" t="b"><v>${value ? 1 : 0}</v></c>`
  return textCell(at, typeof value === 'string' ? value : JSON.stringify(value))
}

function writerOf({ type, isPlain }: Column): CellWriter {
  if (isPlain) return plainCell
  return type === 'integer' || type === 'number' ? numberCell : anyCell
}

/** A space at either end would be taken for the file's own. */
const textCell = (at: string, text: string): string =>
  text.length <= MAX_CELL && !UNUSUAL.test(text)
    ? plainCell(at, text)
    : `${at}" s="1" t="inlineStr"><is><t ` +
      `xml:space="preserve">${cut(text).toWellFormed().replace(SPECIAL, escapeOne)}</t></is></c>`

/** What one cell does not hold ends with a sign that there was more. */
const cut = (text: string): string =>
  text.length <= MAX_CELL ? text : `${text.slice(0, MAX_CELL - 1).toWellFormed()}…`

/**
 * XML has no place for most control characters: they are written as spreadsheets do, and so is what looks like that.
 */
const SPECIAL = /[&<>\ufffe\uffff]|(?![\t\n\x7f-\x9f])\p{Cc}|_(?=x[0-9A-Fa-f]{4}_)/gu
/** What most texts have nothing of. */
const UNUSUAL = /[^ -%'-;=?-^`-~\xa0-\ud7ff\ue000-\ufffd]|^\s|\s$/

function escapeOne(character: string): string {
  if (character === '&') return '&amp;'
  if (character === '<') return '&lt;'
  if (character === '>') return '&gt;'
  return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
}

/** A, B, … Z, AA, AB, … */
function lettersOf(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : lettersOf(Math.floor(index / 26) - 1) + last
}
