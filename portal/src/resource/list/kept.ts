import { useState } from 'react'
import { useMe } from '../../api/me.ts'

/** What this browser keeps for this person, such as how close rows stand; lost storage loses nothing that matters. */
export function useKept<T>(name: string, otherwise: T): [T, (value: T) => void] {
  const { id } = useMe()
  const key = `gatehouse ${id} ${name}`
  const [value, setValue] = useState<T>(() => read(key) ?? otherwise)
  return [
    value,
    (next) => {
      setValue(next)
      try {
        localStorage.setItem(key, JSON.stringify(next))
      } catch {
        // Private windows keep nothing.
      }
    },
  ]
}

function read<T>(key: string): T | undefined {
  try {
    const text = localStorage.getItem(key)
    return text === null ? undefined : (JSON.parse(text) as T)
  } catch {
    return undefined
  }
}
