let spoken: Readonly<Record<string, string>> = {}

/** Called with the names of a language that has been loaded. */
export function speakNames(names: Readonly<Record<string, string>>): void {
  spoken = names
}

/**
 * The built-in roles come in English from the service: their names in the language that is spoken. Any other name is as
 * it was given.
 */
export const givenName = (name: string): string => spoken[name] ?? name
