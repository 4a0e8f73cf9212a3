import type { Values } from './form-values.ts'

/**
 * What was typed and not saved, for as long as the tab lives: a slip, a reload or the end of a session does not lose
 * it.
 */
const keyOf = (name: string) => `gatehouse.draft.${name}`

export function readDraft(name: string): Values | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(name)) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

export const writeDraft = (name: string, values: Values): void =>
  sessionStorage.setItem(keyOf(name), JSON.stringify(values))
export const dropDraft = (name: string): void => sessionStorage.removeItem(keyOf(name))
/** Nothing of one person is left for the next. */
export function dropAllDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(keyOf(''))) sessionStorage.removeItem(key)
}
