import { times as de } from './de/times.ts'
import { times as en } from './en/times.ts'
import { pageWords } from './page-words.ts'

export const timesWords = pageWords({ en, de })
