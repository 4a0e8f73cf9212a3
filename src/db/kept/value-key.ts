import { hash } from 'node:crypto'

const LONG = 200

/** What tells a statement's values from others: lists may have thousands of ids, and a key is kept in memory. */
export const keyOfValues = (values: readonly unknown[]): string =>
  JSON.stringify(
    values.map((value) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return text !== undefined && text.length > LONG ? { hash: hash('sha1', text) } : value
    }),
  )
