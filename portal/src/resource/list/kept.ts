import { useState } from 'react'
import { useMe } from '../../api/me.ts'

/** What this browser keeps for this person, such as how close rows stand; lost storage loses nothing that matters. */
export function useKept<T>(name: string, otherwise: T): [T, (value: T) => void] {
  const { id } = useMe()
  const key = `gatehouse ${id} ${name}`
  const [value, setValue] = useState<T>(() => read(key, otherwise))
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

/** What was kept, where it still is of the kind that is asked for. */
function read<T>(key: string, otherwise: T): T {
  const isAlike = (kept: unknown): kept is T =>
    typeof kept === typeof otherwise && Array.isArray(kept) === Array.isArray(otherwise)
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return kept !== null && isAlike(kept) ? kept : otherwise
  } catch {
    return otherwise
  }
}
