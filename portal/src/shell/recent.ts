import type { Me } from '../api/generated/types.ts'
import { type Noun, resources } from '../resource/resources.ts'
import { isKeyOf, isRecord } from '../typed.ts'

/**
 * What somebody looked at last, and what they asked about, in each organization. Only where it was is kept, never a
 * name, and nothing is
 * left for the next person. */
const PREFIX = 'gatehouse.recent'
const KEPT = 6

export interface Recent {
  noun: Noun
  id: string
}

const isRecent = (kept: unknown): kept is Recent =>
  isRecord(kept) && typeof kept.id === 'string' && isKeyOf(resources, String(kept.noun))

type What = 'seen' | 'asked'

const keyOf = (me: Me, what: What): string => `${PREFIX} ${me.organization.id} ${me.id} ${what}`

export function readRecent(me: Me, what: What): Recent[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(me, what)) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isRecent) : []
  } catch {
    return []
  }
}

export function noteRecent(me: Me, what: What, noun: Noun, id: string): void {
  const others = readRecent(me, what).filter((one) => one.id !== id)
  localStorage.setItem(keyOf(me, what), JSON.stringify([{ noun, id }, ...others].slice(0, KEPT)))
}

export function dropRecent(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key)
}
