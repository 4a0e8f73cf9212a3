import { html } from '../../../src/docs/html.ts'

export interface Picture {
  readonly name: string
  readonly path: string
  readonly file: string
  readonly theme: string
  readonly size: string
  readonly locale: string
  readonly faults: readonly string[]
}

/** All pictures on one page, those of one address in a row. */
export function contactSheet(pictures: readonly Picture[]): string {
  const rows = Object.entries(Object.groupBy(pictures, ({ name }) => name))
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Gatehouse: every page</title>
<style>
body { font: 14px/1.4 system-ui, sans-serif; margin: 24px; background: #e9ecef; color: #212529 }
section { margin-bottom: 32px }
h2 { font-size: 16px; margin: 0 0 8px }
.row { display: flex; gap: 12px; align-items: flex-start; overflow-x: auto }
img { height: 340px; border: 1px solid #adb5bd; border-radius: 4px; display: block }
li { color: #c92a2a }
</style>
</head>
<body>
<h1>Every page</h1>
${rows.map(
  ([name, group = []]) => html`<section>
<h2 id="${name}">${group[0]?.path.replace(/#.*/, '')}</h2>
<div class="row">${group.map(
    ({ file, theme, size, locale }) =>
      html`<a href="${file}"><img src="${file}" alt="${name}, ${size}, ${theme}, ${locale}" loading="lazy"></a>`,
  )}</div>
<ul>${[...new Set(group.flatMap(({ faults }) => faults))].map((fault) => html`<li>${fault}</li>`)}</ul>
</section>`,
)}
</body>
</html>
`.text
}
