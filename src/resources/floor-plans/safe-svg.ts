import { SaxesParser, type SaxesTagNS } from 'saxes'
import { Refused } from './refused.ts'
import { checkExpansion, type Drawn } from './svg-expansion.ts'
import { attributes, elements, SVG, texts, wrappers, XLINK } from './svg-names.ts'
import { sizeOf } from './svg-size.ts'
import { referencesIn, safeSheet, safeStyle } from './svg-values.ts'

const MAX_DEPTH = 200
const MAX_NAMED = 10
const SIZE: ReadonlySet<string> = new Set(['viewBox', 'width', 'height', 'preserveAspectRatio', 'x', 'y'])
const NOTHING: ReadonlySet<string> = new Set()

interface SafeSvg {
  bytes: Buffer
  width: number
  height: number
  removed: readonly string[]
}

/** The drawing, written anew from the elements and attributes that are known to be harmless. */
export function safeSvg(sent: Uint8Array): SafeSvg {
  const writer = new Writer()
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', ({ message }) => {
    throw new Refused(`The SVG cannot be read: ${message.slice(0, 200)}`)
  })
  parser.on('doctype', (text) => {
    if (text.includes('[')) throw new Refused('The SVG declares entities of its own, which are not taken')
  })
  parser.on('opentag', (tag) => writer.open(tag))
  parser.on('closetag', () => writer.close())
  parser.on('text', (text) => writer.text(text))
  parser.on('cdata', (text) => writer.text(text))
  parser.write(textOf(sent)).close()
  return writer.finish()
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Refused('The SVG must be text in UTF-8')
  }
}

interface Open {
  name: string
  /** Left out, and all that is in it. */
  isSkipped: boolean
  /** Left out, and what is in it stays. */
  isWrapper: boolean
  drawn: Drawn
  sheet: string
}

class Writer {
  private readonly parts: string[] = []
  private readonly path: Open[] = []
  private readonly removed = new Set<string>()
  private readonly root: Drawn = { references: [], children: [] }
  private size: { width: number; height: number } | undefined

  open(tag: SaxesTagNS): void {
    const above = this.path.at(-1)
    if (this.path.length >= MAX_DEPTH) throw new Refused(`The SVG is nested more than ${MAX_DEPTH} levels deep`)
    if (!above && (tag.uri !== SVG || tag.local !== 'svg'))
      throw new Refused(`The image is no SVG: it is not an svg element of ${SVG}`)
    const isKnown = tag.uri === SVG && (elements.has(tag.local) || wrappers.has(tag.local))
    const isSkipped = above?.isSkipped === true || above?.name === 'style' || !isKnown
    if (isSkipped && tag.uri === SVG && !above?.isSkipped) this.removed.add(tag.local)
    const isWrapper = wrappers.has(tag.local)
    const drawn: Drawn = isSkipped || isWrapper ? (above?.drawn ?? this.root) : { references: [], children: [] }
    const open = { name: tag.local, isSkipped, isWrapper, drawn, sheet: '' }
    this.path.push(open)
    if (isSkipped || isWrapper) return
    ;(above?.drawn ?? this.root).children.push(drawn)
    this.parts.push(`<${tag.local}${above ? this.attributesOf(tag, drawn) : this.rootAttributes(tag, drawn)}>`)
  }

  close(): void {
    const open = this.path.pop()
    if (!open || open.isSkipped || open.isWrapper) return
    if (open.name === 'style') this.parts.push(this.sheetOf(open.sheet))
    this.parts.push(`</${open.name}>`)
  }

  text(text: string): void {
    const open = this.path.at(-1)
    if (!open || open.isSkipped) return
    if (open.name === 'style') open.sheet += text
    else if (texts.has(open.name)) this.parts.push(escaped(text))
  }

  finish(): SafeSvg {
    if (!this.size) throw new Refused('The SVG is empty')
    checkExpansion(this.root)
    return { bytes: Buffer.from(this.parts.join('')), ...this.size, removed: [...this.removed].slice(0, MAX_NAMED) }
  }

  /** Its size is said in full, so that a place on it means the same wherever it is shown. */
  private rootAttributes(tag: SaxesTagNS, drawn: Drawn): string {
    const { viewBox, width, height } = sizeOf((name) => tag.attributes[name]?.value)
    this.size = { width, height }
    return (
      ` xmlns="${SVG}" viewBox="${viewBox}" width="${width}" ` +
      `height="${height}"${this.attributesOf(tag, drawn, SIZE)}`
    )
  }

  private attributesOf(tag: SaxesTagNS, drawn: Drawn, but = NOTHING): string {
    let text = ''
    for (const { uri, local, prefix, value } of Object.values(tag.attributes)) {
      if (local === 'href' && (uri === XLINK || prefix === '')) text += this.href(value, drawn)
      else if (prefix !== '' || local === 'xmlns' || but.has(local)) continue
      else if (local === 'style') text += this.style(value, drawn)
      else text += this.attribute(local, value, drawn)
    }
    return text
  }

  private attribute(name: string, value: string, drawn: Drawn): string {
    const references = attributes.has(name) ? referencesIn(value) : undefined
    if (references === undefined) {
      // What only programs read, such as data-name, is left out without a word.
      if (attributes.has(name) || /^on/i.test(name)) this.removed.add(name)
      return ''
    }
    drawn.references.push(...references)
    if (name === 'id') drawn.id = value
    return ` ${name}="${escaped(value)}"`
  }

  private href(value: string, drawn: Drawn): string {
    const id = /^\s*#([\w.:-]+)\s*$/.exec(value)?.[1]
    if (id === undefined) {
      this.removed.add('href')
      return ''
    }
    drawn.references.push(id)
    return ` href="#${id}"`
  }

  private style(value: string, drawn: Drawn): string {
    const style = safeStyle(value)
    if (style.isCut) this.removed.add('style')
    drawn.references.push(...style.references)
    return style.text === '' ? '' : ` style="${escaped(style.text)}"`
  }

  private sheetOf(text: string): string {
    const sheet = safeSheet(text)
    if (sheet === undefined) this.removed.add('style')
    return escaped(sheet ?? '')
  }
}

const escaped = (text: string): string =>
  !/[&<>"]/.test(text)
    ? text
    : text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
