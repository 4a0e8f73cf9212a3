import { describe, expect, it } from 'vitest'
import { covers, Rights } from './rights.ts'

const places = (locations: string[], buildings: string[] = []) => ({
  locations: new Set(locations),
  buildings: new Set(buildings),
})
const reader = { permissions: ['spaces:read', 'keys:read'], places: undefined } as const

describe('access', () => {
  it('adds up roles: the same permission in two places holds in both', () => {
    const rights = new Rights([
      { permissions: ['spaces:read'], places: places(['north'], ['n1']) },
      { permissions: ['spaces:read'], places: places(['south'], ['s1']) },
    ])
    expect(rights.scopeOf('spaces:read')).toEqual(places(['north', 'south'], ['n1', 's1']))
    expect(rights.can('keys:read')).toBe(false)
  })

  it('holds the places of the same roles once, whatever number of permissions they give', () => {
    const permissions = ['spaces:read', 'keys:read'] as const
    const rights = new Rights([
      { permissions, places: places(['north'], ['n1']) },
      { permissions, places: places(['south'], ['s1']) },
      { permissions: ['keys:read'], places: places(['west']) },
      { permissions: ['keys:handover', 'spaces:read', 'keys:write'], places: places(['east']) },
    ])
    expect(rights.scopeOf('spaces:read')).toEqual(places(['north', 'south', 'east'], ['n1', 's1']))
    expect(rights.scopeOf('keys:read')).toEqual(places(['north', 'south', 'west'], ['n1', 's1']))
    expect(rights.scopeOf('keys:handover')).toBe(rights.scopeOf('keys:write'))
    const two = new Rights(['north', 'south'].map((name) => ({ permissions, places: places([name]) })))
    expect(two.scopeOf('keys:read')).toBe(two.scopeOf('spaces:read'))
  })

  it('a role for the whole organization outweighs one for a place', () => {
    const rights = new Rights([{ permissions: ['spaces:read'], places: places(['north']) }, reader])
    expect(rights.scopeOf('spaces:read')).toBe('all')
  })

  it('a token takes permissions away and never adds any', () => {
    const rights = new Rights([reader], { permissions: ['spaces:read', 'spaces:write'] })
    expect(rights.entries()).toEqual([['spaces:read', 'all']])
  })

  it('a token limited to a place narrows every role to that place', () => {
    const narrowing = { places: places(['north'], ['n1']) }
    expect(new Rights([reader], narrowing).scopeOf('keys:read')).toEqual(places(['north'], ['n1']))
    const both = new Rights([{ permissions: ['keys:read'], places: places(['south', 'north'], ['s1']) }], narrowing)
    expect(both.scopeOf('keys:read')).toEqual(places(['north']))
  })

  it('a token limited to a place where its holder has no role may do nothing', () => {
    const rights = new Rights([{ permissions: ['keys:read'], places: places(['south']) }], {
      places: places(['north']),
    })
    expect(rights.can('keys:read')).toBe(false)
  })
})

describe('what somebody holds covers what is asked', () => {
  it.each([
    ['everywhere covers everywhere', 'all', 'all', true],
    ['everywhere covers a place', 'all', places(['north']), true],
    ['a place does not cover everywhere', places(['north']), 'all', false],
    ['a place covers itself', places(['north'], ['n1']), places(['north'], ['n1']), true],
    ['a place covers less', places(['north', 'south'], ['n1']), places(['north']), true],
    ['a place does not cover another', places(['north']), places(['south']), false],
    ['a location does not cover a building elsewhere', places(['north'], ['n1']), places([], ['s1']), false],
    ['nothing does not cover anything', undefined, places(['north']), false],
    ['nothing does not even cover nowhere', undefined, places([]), false],
  ] as const)('%s', (_name, held, asked, expected) => {
    expect(covers(held, asked)).toBe(expected)
  })
})
