import { live as de } from './de/live.ts'
import { live as en } from './en/live.ts'
import { pageWords } from './page-words.ts'

export const liveWords = pageWords({ en, de })

/** What is said of a device, in the reader's language where there are words for it. */
export function noteOf<Note extends { code: string; message: string } | null>(
  words: typeof en,
  note: Note,
): string | (null extends Note ? undefined : never) {
  return (note === null ? undefined : (words.deviceNotes[note.code] ?? note.message)) as never
}
