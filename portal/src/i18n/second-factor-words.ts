import { secondFactor as de } from './de/second-factor.ts'
import { secondFactor as en } from './en/second-factor.ts'
import { pageWords } from './page-words.ts'

export const secondFactorWords = pageWords({ en, de })
