import { live as de } from './de/live.ts'
import { live as en } from './en/live.ts'
import { pageWords } from './page-words.ts'

export const liveWords = pageWords({ en, de })

/** What is said of a device, in the reader's language where there are words for it. */
export function noteOf(words: typeof en, note: { code: string; message: string }): string
export function noteOf(words: typeof en, note: { code: string; message: string } | null): string | undefined
export function noteOf(words: typeof en, note: { code: string; message: string } | null): string | undefined {
  return note === null ? undefined : (words.deviceNotes[note.code] ?? note.message)
}
