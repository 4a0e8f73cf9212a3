import { describe, expect, test } from 'vitest'
import { html, page, raw } from './html.ts'
import { pageAssets, pageSecurityPolicy } from './page-assets.ts'

describe('html', () => {
  test('everything put in is escaped, in text and in attributes', () => {
    const evil = `"><script>alert('x')</script>&`
    expect(html`<a title="${evil}">${evil}</a>`.text).toBe(
      '<a title="&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;">&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;</a>',
    )
  })

  test('what html made goes in as it stands, alone or in a list', () => {
    expect(html`<ul>${['a<', 'b'].map((item) => html`<li>${item}</li>`)}</ul>`.text).toBe(
      '<ul><li>a&lt;</li><li>b</li></ul>',
    )
  })

  test('raw markup goes in as it stands; nothing and booleans print nothing', () => {
    expect(html`${raw('<br>')}${undefined}${null}${false}${true}${0}`.text).toBe('<br>0')
  })

  test('an object that only looks like markup is escaped', () => {
    const fake = { text: '<b>', toString: () => '<b>' } as unknown as string
    expect(html`${fake}`.text).toBe('&lt;b&gt;')
  })
})

describe('the layout', () => {
  const rendered = page({ section: 'reference', title: '<T>', nav: html`<ul></ul>`, main: html`<h1>x</h1>` })

  test('escapes the title and has language, skip link, navigation and main', () => {
    expect(rendered).toContain('<title>&lt;T&gt; · Gatehouse</title>')
    expect(rendered).toContain('<html lang="en">')
    expect(rendered).toContain('<a class="skip" href="#main">')
    expect(rendered).toContain('<nav class="side" id="contents"')
    expect(rendered).toContain('<main id="main"')
  })

  test('loads nothing but our own assets, and the policy allows nothing else', () => {
    const loaded = [...rendered.matchAll(/<(?:link|script)[^>]*(?:href|src)="([^"]+)"/g)].map((match) => match[1])
    expect(loaded.toSorted()).toEqual(pageAssets.map((asset) => asset.path).toSorted())
    expect(pageSecurityPolicy).not.toMatch(/unsafe|https?:|\*/)
  })

  test('the stylesheet asks for nothing', () => {
    const style = pageAssets.find((asset) => asset.path === '/docs/style.css')
    expect(style?.body.text).not.toMatch(/url\(|@import|@font-face/)
  })
})
