import { glob, readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { errorCatalogue } from '../src/docs/error-catalogue.ts'

const sources: string[] = []
for await (const path of glob('src/**/*.ts'))
  if (!/\.test\.ts$|src\/(demo|docs)\//.test(path)) sources.push(await readFile(path, 'utf8'))

/** The arguments of the call whose opening parenthesis is at `open`, as they are written. */
function argumentsAt(text: string, open: number): string[] {
  const found: string[] = []
  let depth = 0
  let quote = ''
  let start = open + 1
  for (let at = open; at < text.length; at++) {
    const char = text[at] ?? ''
    if (quote) {
      if (char === '\\') at++
      else if (char === quote) quote = ''
    } else if ('\'"`'.includes(char)) quote = char
    else if ('([{'.includes(char)) depth++
    else if (')]}'.includes(char)) depth--
    if (!quote && ((depth === 1 && char === ',') || depth === 0)) {
      found.push(text.slice(start, at).trim())
      start = at + 1
      if (depth === 0) return found
    }
  }
  return found
}

const calls = (name: string, among = sources): string[][] =>
  among.flatMap((text) =>
    [...text.matchAll(new RegExp(`(?<![\\w.])(?<!function )${name}\\(`, 'g'))].map((match) =>
      argumentsAt(text, match.index + match[0].length - 1),
    ),
  )

/** The texts in an expression; what is put into one is named by its last word: `user.<status>`. */
const texts = (expression: string): string[] =>
  [...expression.matchAll(/'([^']*)'|`([^`]*)`/g)].map(
    ([, plain, template]) => plain ?? (template ?? '').replace(/\$\{[^}]*?(\w+)\}/g, '<$1>'),
  )

/** Functions that are handed the reason: their name, and which argument it is. */
const helpers = sources.flatMap((text) =>
  [...text.matchAll(/(?:export )?(?:const (\w+) = (?:async )?|function (\w+))\(/g)].flatMap((match) => {
    const parameters = argumentsAt(text, match.index + match[0].length - 1)
    const at = parameters.findIndex((parameter) => /^(reason|prefix)\??(: string)?$/.test(parameter))
    // Others are handed the reason of something that goes on the record, not into an answer.
    const answers = /AppError\(|invalid\(|fault\(/.test(text.slice(match.index).split('\n\n', 1)[0] ?? '')
    return at === -1 || !answers
      ? []
      : [{ name: match[1] ?? match[2] ?? '', at, among: match[0].startsWith('export') ? sources : [text] }]
  }),
)

const isReason = (text: string): boolean => /^[a-z_]+(\.[a-z_<>]+)?$|^<\w+>\.\w+$/.test(text)
const given = calls('new AppError').flatMap(([, , options = '']) =>
  [...options.matchAll(/reason: (`[^`]*`|[^,}]+)/g)].flatMap(([, expression = '']) => texts(expression)),
)
const handed = helpers.flatMap(({ name, at, among }) => calls(name, among).flatMap((values) => texts(values[at] ?? '')))
/** Of what is looked up by the kind of fault. */
const listed = sources.flatMap((text) => [...text.matchAll(/: '(body\.\w+)'/g)].map(([, reason = '']) => reason))
const reasons = [...new Set([...given, ...handed, ...listed])].filter(isReason).sort()

const known = new Set(
  Object.values(errorCatalogue).flatMap(({ reasons: groups = [] }) =>
    groups.flatMap((group) => Object.keys(group.reasons)),
  ),
)

/** `grant.<status>` stands for grant.revoked, and for whatever else the source puts there. */
const isKnown = (reason: string): boolean =>
  known.has(reason) ||
  [...known].some((pattern) => pattern.includes('<') && reason.startsWith(pattern.split('<', 1)[0] ?? ''))

describe('every reason that an error can have', () => {
  it('is found in the source, however it is written', () => {
    expect(helpers.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['invalid', 'fault', 'refuse', 'parseBounded']),
    )
    expect(reasons.length).toBeGreaterThan(100)
    expect(reasons).toEqual(
      expect.arrayContaining([
        'in_use',
        'body.required',
        'filter.enum_value',
        'individual.<status>',
        'credential.found_first',
        'wrong_scheme',
      ]),
    )
  })

  it('is in the catalogue, with what it means and what to do', () => {
    const expanded = reasons.flatMap((reason) =>
      reason.startsWith('<prefix>')
        ? ['page', 'limit', 'param'].map((prefix) => reason.replace('<prefix>', prefix))
        : [reason],
    )
    expect(expanded.filter((reason) => !isKnown(reason) && !['page', 'limit', 'param'].includes(reason))).toEqual([])
  })

  it('has a sentence', () => {
    for (const { reasons: groups = [] } of Object.values(errorCatalogue)) {
      for (const sentence of groups.flatMap((group) => Object.values(group.reasons)))
        expect(sentence).toMatch(/^[A-Z`].{15,}\.$/)
    }
  })
})
