import { expect, test } from 'vitest'
import { inlineMarkdown, markdown, markdownWithHeadings } from './markdown.ts'

/** Line breaks between blocks show nowhere. */
const plain = (text: string) => markdown(text).text.replaceAll(/(?<=>)\n|\n(?=<)/g, '')

test('markup in the text is text', () => {
  expect(plain('a <script>x</script> & `<b>`')).toBe(
    '<p>a &lt;script&gt;x&lt;/script&gt; &amp; <code>&lt;b&gt;</code></p>',
  )
})

test('bold, emphasis, code and links; nothing inside code is markup', () => {
  expect(inlineMarkdown('**b** *e* `*c*` [l](/docs) 2 * 3 * 4').text).toBe(
    '<strong>b</strong> <em>e</em> <code>*c*</code> <a href="/docs">l</a> 2 * 3 * 4',
  )
})

test.each(['javascript:alert(1)', 'data:text/html,x', '//evil.example', 'vbscript:x'])(
  'a link to %s stays text',
  (address) => {
    expect(inlineMarkdown(`[x](${address})`).text).not.toContain('<a')
  },
)

test('a link cannot leave its attribute', () => {
  expect(inlineMarkdown('[x](/a"onclick="y)').text).toBe('<a href="/a%22onclick=%22y">x</a>')
})

test('lists nest, and a line that goes on belongs to its item', () => {
  expect(plain('1. one\n   more\n2. two\n   - in\n   - ner')).toBe(
    '<ol><li>one\nmore</li><li>two<ul><li>in</li><li>ner</li></ul></li></ol>',
  )
})

test('tables keep empty cells, and bars inside code', () => {
  const text = plain('| a | b | c |\n|---|:-:|---|\n| `x\\|y` || z |')
  expect(text).toContain('<th scope="col">a</th><th scope="col">b</th><th scope="col">c</th>')
  expect(text).toContain('<td><code>x|y</code></td><td></td><td>z</td>')
})

test('headings get anchors, each its own', () => {
  const { body, headings } = markdownWithHeadings('## Größe\n\n## Größe', { level: 1, idPrefix: 'intro-' })
  expect(headings.map((heading) => heading.id)).toEqual(['intro-größe', 'intro-größe-2'])
  expect(body.text).toContain('<h2 id="intro-größe">')
})

test('code in a fence is kept as it is, also when the fence is never closed', () => {
  expect(markdown('```\n# <no>\n\n- heading').text).toContain('# &lt;no&gt;\n\n- heading')
})
