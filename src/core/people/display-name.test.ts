import { describe, expect, it } from 'vitest'
import { displayNameOf, nextDisplayName } from './display-name.ts'

const ada = { given_name: 'Ada', family_name: 'Byron', display_name: 'Ada Byron' }

describe('a display name', () => {
  it('is the two names put together, without stray blanks', () => {
    expect(displayNameOf({ given_name: ' Ada ', family_name: '' })).toBe('Ada')
    expect(displayNameOf(ada)).toBe('Ada Byron')
  })

  it('follows the names while it is made of them', () => {
    expect(nextDisplayName(ada, { ...ada, family_name: 'Lovelace' })).toBe('Ada Lovelace')
  })

  it('stays when somebody chose it', () => {
    const chosen = { ...ada, display_name: 'Countess' }
    expect(nextDisplayName(chosen, { ...chosen, family_name: 'Lovelace' })).toBe('Countess')
    expect(nextDisplayName(ada, { ...ada, family_name: 'Lovelace', display_name: 'Countess' })).toBe('Countess')
  })

  it('is never emptied', () => {
    expect(nextDisplayName(ada, { ...ada, given_name: '', family_name: ' ' })).toBe('Ada Byron')
  })
})
