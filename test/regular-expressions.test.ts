import { globSync, readFileSync } from 'node:fs'
import { check } from 'recheck'
import { parseSync } from 'vite'
import { describe, expect, it } from 'vitest'

interface Expression {
  source: string
  flags: string
  where: string
}

/**
 * What is tried at random is the same each time, and steps are counted: how long the machine takes for them says
 * nothing.
 */
const OPTIONS = {
  timeout: 100_000,
  randomSeed: 1,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
  attackLimit: 20_000_000,
}

/** What is made at runtime, by the text that makes it: an example of what comes out. A new one is entered here. */
const made: Record<string, string> = {
  "new RegExp(`^${escaped.replace(/\\/$/, '')}/?$`)": '^/api/v1/service-users/[^/]+/tokens/[^/]+/?$',
  'new RegExp(ADDRESS)': '^[^\\s@\\u0000-\\u001f\\u007f]+@[^\\s@\\u0000-\\u001f\\u007f]+$',
  // Every pattern of a body is looked at below.
  "new RegExp(pattern, 'u')": '^[0-9]{4,12}$',
  'new RegExp(UUID_PATTERN)': '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
  "new RegExp(`${BREAKING.source}|${UNSEEN.source}`, 'u')":
    '[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Bidi_Control}\\uFFF9-\\uFFFB]|\\p{Default_Ignorable_Code_Point}',
  "new RegExp(`\\\\b${alias}\\\\.org = :org\\\\b`, 'g')": '\\balias\\.org = :org\\b',
  'new RegExp(`, ?${table}\\\\b(?! ?\\\\.)`)': ', ?sessions\\b(?! ?\\.)',
  'new RegExp(`^${TOKEN_PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`)': '^acs_pat_[0-9A-Za-z]{49}$',
}

/** The literals of a file, and the texts of its `new RegExp`. */
function read(path: string): { literals: Expression[]; constructed: string[] } {
  const text = readFileSync(path, 'utf8')
  const literals: Expression[] = []
  const constructed: string[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, regex, callee, start, end } = node as Record<string, unknown>
    if (type === 'Literal' && regex) {
      const { pattern, flags } = regex as { pattern: string; flags: string }
      literals.push({ source: pattern, flags, where: path })
    }
    const isMade = type === 'NewExpression' || type === 'CallExpression'
    if (isMade && (callee as { name?: string }).name === 'RegExp')
      constructed.push(text.slice(Number(start), Number(end)))
    for (const value of Object.values(node)) visit(value)
  }
  visit(parseSync(path, text).program)
  return { literals, constructed }
}

/** Every `pattern` that bodies are held to. */
function patternsOf(value: unknown, where: string): Expression[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'pattern' && typeof inner === 'string' ? [{ source: inner, flags: 'u', where }] : patternsOf(inner, where),
  )
}

const files = globSync('src/**/*.ts').filter((path) => !path.endsWith('.test.ts'))
const found = files.map(read)
const expressions = [
  ...found.flatMap(({ literals }) => literals),
  ...Object.entries(made).map(([where, source]) => ({ source, flags: 'u', where })),
  ...patternsOf(JSON.parse(readFileSync('docs/openapi.json', 'utf8')), 'docs/openapi.json'),
]
const distinct = [...new Map(expressions.map((one) => [`/${one.source}/${one.flags}`, one])).values()]

describe('no text makes a regular expression take longer than its length allows', () => {
  it('all of src are looked at', () => {
    expect(expressions.length).toBeGreaterThan(100)
    expect([...new Set(found.flatMap(({ constructed }) => constructed))].sort()).toEqual(Object.keys(made).sort())
  })

  it.each(distinct)('/$source/$flags in $where', { timeout: 120_000 }, async ({ source, flags, where }) => {
    expect((await check(source, flags, OPTIONS)).status, where).toBe('safe')
  })

  it('one that does is found', async () => {
    for (const source of ['([?&][^=&"\\s]*(?:token|key)=)x', 'eyJ[\\w-]{8,}\\.[\\w-]{8,}', '^(a+)+$', '(?=a)a+b'])
      expect((await check(source, 'g', OPTIONS)).status, source).toBe('vulnerable')
  })
})
