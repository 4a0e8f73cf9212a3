/** What Node, SQLite or PostgreSQL call an error; undefined: it has no such name. */
export const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined

/** SQLite's own number of an error; undefined: it is none of SQLite's. */
export const sqliteNumberOf = (error: unknown): number | undefined =>
  typeof error === 'object' && error !== null && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode
    : undefined
