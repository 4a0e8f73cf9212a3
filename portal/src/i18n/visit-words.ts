import { visits as de } from './de/visits.ts'
import { visits as en } from './en/visits.ts'
import { pageWords } from './page-words.ts'

export const visitWords = pageWords({ en, de })
