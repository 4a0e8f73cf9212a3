import type { Messages } from './messages.ts'

let spoken: Readonly<Record<string, string>> = {}

/** Called when a language has been loaded. */
export function speakNames(t: Messages): void {
  spoken = t.identity.builtInNames
}

/** The built-in roles come in English from the service: their names in the language that is spoken. Any other name is as it was given. */
export const givenName = (name: string): string => spoken[name] ?? name
