import { readSheet } from 'read-excel-file/node'
import { describe, expect, it } from 'vitest'
import writeXlsxFile from 'write-excel-file/node'
import { zip } from '../lists/zip.ts'
import { readWorkbook } from './read-workbook.ts'

const rowsOf = (bytes: Buffer) => Array.fromAsync(readWorkbook(bytes))

interface Parts {
  rows: string
  strings?: string
  styles?: string
  book?: string
}

/** A workbook whose sheet has these rows. */
async function bookOf({ rows, strings = '', styles = '', book = '' }: Parts): Promise<Buffer> {
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="t/${type}" Target="${target}"/>`
  const parts: Record<string, string> = {
    'xl/workbook.xml': `<workbook xmlns:r="o">${book}<sheets><sheet r:id="r1"/><sheet r:id="r9"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${relation('r2', 'sharedStrings', 's.xml')}${relation('r3', 'styles', 'y.xml')}${relation('r1', 'worksheet', 'w.xml')}</Relationships>`,
    'xl/w.xml': `<worksheet><cols><col/></cols><sheetData>${rows}</sheetData><f>1</f></worksheet>`,
    'xl/s.xml': `<sst>${strings}</sst>`,
    'xl/y.xml': `<styleSheet>${styles}</styleSheet>`,
  }
  async function* entries() {
    for (const [name, content] of Object.entries(parts)) yield { name, content: [content] }
  }
  return Buffer.concat(await Array.fromAsync(zip(entries())))
}

describe('a workbook', () => {
  it('gives the texts of its first sheet, shared, in runs or in place, without how they are pronounced', async () => {
    const strings =
      '<si><t xml:space="preserve"> a </t></si><si><r><t>ru</t></r><r><t>ns</t></r><rPh><t>no</t></rPh></si><si/>'
    const rows =
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c>' +
      '<c r="D1" t="inlineStr"><is><t>&lt;Zürich&#10;_x0041_</t></is></c><c r="E1" t="str"><f>X</f><v>f</v></c></row>'
    expect(await rowsOf(await bookOf({ rows, strings }))).toEqual([[' a ', 'runs', '', '<Zürich\nA', 'f']])
  })

  it('leaves rows and cells empty that have nothing where others follow, and ends with the last that has something', async () => {
    const rows =
      '<row r="2"><c r="C2"><v>7</v></c><c r="D2" s="0"/></row><row r="4"><c><v>1</v></c><c><v>2</v></c></row><row ' +
      'r="1048576"><c r="A1048576"/></row>'
    expect(await rowsOf(await bookOf({ rows }))).toEqual([[], ['', '', '7'], [], ['1', '2']])
  })

  it('gives numbers, truth and days as people write them', async () => {
    const styles =
      '<numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy"/><numFmt numFmtId="165" formatCode="#,##0.00\\ ' +
      '&quot;Days&quot;[$ms]"/></numFmts>' +
      '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf ' +
      'numFmtId="164"/><xf numFmtId="165"/></cellXfs>'
    const rows =
      '<row><c><v>1.1000000000000001</v></c><c><v>1E5</v></c><c t="b"><v>1</v></c><c t="b"><v>0</v></c>' +
      '<c s="1"><v>46477</v></c><c s="2"><v>46477.35416666667</v></c><c s="3"><v>46477</v></c><c ' +
      't="d"><v>2027-03-31</v></c></row>'
    const told = ['1.1', '100000', 'true', 'false', '2027-03-31', '2027-03-31T08:30:00', '46477', '2027-03-31']
    expect(await rowsOf(await bookOf({ rows, styles }))).toEqual([told])
    const later = '<row><c s="1"><v>45015</v></c></row>'
    expect(await rowsOf(await bookOf({ rows: later, styles, book: '<workbookPr date1904="1"/>' }))).toEqual([
      ['2027-03-31'],
    ])
  })

  it.each([
    ['<c r="B7" t="e"><v>#N/A</v></c>', 'The cell B7 holds an error'],
    ['<c r="B7"><f>1+1</f></c>', 'The cell B7 holds a formula without its result'],
    ['<c r="B7"><f>1+1</f><v></v></c>', 'The cell B7 holds a formula without its result'],
    ['<c r="A1" t="s"><v>0</v></c>', 'a text that is not there'],
    ['<c r="ZZZZ1"><v>0</v></c>', 'a column that no sheet has'],
    ['<c r="A1"><v>0</c>', 'unexpected'],
    [`<c r="A1" t="str"><v>${'x'.repeat(2_000_000)}</v></c>`, 'without end'],
  ])('refuses %.40s by what is wrong', async (cell, told) => {
    await expect(rowsOf(await bookOf({ rows: `<row r="7">${cell}</row>` }))).rejects.toThrow(told)
  })

  it('that is none, or has no sheet, is refused', async () => {
    for (const bytes of [Buffer.from('PK'), Buffer.alloc(0), Buffer.from('a,b\n1,2\n')])
      await expect(rowsOf(bytes)).rejects.toThrow()
    const whole = await bookOf({ rows: '<row><c><v>1</v></c></row>' })
    for (const end of [10, 200, whole.length - 30]) await expect(rowsOf(whole.subarray(0, end))).rejects.toThrow()
  })

  it('reads as another reader does', async () => {
    const text = (value: string) => ({ value, type: String })
    const day = { value: new Date('2027-12-31T00:00:00Z'), type: Date, format: 'dd.mm.yyyy' }
    const rows = Array.from({ length: 3000 }, (_, n) => [
      text(`Näme ${n % 7}`),
      { value: n / 8, type: Number },
      day,
      text(` 00${n}`),
    ])
    const bytes = Buffer.from(await writeXlsxFile(rows).toBuffer())
    const theirs = (await readSheet(bytes, { trim: false })).map((row) =>
      row.map((cell) => (cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell))),
    )
    expect(await rowsOf(bytes)).toEqual(theirs)
  })
})
