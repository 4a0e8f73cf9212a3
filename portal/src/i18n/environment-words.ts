import { environment as de } from './de/environment.ts'
import { environment as en } from './en/environment.ts'
import { pageWords } from './page-words.ts'

export const environmentWords = pageWords({ en, de })
