import { escapeHtml, type Html, html, raw } from './html.ts'

type Language = 'json' | 'shell' | 'http' | 'text'

const languageNames: Record<Language, string> = { json: 'JSON', shell: 'Shell', http: 'HTTP', text: 'Text' }

/** A block of code. Focusable, because it may scroll sideways. */
export const codeBlock = (code: string, language: Language, label = languageNames[language]): Html =>
  html`<figure class="code"><figcaption>${label}</figcaption><pre
    tabindex="0"><code>${highlight(code, language)}</code></pre></figure>`

export const jsonBlock = (value: unknown, label?: string) => codeBlock(JSON.stringify(value, null, 2), 'json', label)

function highlight(code: string, language: Language): Html {
  if (language === 'json') return raw(mark(code, jsonTokens))
  if (language === 'shell') return raw(mark(code, shellTokens))
  return raw(escapeHtml(code))
}

const jsonTokens =
  /(?<string>"(?:[^"\\]|\\.)*"?)(?=(?<colon>\s*:)?)|(?<literal>\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g
const shellTokens = /(?<comment>^#.*$)|(?<string>'[^']*'?|"(?:[^"\\]|\\.)*"?)|(?<key>(?<=^|\s)-{1,2}[A-Za-z][\w-]*)/gm

function mark(code: string, tokens: RegExp): string {
  let out = ''
  let end = 0
  for (const match of code.matchAll(tokens)) {
    const { colon, ...groups } = match.groups ?? {}
    const found = Object.keys(groups).find((name) => groups[name] !== undefined) ?? ''
    // What stands before a colon is a name.
    const kind = colon === undefined ? found : 'key'
    out += `${escapeHtml(code.slice(end, match.index))}<span class="t-${kind}">${escapeHtml(match[0])}</span>`
    end = match.index + match[0].length
  }
  return out + escapeHtml(code.slice(end))
}
