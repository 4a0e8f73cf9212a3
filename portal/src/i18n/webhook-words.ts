import { webhooks as de } from './de/webhooks.ts'
import { webhooks as en } from './en/webhooks.ts'
import { pageWords } from './page-words.ts'

export const webhookWords = pageWords({ en, de })
