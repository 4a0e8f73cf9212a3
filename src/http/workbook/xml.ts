import { SaxesParser } from 'saxes'

/** More than any text or tag of a workbook. */
const MOST_BETWEEN_TAGS = 1024 * 1024

type Attributes = Readonly<Record<string, string>>

/** What is told of elements, by their names without a prefix. */
export interface Handler {
  open?(name: string, attributes: Attributes): void
  text?(text: string): void
  close?(name: string): void
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Reads XML as it comes; after each piece whoever asked may do what it told. */
export async function* readXml(pieces: AsyncIterable<string>, handler: Handler): AsyncGenerator<void> {
  const parser = new SaxesParser()
  let between = 0
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    between = 0
    handler.open?.(local(name), attributes)
  })
  parser.on('closetag', ({ name }) => {
    between = 0
    handler.close?.(local(name))
  })
  parser.on('text', (text) => handler.text?.(text))
  parser.on('cdata', (text) => handler.text?.(text))
  for await (const piece of pieces) {
    between += piece.length
    if (between > MOST_BETWEEN_TAGS) throw new Error('the file has a text without end')
    parser.write(piece)
    yield
  }
}

/** The same where nothing waits. */
export async function readWholeXml(pieces: AsyncIterable<string>, handler: Handler): Promise<void> {
  for await (const _ of readXml(pieces, handler));
}
