import { describe, expect, it } from 'vitest'
import { parseJson } from './body.ts'
import { shapeOf } from './json-shape.ts'

const shape = (text: string) => shapeOf(Buffer.from(text))
const HALF = /half a surrogate pair/
const NUL = /NUL/

describe('what is told of a JSON text by its bytes', () => {
  it('counts members as they are written, and levels, but for what stands in a text', () => {
    expect(shape('{"a":1,"a":[{"b:{[":"}]:\\"{:"}]}')).toMatchObject({ members: 3, depth: 3 })
    expect(shape('"["')).toMatchObject({ members: 0, depth: 0 })
    expect(shape('[[],[[]]]')).toMatchObject({ depth: 3 })
  })

  it('counts the members of the widest object, those of others inside of it apart', () => {
    expect(shape('{"a":{"b":1,"c":[{"d":1,"e":2,"f":3}]},"g":1}')).toMatchObject({ members: 7, widest: 3 })
    expect(shape('[{"a":1,"b":2},{"c":3}]')).toMatchObject({ widest: 2 })
    expect(shape(`${'[{"a":'.repeat(500)}}]]]]]]:::`)).toMatchObject({ members: 503 })
  })

  it('an object of more members than any here has is refused before it is made', () => {
    const wide = (count: number) => Buffer.from(`[{${Array.from({ length: count }, (_, i) => `"k${i}":1`).join()}}]`)
    expect(() => parseJson(wide(1001))).toThrow(/more than 1000 members/)
    expect(parseJson(wide(1000))).toHaveLength(1)
    const many = `[${Array.from({ length: 2000 }, () => '{"a":1,"b":2}').join()}]`
    expect(parseJson(Buffer.from(many))).toHaveLength(2000)
  })

  it.each([
    ['a NUL', '"\\u0000"', NUL],
    ['a NUL in a key', '{"a\\u0000":1}', NUL],
    ['the first half of a pair', '"\\ud83d"', HALF],
    ['the first half twice', '"\\ud83d\\uD83D\\ude00"', HALF],
    ['the second half', '"\\uDE00"', HALF],
    ['both halves the wrong way round', '"\\ude00\\ud83d"', HALF],
    ['both halves with something between', '"\\ud83d \\ude00"', HALF],
    ['half a pair before a text that begins with the other', '["\\ud83d","\\ude00"]', HALF],
    ['a half after an escaped backslash', '"\\\\\\ud83d"', HALF],
  ])('%s is refused', (_what, text, message) => {
    expect(() => parseJson(Buffer.from(text))).toThrow(message)
  })

  it.each([
    '"\\ud83d\\ude00"',
    '"\\uD83D\\uDE00"',
    '"\\\\u0000"',
    '"\\\\ud83d"',
    '"\\u00e9\\uffff\\ue000\\u000a"',
    '"😀"',
  ])('%s is read', (text) => {
    expect(parseJson(Buffer.from(text))).toBe(JSON.parse(text))
  })

  it('finds what looking at every text would find, whatever is written by escapes', () => {
    const units = ['0000', '0041', 'd7ff', 'd800', 'DBFF', 'dc00', 'DFFF', 'e000']
    for (const [first, second, third] of units.flatMap((a) =>
      units.flatMap((b) => units.map((c) => [a, b, c] as const)),
    )) {
      const text = `"\\u${first}\\u${second}\\u${third}"`
      const value = JSON.parse(text) as string
      expect([text, shape(text).hasNul, shape(text).hasHalfPair]).toEqual([
        text,
        value.includes('\0'),
        !value.isWellFormed(),
      ])
    }
  })
})
