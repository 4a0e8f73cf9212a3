import type { Archive } from './archive.ts'
import { readWholeXml } from './xml.ts'

/** Formats that a workbook need not declare: days, times of day, both. */
const isBuiltIn = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)

/**
 * Without what is quoted, escaped or a condition, each to the end where it is not closed, a format of days or times has
 * their letters.
 */
const isOfDates = (code: string): boolean =>
  /[dmyhs]/i.test(code.replace(/"[^"]*(?:"|$)|\[[^\]]*(?:\]|$)|[\\_*].?/g, '').replace(/general/gi, ''))

/** Which styles of cells show a number as a day or time, by the style's number. */
export async function dateStylesOf(archive: Archive, name: string): Promise<ReadonlySet<number>> {
  const own = new Map<number, boolean>()
  const styles = new Set<number>()
  let [isIn, at] = [false, 0]
  await readWholeXml(archive.text(name), {
    open(name, { numFmtId, formatCode = '' }) {
      if (name === 'numFmt') own.set(Number(numFmtId), isOfDates(formatCode.slice(0, 1000)))
      if (name === 'cellXfs') isIn = true
      if (name !== 'xf' || !isIn) return
      const id = Number(numFmtId)
      if (own.get(id) ?? isBuiltIn(id)) styles.add(at)
      at += 1
    },
    close(name) {
      if (name === 'cellXfs') isIn = false
    },
  })
  return styles
}
