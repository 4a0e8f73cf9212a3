import { describe, expect, it } from 'vitest'
import { checkCursor, isOfTypes } from './feed.ts'

describe('types of a feed', () => {
  it.each([
    ['key.issued', 'key.issued', true],
    ['key.issued', 'key.*', true],
    ['key.issued', '*.issued', true],
    ['key.issued', '*', true],
    ['key.issued', 'k*.*d', true],
    ['key.issued', 'key', false],
    ['key.issued', 'key.issue', false],
    ['key-type.created', 'key.*', false],
    ['ab', 'ab*b', false],
    ['abb', 'ab*b', true],
    ['a.b', 'a?b', false],
  ])('%s is among %s: %s', (type, pattern, expected) => {
    expect(isOfTypes(type, [pattern])).toBe(expected)
  })

  it('none given is all, an empty list none', () => {
    expect([isOfTypes('a.b', undefined), isOfTypes('a.b', [])]).toEqual([true, false])
  })
})

describe('a cursor', () => {
  const reasonOf = (after: number, bounds: { first: number; last: number }) => {
    try {
      checkCursor(after, bounds)
      return undefined
    } catch (error) {
      return (error as { reason: string }).reason
    }
  }

  it('is good where nothing after it is gone, and not where something is, or where nothing has been yet', () => {
    const bounds = { first: 11, last: 20 }
    expect([0, 9, 10, 11, 20, 21].map((after) => reasonOf(after, bounds))).toEqual([
      undefined,
      'feed.expired',
      undefined,
      undefined,
      undefined,
      'feed.ahead',
    ])
    expect([0, 1].map((after) => reasonOf(after, { first: 1, last: 0 }))).toEqual([undefined, 'feed.ahead'])
  })
})
