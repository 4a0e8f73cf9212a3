/** Markup that may go out as it stands. Only `html` and `raw` make it. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

type Value = Html | string | number | boolean | null | undefined | readonly Value[]

/**
 * Everything put in is escaped, in text and in quoted attributes, except what `html` or `raw` made. Nothing, true and
 * false print nothing.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  let text = strings[0] ?? ''
  values.forEach((value, index) => {
    text += render(value) + strings[index + 1]
  })
  return new Html(text)
}

/** Markup from a trusted source. */
export const raw = (markup: string) => new Html(markup)

export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character)

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function render(value: Value): string {
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(render).join('')
  if (value === null || value === undefined || typeof value === 'boolean') return ''
  return escapeHtml(String(value))
}

type Section = 'reference' | 'errors'

interface Page {
  readonly title: string
  readonly main: Html
  /** The side navigation; on a narrow screen it opens from the header. */
  readonly nav?: Html
  readonly section?: Section
  readonly isWide?: boolean
}

/**
 * The one layout of all pages the server renders. No inline style or script: the content security policy forbids both.
 */
export function page({ title, main, nav, section, isWide = false }: Page): string {
  const link = (href: string, text: string, name?: Section) =>
    html`<a href="${href}"${name !== undefined && name === section ? raw(' aria-current="true"') : ''}>${text}</a>`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title === 'Gatehouse' ? title : `${title} · Gatehouse`}</title>
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/style.css">
<script src="/docs/reference.js" defer></script>
${
  section === 'reference' &&
  html`<script src="/docs/search.js" defer></script>
<script src="/docs/try-it.js" defer></script>
`
}</head>
<body${isWide ? raw(' class="wide"') : ''}>
<a class="skip" href="#main">Skip to content</a>
<header class="site">
<a class="brand" href="/"><svg viewBox="0 0 24 24" aria-hidden="true"><path
d="M3 21V10a9 9 0 0 1 18 0v11h-5V11a4 4 0 0 0-8 0v10z"/></svg><span>Gatehouse</span></a>
<nav aria-label="Site">${link('/docs', 'API reference', 'reference')}
${link('/docs/api/errors', 'Errors', 'errors')}
${link('/api/v1/openapi.json', 'OpenAPI')}</nav>
${nav && html`<a class="menu" href="#contents">Contents</a>`}
</header>
<div class="frame">
${
  nav &&
  html`<nav class="side" id="contents" aria-label="Contents"><a class="close"
  href="#main">Close</a>${nav}</nav>`
}
<main id="main" tabindex="-1">
${main}
</main>
</div>
</body>
</html>
`.text
}
