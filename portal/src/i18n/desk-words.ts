import { desk as de } from './de/desk.ts'
import { desk as en } from './en/desk.ts'
import { pageWords } from './page-words.ts'

export const deskWords = pageWords({ en, de })
