import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react'
import { load, remember, type Spoken } from './load.ts'
import type { Language, Messages } from './messages.ts'

interface LanguageContext extends Spoken {
  speak(language: Language): void
}

const Context = createContext<LanguageContext | undefined>(undefined)

export function LanguageProvider({ initial, children }: { initial: Spoken; children: ReactNode }) {
  const [spoken, setSpoken] = useState(initial)
  const speak = useCallback(async (language: Language) => {
    remember(language)
    setSpoken(await load(language))
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
