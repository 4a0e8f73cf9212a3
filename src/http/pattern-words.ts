/** Patterns of fields in words, with an example where the field has none: an expression tells most people nothing. */
const PATTERNS: ReadonlyArray<readonly [source: string, words: string, example?: string]> = [
  ['^[a-z][a-z0-9_-]*$', 'a word of small letters, digits, - and _ that begins with a letter'],
  [
    '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
    'a UUID',
    '01997d2a-4c00-7000-8000-000000000001',
  ],
  ['^[0-9]{4,12}$', '4 to 12 digits'],
  ['^[A-Z]{2}(-[A-Za-z0-9]{1,10}){0,2}$', 'the code of a country, with a region where there is one'],
  ['^[a-z]{2}$', 'the two letters of a language'],
  ['^/(?![/\\\\])[!-\\[\\]-~]*$', 'a path of this service that begins with one slash'],
  ['^[^\\s@]+@[^\\s@]+$', 'an e-mail address'],
  ['^[^\\s@\\u0000-\\u001f\\u007f]+@[^\\s@\\u0000-\\u001f\\u007f]+$', 'an e-mail address'],
  ['^([01][0-9]|2[0-3]):[0-5][0-9]$', 'a time of day', '08:30'],
  ['^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$', 'a time of day, or 24:00 for its end', '18:00'],
]
const known = new Map(PATTERNS.map(([source, words, example]) => [source, { words, example }]))

const CHOICE = /^\^\(([a-z_]+(?:\|[a-z_]+)+)\)\$$/

export function patternInWords(source: string): { words: string; example?: string | undefined } | undefined {
  const [, choices] = CHOICE.exec(source) ?? []
  return choices === undefined ? known.get(source) : { words: `one of ${choices.replaceAll('|', ', ')}` }
}
