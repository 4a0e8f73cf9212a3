import { plans as de } from './de/plans.ts'
import { plans as en } from './en/plans.ts'
import { pageWords } from './page-words.ts'

export const planWords = pageWords({ en, de })
