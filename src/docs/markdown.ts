import { codeBlock } from './code-block.ts'
import { escapeHtml, type Html, html, raw } from './html.ts'

/**
 * The Markdown our own descriptions use: headings, paragraphs, lists (nested by two or more spaces), quotes, tables, fenced code; and inline code, **bold**,
 * *emphasis* and links. All text is escaped; a link other than http(s), mailto, `/` or `#` stays text.
 */
interface MarkdownOptions {
  /** The level of a `#` heading. */
  readonly level?: number
  /** Headings get anchors, and are listed in `headings`. */
  readonly idPrefix?: string
}

export interface Heading {
  readonly id: string
  readonly text: string
  readonly level: number
}

export function inlineMarkdown(text: string): Html {
  // Code first: nothing inside it is markup.
  const parts = text.split(/(`[^`]+`)/)
  return raw(
    parts.map((part, index) => (index % 2 === 1 ? `<code>${escapeHtml(part.slice(1, -1))}</code>` : marks(escapeHtml(part)))).join(''),
  )
}

const marks = (text: string) =>
  text
    .replace(/\[([^[\]]+)\]\(((?:https?:\/\/|mailto:|\/(?!\/)|#)[^\s()]*)\)/g, '<a href="$2">$1</a>')
    .replace(/\*\*([^\s*](?:[^*]*[^\s*])?)\*\*/g, '<strong>$1</strong>')
    .replace(/(?<![\w*])\*([^\s*](?:[^*]*[^\s*])?)\*(?![\w*])/g, '<em>$1</em>')

export const markdown = (text: string, options: MarkdownOptions = {}): Html => markdownWithHeadings(text, options).body

export function markdownWithHeadings(text: string, options: MarkdownOptions = {}): { body: Html; headings: Heading[] } {
  const headings: Heading[] = []
  return { body: blocks(text.replaceAll('\r\n', '\n').split('\n'), options, headings), headings }
}

const listItem = /^( *)([-*]|\d+[.)]) +(.*)$/s
const startsBlock = (line: string) => /^(#{1,6} |```|> ?|\|)/.test(line) || listItem.test(line)

function blocks(lines: readonly string[], options: MarkdownOptions, headings: Heading[]): Html {
  const out: Html[] = []
  let at = 0
  const takeWhile = (test: (line: string) => boolean): string[] => {
    const start = at
    while (at < lines.length && test(lines[at] ?? '')) at++
    return lines.slice(start, at)
  }
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const heading = /^(#{1,6}) +(.*)$/s.exec(line)
    const list = listItem.exec(line)
    if (line.trim() === '') {
      at++
    } else if (line.startsWith('```')) {
      at++
      const code = takeWhile((next) => !next.startsWith('```')).join('\n')
      at++
      const language = line.slice(3).trim()
      out.push(
        codeBlock(code, language === 'json' || language === 'http' ? language : /^(sh|bash|shell)$/.test(language) ? 'shell' : 'text'),
      )
    } else if (heading) {
      at++
      out.push(headingOf(heading[1]?.length ?? 1, heading[2] ?? '', options, headings))
    } else if (line.startsWith('>')) {
      const quoted = takeWhile((next) => next.startsWith('>')).map((next) => next.replace(/^> ?/, ''))
      out.push(html`<blockquote>${blocks(quoted, options, headings)}</blockquote>`)
    } else if (line.startsWith('|')) {
      out.push(table(takeWhile((next) => next.startsWith('|'))))
    } else if (list) {
      out.push(
        listOf(
          takeWhile((next) => listItem.test(next) || /^ +\S/.test(next)),
          options,
          headings,
        ),
      )
    } else {
      at++
      out.push(html`<p>${inlineMarkdown([line, ...takeWhile((next) => next.trim() !== '' && !startsBlock(next))].join('\n'))}</p>`)
    }
  }
  return html`${out}`
}

function headingOf(depth: number, text: string, { level = 2, idPrefix }: MarkdownOptions, headings: Heading[]): Html {
  const rank = Math.min(6, depth + level - 1)
  const content = inlineMarkdown(text)
  if (idPrefix === undefined) return html`${raw(`<h${rank}>`)}${content}${raw(`</h${rank}>`)}`
  const slug = `${idPrefix}${slugOf(text)}`
  const taken = headings.filter((heading) => heading.id === slug || heading.id.startsWith(`${slug}-`)).length
  const id = taken === 0 ? slug : `${slug}-${taken + 1}`
  headings.push({ id, text: text.replaceAll('`', ''), level: rank })
  return html`${raw(`<h${rank}`)} id="${id}">${content} <a class="anchor" href="#${id}" aria-label="Link to this section">#</a>${raw(`</h${rank}>`)}`
}

export const slugOf = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')

function listOf(lines: readonly string[], options: MarkdownOptions, headings: Heading[]): Html {
  const indent = listItem.exec(lines[0] ?? '')?.[1]?.length ?? 0
  const isOrdered = /^ *\d/.test(lines[0] ?? '')
  const items: { text: string; rest: string[] }[] = []
  for (const line of lines) {
    const match = listItem.exec(line)
    const last = items.at(-1)
    if (match && (match[1]?.length ?? 0) <= indent) items.push({ text: match[3] ?? '', rest: [] })
    else if (last && (match || last.rest.length > 0)) last.rest.push(line)
    else if (last) last.text += `\n${line.trim()}`
  }
  const body = items.map(({ text, rest }) => {
    const margin = Math.min(...rest.map((line) => line.search(/\S/)))
    return html`<li>${inlineMarkdown(text)}${
      rest.length > 0 &&
      blocks(
        rest.map((line) => line.slice(margin)),
        options,
        headings,
      )
    }</li>`
  })
  return isOrdered ? html`<ol>${body}</ol>` : html`<ul>${body}</ul>`
}

function table(lines: readonly string[]): Html {
  // A bar inside a code span or after a backslash is text.
  const cells = (line: string) =>
    (
      line
        .trim()
        .replace(/^\||\|$/g, '')
        .match(/(?:`[^`]*`?|\\.?|[^|`\\])+|(?<=\|)(?=\|)/g) ?? []
    ).map((cell) => inlineMarkdown(cell.trim().replaceAll('\\|', '|')))
  const hasHead = /^\| *:?-+:? *(?:\| *:?-+:? *)*\|?$/.test(lines[1]?.trim() ?? '')
  const rows = (hasHead ? lines.slice(2) : lines).map((line) => html`<tr>${cells(line).map((cell) => html`<td>${cell}</td>`)}</tr>`)
  const head = hasHead && html`<thead><tr>${cells(lines[0] ?? '').map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>`
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>${head}<tbody>${rows}</tbody></table></div>`
}
