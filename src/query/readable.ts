import type { Fields } from '../core/fields.ts'

const readable = new WeakMap<Fields, string[]>()

/** Every field a reader sees, in the order of declaration. */
export function readableNames(fields: Fields): string[] {
  let names = readable.get(fields)
  if (!names) {
    names = Object.keys(fields).filter((name) => fields[name]?.spec.mode !== 'wo')
    readable.set(fields, names)
  }
  return names
}
