import { live as de } from './de/live.ts'
import { live as en } from './en/live.ts'
import { pageWords } from './page-words.ts'

export const liveWords = pageWords({ en, de })
