import MarkdownIt from 'markdown-it'
import { at } from '../core/typed.ts'
import { codeBlock } from './code-block.ts'
import { type Html, html, raw } from './html.ts'

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

/**
 * The Markdown our own descriptions use. Text is text: no HTML, no pictures; a link other than http(s), mailto, `/` or
 * `#` stays text.
 */
const parser = new MarkdownIt({ html: false }).disable(['image', 'html_block', 'code'])
parser.validateLink = (address) => /^(?:https?:\/\/|mailto:|\/(?!\/)|#)/.test(address)

const { rules } = parser.renderer
const SHELLS = new Set(['sh', 'bash', 'shell'])
const languageOf = (named: string) =>
  named === 'json' || named === 'http' ? named : SHELLS.has(named) ? 'shell' : 'text'
rules.fence = (tokens, index) => {
  const { content, info } = at(tokens, index)
  return codeBlock(content.replace(/\n$/, ''), languageOf(info.trim())).text
}
rules.table_open = () => '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>'
rules.table_close = () => '</table></div>'
rules.th_open = () => '<th scope="col">'
rules.td_open = () => '<td>'
rules.heading_close = (tokens, index, options, _env, renderer) =>
  (tokens[index]?.meta?.anchor ?? '') + renderer.renderToken(tokens, index, options)

export const inlineMarkdown = (text: string): Html => raw(parser.renderInline(text))

export const markdown = (text: string, options: MarkdownOptions = {}): Html => markdownWithHeadings(text, options).body

export function markdownWithHeadings(
  text: string,
  { level = 2, idPrefix }: MarkdownOptions = {},
): { body: Html; headings: Heading[] } {
  const headings: Heading[] = []
  const tokens = parser.parse(text, {})
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue
    const rank = Math.min(6, Number(token.tag.slice(1)) + level - 1)
    const [title, close] = tokens.slice(index + 1)
    token.tag = `h${rank}`
    if (close) close.tag = token.tag
    if (idPrefix === undefined || !title) continue
    const id = idOf(`${idPrefix}${slugOf(title.content)}`, headings)
    headings.push({ id, text: title.content.replaceAll('`', ''), level: rank })
    token.attrSet('id', id)
    if (close) close.meta = { anchor: anchorTo(id) }
  }
  return { body: raw(parser.renderer.render(tokens, parser.options, {})), headings }
}

function idOf(slug: string, headings: readonly Heading[]): string {
  const taken = headings.filter(({ id }) => id === slug || id.startsWith(`${slug}-`)).length
  return taken === 0 ? slug : `${slug}-${taken + 1}`
}

const anchorTo = (id: string): string =>
  html` <a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`.text

export const slugOf = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
