import { functions, properties } from './svg-names.ts'

/** Most values: numbers, names and colours. */
const PLAIN = /^[\w\s.,+#%-]*$/
const LOCAL = /url\(\s*(?:#([\w.:-]+)|"#([\w.:-]+)"|'#([\w.:-]+)')\s*\)/g

/** The parts of the image that a value points at; undefined: it says something that we do not let through. */
export function referencesIn(value: string): string[] | undefined {
  if (PLAIN.test(value)) return []
  // Escapes and comments spell names otherwise than they are read here; the rest has no place in what draws.
  if (/[\\<>@{}]|\/\*/.test(value)) return undefined
  if (!functionsIn(value).every((name) => functions.has(name))) return undefined
  const rest = value.replace(LOCAL, '')
  return /url|:\s*\/\/|(?:java|vb)script:|data:/i.test(rest)
    ? undefined
    : [...value.matchAll(LOCAL)].map(([, plain, double, single]) => plain ?? double ?? single ?? '')
}

/** The names before each opening bracket. */
const functionsIn = (value: string): string[] =>
  value
    .split('(')
    .slice(0, -1)
    .map(lastName)
    .filter((name) => name !== '')

function lastName(text: string): string {
  const trimmed = text.trimEnd()
  let start = trimmed.length
  while (start > 0 && /[\w-]/.test(trimmed.charAt(start - 1))) start -= 1
  return trimmed.slice(start)
}

interface Style {
  text: string
  references: string[]
  /** Something was left out that points elsewhere. */
  isCut: boolean
}

/** The declarations of a style that are known and harmless. */
export function safeStyle(text: string): Style {
  const kept: string[] = []
  const references: string[] = []
  let isCut = false
  for (const declaration of text.split(';')) {
    const colon = declaration.indexOf(':')
    const name = declaration.slice(0, Math.max(0, colon)).trim().toLowerCase()
    const value = declaration.slice(colon + 1).trim()
    const found = referencesIn(value)
    if (found === undefined) isCut = true
    if (found === undefined || !properties.has(name)) continue
    kept.push(`${name}:${value}`)
    references.push(...found)
  }
  return { text: kept.join(';'), references, isCut }
}

/**
 * The rules of a style sheet: plain selectors, no rule with @, nothing that points anywhere. Undefined: it has
 * something else.
 */
export function safeSheet(text: string): string | undefined {
  const rules = withoutComments(text).split('}')
  if (rules.pop()?.trim() !== '') return undefined
  const kept: string[] = []
  for (const rule of rules) {
    const [selector = '', body, ...more] = rule.split('{')
    if (body === undefined || more.length > 0 || !/^[\w\s.#,*>+~:-]+$/.test(selector)) return undefined
    const style = safeStyle(body)
    if (style.isCut || style.references.length > 0) return undefined
    kept.push(`${selector.trim()}{${style.text}}`)
  }
  return kept.join('\n')
}

/** A comment that does not end stays, and is then refused. */
function withoutComments(text: string): string {
  let kept = ''
  let from = 0
  for (;;) {
    const begin = text.indexOf('/*', from)
    const end = begin < 0 ? -1 : text.indexOf('*/', begin + 2)
    if (end < 0) return kept + text.slice(from)
    kept += text.slice(from, begin)
    from = end + 2
  }
}
