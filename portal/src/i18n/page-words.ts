import type { Language, Messages } from './messages.ts'

/**
 * Words that some pages alone need come with those pages, in every language, and are no part of the first load:
 * `liveWords(t).title`.
 */
export const pageWords =
  <W>(words: Record<Language, W>) =>
  (t: Messages): W =>
    words[t.spoken]
