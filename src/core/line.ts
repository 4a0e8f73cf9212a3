/** Breaks a line, turns the direction of what follows, or annotates what nobody sees. */
const BREAKING = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\uFFF9-\uFFFB]/u
const UNSEEN = /\p{Default_Ignorable_Code_Point}/u
const BLANK = /[\p{Z}\u2800]/u
/** Nearly no text has any of these: what has none is looked at as a whole, which takes a fortieth of the time. */
const DOUBTFUL = new RegExp(`${BREAKING.source}|${UNSEEN.source}`, 'u')
const SHOWN = /[^\p{Z}\u2800]/u
const JOINERS = '\u200C\u200D'
/**
 * What a joiner shapes: letters of scripts that are written joined, those of India among them, and pictures that make
 * up one.
 */
const JOINED =
  /\uFE0F|[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{sc=Arab}\p{sc=Syrc}\p{sc=Mong}\p{sc=Khmr}\p{sc=Mymr}\u0900-\u0DFF]/u
/** Picks one of several forms of the character before it. */
const VARIATION = /[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/u
const VARIED = /[\p{Emoji}\p{Ideographic}\p{sc=Mymr}]/u

/**
 * A text that people read in one line: two that look the same are the same, and one that is not empty shows something.
 * Undefined: nothing is wrong with it; otherwise what it has that nobody sees.
 */
export function lineFault(text: string): string | undefined {
  if (!DOUBTFUL.test(text)) return text === '' || SHOWN.test(text) ? undefined : 'nothing but blanks'
  const characters = [...text]
  let showsSomething = false
  for (const [index, character] of characters.entries()) {
    const isUnseen = UNSEEN.test(character)
    if (BREAKING.test(character) || (isUnseen && !hasEffect(characters, index)))
      return `the character ${codeOf(character)}`
    showsSomething ||= !isUnseen && !BLANK.test(character)
  }
  return showsSomething ? undefined : 'nothing but blanks'
}

/** What can be seen of a text that others wrote, as one line of at most so many characters; empty: nothing. */
export function oneLine(text: string, length: number): string {
  const line = text.replace(/[\s\p{Zl}\p{Zp}]+/gu, ' ').trim()
  const seen =
    lineFault(line) === undefined
      ? line
      : [...line].filter((character) => lineFault(`-${character}`) === undefined).join('')
  return lineFault(seen) === undefined ? [...seen].slice(0, length).join('').trim() : ''
}

function hasEffect(characters: readonly string[], index: number): boolean {
  const [before = '', character = '', after = ''] = [characters[index - 1], characters[index], characters[index + 1]]
  if (VARIATION.test(character)) return VARIED.test(before)
  return JOINERS.includes(character) && JOINED.test(before) && JOINED.test(after)
}

const NAMES: Readonly<Record<string, string>> = { '\n': 'line break', '\r': 'line break', '\t': 'tab' }

const codeOf = (character: string): string => {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  const name =
    NAMES[character] ?? (/\p{Bidi_Control}/u.test(character) ? 'turns the writing direction' : 'cannot be seen')
  return `${code} (${name})`
}
