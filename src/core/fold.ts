const LETTERS: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' }

/** Most texts: of these there is nothing to fold but the case. */
const isPlain = (text: string): boolean => !/[^\p{ASCII}]/u.test(text)

/** How text is compared in searches: without case, accents or ligatures. `Zürich` and `zurich` are the same. */
export const fold = (text: string): string =>
  isPlain(text)
    ? text.toLowerCase()
    : text
        .normalize('NFKD')
        .replace(/\p{M}+/gu, '')
        .toLowerCase()
        .replace(/[ßæœøłđðþı]/g, (letter) => LETTERS[letter] ?? letter)

/**
 * The words of a text, folded: what a search looks for and looks through. They contain no white space and no control
 * characters.
 */
export const searchWords = (text: string): string[] =>
  fold(text)
    .split(/[\s\p{Cc}]+/u)
    .filter(Boolean)
