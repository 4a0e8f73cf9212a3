import { reviews as de } from './de/reviews.ts'
import { reviews as en } from './en/reviews.ts'
import { pageWords } from './page-words.ts'

export const reviewWords = pageWords({ en, de })
