import { createInflateRaw, inflateRawSync } from 'node:zlib'

const END = 0x06054b50
const ENTRY = 0x02014b50
const DEFLATED = 8
/** Of the parts that say where the sheets are. */
const MAX_PART = 4 * 1024 * 1024
/** More than the opening tag of any cell. */
const TAG = 1000

/** The packed bytes of the files in an archive. */
function filesIn(archive: Buffer): Map<string, { bytes: Buffer; isDeflated: boolean }> {
  const files = new Map<string, { bytes: Buffer; isDeflated: boolean }>()
  const mark = Buffer.alloc(4)
  mark.writeUInt32LE(END)
  const end = archive.lastIndexOf(mark)
  for (let at = archive.readUInt32LE(end + 16), left = archive.readUInt16LE(end + 10); left > 0; left--) {
    if (archive.readUInt32LE(at) !== ENTRY) break
    const [size, start] = [archive.readUInt32LE(at + 20), archive.readUInt32LE(at + 42)]
    const [name, extra, comment] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset)) as [number, number, number]
    const from = start + 30 + archive.readUInt16LE(start + 26) + archive.readUInt16LE(start + 28)
    const isDeflated = archive.readUInt16LE(at + 10) === DEFLATED
    files.set(archive.toString('utf8', at + 46, at + 46 + name), { bytes: archive.subarray(from, from + size), isDeflated })
    at += 46 + name + extra + comment
  }
  return files
}

const attribute = (tag: string, name: string): string | undefined => {
  const at = tag.indexOf(` ${name}="`)
  return at === -1 ? undefined : tag.slice(at + name.length + 3).split('"', 1)[0]
}

/** The opening tags of this name, whatever is before the colon. */
const tagsOf = (xml: string, name: string): string[] =>
  xml
    .split('<')
    .filter(
      (tag) =>
        tag
          .split(/[\s/>]/, 1)[0]
          ?.split(':')
          .at(-1) === name,
    )
    .map((tag) => ` ${tag.replaceAll(/\s+/g, ' ').replaceAll("'", '"')}`)

/**
 * The first cell that holds an error instead of a value, such as B7, in the first sheet of a workbook. The parser takes such a cell for an
 * empty one, and an empty one clears what is there.
 */
export async function errorCellIn(archive: Buffer): Promise<string | undefined> {
  const files = filesIn(archive)
  const part = (name: string): string => {
    const { bytes = Buffer.alloc(0), isDeflated = false } = files.get(name) ?? {}
    return (isDeflated ? inflateRawSync(bytes, { maxOutputLength: MAX_PART }) : bytes).toString('utf8')
  }
  const [first = ''] = tagsOf(part('xl/workbook.xml'), 'sheet')
  const id = attribute(first.replace(/ \w{1,20}:id="/, ' r:id="'), 'r:id')
  const target = tagsOf(part('xl/_rels/workbook.xml.rels'), 'Relationship').find((tag) => attribute(tag, 'Id') === id)
  const path = attribute(target ?? '', 'Target') ?? ''
  const sheet = files.get(path.startsWith('/') ? path.slice(1) : `xl/${path}`)
  if (!sheet?.isDeflated) return undefined
  const inflate = createInflateRaw()
  inflate.end(sheet.bytes)
  let text = ''
  for await (const piece of inflate) {
    text = text.slice(-TAG) + (piece as Buffer).toString('latin1')
    for (let at = text.indexOf(' t="e"'); at !== -1; at = text.indexOf(' t="e"', at + 1)) {
      const [open, close] = [text.lastIndexOf('<', at), text.indexOf('>', at)]
      const [cell] = tagsOf(text.slice(open, close + 1), 'c')
      if (cell !== undefined && close !== -1 && text.lastIndexOf('>', at) < open) return attribute(cell, 'r') ?? 'a cell'
    }
  }
  return undefined
}
