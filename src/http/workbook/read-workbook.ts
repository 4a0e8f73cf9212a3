import { Archive } from './archive.ts'
import { dateStylesOf } from './date-styles.ts'
import { SharedStrings } from './shared-strings.ts'
import { type FailedFormulas, SheetReader } from './sheet.ts'
import { readWholeXml, readXml } from './xml.ts'

const BOOK = 'xl/workbook.xml'
const RELATIONS = 'xl/_rels/workbook.xml.rels'

/**
 * The rows of the first sheet of a workbook as text, one after the other: of an unpacked sheet no more is held than a
 * piece.
 */
export async function* readWorkbook(bytes: Buffer, failed: FailedFormulas = 'refused'): AsyncGenerator<string[]> {
  const archive = new Archive(bytes)
  const { sheet, strings, styles, isFrom1904 } = await partsOf(archive)
  const [texts, dates] = [await SharedStrings.of(archive, strings), await dateStylesOf(archive, styles)]
  const reader = new SheetReader(texts, dates, isFrom1904, failed)
  for await (const _ of readXml(archive.text(sheet), reader)) yield* reader.take()
  if (!reader.isBegun) throw new Error('the workbook has no sheet')
}

interface Parts {
  sheet: string
  strings: string
  styles: string
  isFrom1904: boolean
}

/** Where the parts are that a workbook is made of. */
async function partsOf(archive: Archive): Promise<Parts> {
  let first: string | undefined
  let isFrom1904 = false
  await readWholeXml(archive.text(BOOK), {
    open(name, attributes) {
      if (name === 'sheet') first ??= Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1]
      if (name === 'workbookPr') isFrom1904 = ['1', 'true'].includes(attributes.date1904 ?? '')
    },
  })
  const parts = { sheet: '', strings: '', styles: '', isFrom1904 }
  await readWholeXml(archive.text(RELATIONS), {
    open(_name, { Id, Type = '', Target = '' }) {
      const path = Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`
      if (Id === first && first !== undefined) parts.sheet = path
      else if (Type.endsWith('/sharedStrings')) parts.strings = path
      else if (Type.endsWith('/styles')) parts.styles = path
    },
  })
  return parts
}
