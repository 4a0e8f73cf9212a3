import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react'
import type { Language, Messages } from './messages.ts'

const loaders: Record<Language, () => Promise<Messages>> = {
  en: async () => (await import('./en/en.ts')).en,
  de: async () => (await import('./de/de.ts')).de,
}
export const languages = Object.keys(loaders) as Language[]
/** In its own language, as a menu of languages shows it. */
export const languageNames: Record<Language, string> = { en: 'English', de: 'Deutsch' }

const KEY = 'gatehouse.language'
const isLanguage = (text: string | null | undefined): text is Language => languages.includes(text as Language)

function preferred(): Language {
  const chosen = localStorage.getItem(KEY)
  if (isLanguage(chosen)) return chosen
  return navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? 'en'
}

interface Spoken {
  language: Language
  t: Messages
}

interface LanguageContext extends Spoken {
  speak(language: Language): void
}

const Context = createContext<LanguageContext | undefined>(undefined)

/** Before the first render: nobody sees the wrong language flash by. */
export async function loadLanguage(): Promise<Spoken> {
  const language = preferred()
  return { language, t: await loaders[language]() }
}

export function LanguageProvider({ initial, children }: { initial: Spoken; children: ReactNode }) {
  const [spoken, setSpoken] = useState(initial)
  const speak = useCallback(async (language: Language) => {
    localStorage.setItem(KEY, language)
    setSpoken({ language, t: await loaders[language]() })
  }, [])
  useEffect(() => {
    document.documentElement.lang = spoken.language
  }, [spoken.language])
  const value = useMemo(() => ({ ...spoken, speak }), [spoken, speak])
  return <Context value={value}>{children}</Context>
}

export function useLanguage(): LanguageContext {
  const context = use(Context)
  if (!context) throw new Error('there is no LanguageProvider')
  return context
}

/** The words of the person's language: `t.form.saveButton`. */
export const useWords = (): Messages => useLanguage().t
