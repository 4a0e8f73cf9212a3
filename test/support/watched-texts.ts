import type { Engine } from '../../src/db/engine.ts'

/** A reader, and the texts of what is asked through it. */
export function watchTexts({ reader }: Engine): { watching: Engine['reader']; asked: string[] } {
  const asked: string[] = []
  const watching = new Proxy(reader, {
    get: (target, name) =>
      name === 'all'
        ? (text: string, values: unknown[]) => {
            asked.push(text)
            return target.all(text, values)
          }
        : Reflect.get(target, name),
  })
  return { watching, asked }
}
