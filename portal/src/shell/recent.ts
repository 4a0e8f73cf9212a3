import { type Noun, resources } from '../resource/resources.ts'

/** What somebody looked at last, for the palette. Only where it was is kept, never a name, and nothing is left for the next person. */
const KEY = 'gatehouse.recent'
const KEPT = 6

export interface Recent {
  noun: Noun
  id: string
}

export function readRecent(): Recent[] {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '[]') as Recent[]
    return kept.filter(({ noun, id }) => noun in resources && typeof id === 'string')
  } catch {
    return []
  }
}

export function noteRecent(noun: Noun, id: string): void {
  const others = readRecent().filter((one) => one.id !== id)
  localStorage.setItem(KEY, JSON.stringify([{ noun, id }, ...others].slice(0, KEPT)))
}

export const dropRecent = (): void => localStorage.removeItem(KEY)
