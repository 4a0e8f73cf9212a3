/** Whether an object has something under a name that came from elsewhere. */
export const isKeyOf = <T extends object>(of: T, name: PropertyKey): name is keyof T => Object.hasOwn(of, name)

/** The names under which an object that is written down in full has something. */
export const keysOf = <T extends object>(of: T): Array<keyof T & string> =>
  Object.keys(of).filter((name): name is keyof T & string => isKeyOf(of, name))

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What whoever asks has made sure is there. */
export function sure<T>(found: T | undefined): T {
  if (found === undefined) throw new Error('what was taken to be there is not')
  return found
}

/** What stands at a place of a list that is within. */
export const at = <T>(list: ArrayLike<T>, index: number): T => sure(list[index])

/** One after the other, and after the last the first again. */
export const inTurn = <T>(list: readonly T[], index: number): T => at(list, index % list.length)

/** Whatever was thrown, as an error. */
export const errorIn = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))
