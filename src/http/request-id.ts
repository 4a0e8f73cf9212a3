import { randomInt } from 'node:crypto'

// The moment of the start, a number of this process's own, and a counter: unique across processes without asking
// anybody.
const start = `req_${Date.now()}${randomInt(1000, 10_000)}`
let counter = 100_000

/** `req_<digits>`. Never taken from the caller. */
export const newRequestId = (): string => start + ++counter
