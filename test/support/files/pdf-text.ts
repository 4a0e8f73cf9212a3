import { inflateSync } from 'node:zlib'

/** The texts of a PDF as a reader would copy them, in the order in which they were drawn. */
export function pdfText(bytes: Buffer): string {
  const file = bytes.toString('latin1')
  const objects = new Map(
    [...file.matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)].map((match) => [match[1] ?? '', match[2] ?? '']),
  )
  const fonts = new Map<string, Map<string, string>>()
  for (const body of objects.values())
    for (const [, name = '', reference = ''] of body.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const map = /\/ToUnicode (\d+) 0 R/.exec(objects.get(reference) ?? '')?.[1]
      if (map) fonts.set(name, charactersOf(streamOf(objects.get(map) ?? '')))
    }
  const pages = [...objects.values()].filter((body) => body.includes('stream\n')).map(streamOf)
  return pages
    .filter((content) => content.includes(' Tf'))
    .flatMap((content) => [...content.matchAll(/\/(F\d+) [\d.]+ Tf|\[(.*)\] TJ/g)])
    .reduce(
      ({ font, text }, [, name, shown]) =>
        name === undefined ? { font, text: `${text}${decode(shown ?? '', fonts.get(font))}\n` } : { font: name, text },
      { font: '', text: '' },
    ).text
}

function streamOf(object: string): string {
  const data = /stream\n([\s\S]*)\nendstream/.exec(object)?.[1] ?? ''
  return object.includes('/FlateDecode') ? inflateSync(Buffer.from(data, 'latin1')).toString('latin1') : data
}

const unhex = (digits: string): string => Buffer.from(digits, 'hex').swap16().toString('utf16le')

/** Which character stands for which glyph. */
function charactersOf(map: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const [, start = '', list = ''] of map.matchAll(/<(\w{4})> <\w{4}> \[([^\]]*)\]/g))
    for (const [index, [, digits = '']] of [...list.matchAll(/<([\w ]*)>/g)].entries())
      found.set((Number.parseInt(start, 16) + index).toString(16).padStart(4, '0'), unhex(digits.replaceAll(' ', '')))
  return found
}

const decode = (shown: string, characters: Map<string, string> | undefined): string =>
  [...shown.matchAll(/<(\w+)>/g)]
    .flatMap(([, glyphs = '']) => glyphs.match(/\w{4}/g) ?? [])
    .map((glyph) => characters?.get(glyph) ?? '�')
    .join('')
