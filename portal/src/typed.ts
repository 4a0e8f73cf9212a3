/** What an address says behind `?`: plain texts by name. */
export type Address = Readonly<Partial<Record<string, string>>>

/** Whether an object has something under a name that came from elsewhere. */
export const isKeyOf = <T extends object>(of: T, name: PropertyKey): name is keyof T => Object.hasOwn(of, name)

/** The names under which an object that is written down in full has something. */
export const keysOf = <T extends object>(of: T): Array<keyof T & string> =>
  Object.keys(of).filter((name): name is keyof T & string => isKeyOf(of, name))

/** What there is under a name that came from elsewhere. */
export const inWords = <T>(words: Readonly<Record<string, T>>, name: string): T | undefined => words[name]

/** Whatever was thrown, as an error. */
export const errorIn = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

/** A text of an item whose kind is known at run time alone. */
export function textIn(item: Readonly<Record<string, unknown>> | null | undefined, field: string): string | undefined {
  const value = item?.[field]
  return typeof value === 'string' ? value : undefined
}
