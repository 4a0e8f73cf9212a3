import { functions, properties } from './svg-names.ts'

/** Most values: numbers, names and colours. */
const PLAIN = /^[\w\s.,+#%-]*$/
const LOCAL = /url\(\s*(["']?)#([\w.:-]+)\1\s*\)/g

/** The parts of the image that a value points at; undefined: it says something that we do not let through. */
export function referencesIn(value: string): string[] | undefined {
  if (PLAIN.test(value)) return []
  // Escapes and comments spell names otherwise than they are read here; the rest has no place in what draws.
  if (/[\\<>@{}]|\/\*/.test(value)) return undefined
  for (const [, name = ''] of value.matchAll(/([\w-]*)\s*\(/g)) if (name !== '' && !functions.has(name)) return undefined
  const rest = value.replace(LOCAL, '')
  return /url|:\s*\/\/|(?:java|vb)script:|data:/i.test(rest) ? undefined : [...value.matchAll(LOCAL)].map(([, , id = '']) => id)
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

/** The rules of a style sheet: plain selectors, no rule with @, nothing that points anywhere. Undefined: it has something else. */
export function safeSheet(text: string): string | undefined {
  const rules = text.replace(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, '').split('}')
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
