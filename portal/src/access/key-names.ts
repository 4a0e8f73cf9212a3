import type { Key } from '../api/generated/types.ts'
import { useReferencedAll } from '../resource/reference.tsx'
import { labelOf, resources } from '../resource/resources.ts'

const systems = resources['locking-system']

/** A key by its name and locking system, as text: two systems may each have a key of one name. */
export function useKeyNames(keys: readonly Key[]): (key: Key) => string {
  const ids = [...new Set(keys.map(({ locking_system_id: id }) => id))]
  const found = useReferencedAll(systems, ids)
  return (key) => {
    const system = found[ids.indexOf(key.locking_system_id)]
    return [labelOf(resources.keys, key), system && `(${labelOf(systems, system)})`].filter(Boolean).join(' ')
  }
}
