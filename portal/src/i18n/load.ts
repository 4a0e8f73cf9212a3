import { isKeyOf, keysOf } from '../typed.ts'
import { speakNames } from './given-names.ts'
import type { Language, Messages } from './messages.ts'

const loaders: Record<Language, () => Promise<Messages>> = {
  en: async () => (await import('./en/en.ts')).en,
  de: async () => (await import('./de/de.ts')).de,
}
export const languages = keysOf(loaders)
/** In its own language, as a menu of languages shows it. */
export const languageNames: Record<Language, string> = { en: 'English', de: 'Deutsch' }

const KEY = 'gatehouse.language'
const isLanguage = (text: string | null | undefined): text is Language => isKeyOf(loaders, text ?? '')

function preferred(): Language {
  const chosen = localStorage.getItem(KEY)
  if (isLanguage(chosen)) return chosen
  return navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? 'en'
}

export interface Spoken {
  language: Language
  t: Messages
}

export async function load(language: Language): Promise<Spoken> {
  const t = await loaders[language]()
  speakNames(t.identity.builtInNames)
  return { language, t }
}

/** The language that was chosen here, or one that the browser asks for. */
export const loadPreferred = (): Promise<Spoken> => load(preferred())

export const remember = (language: Language): void => localStorage.setItem(KEY, language)
