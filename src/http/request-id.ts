import { randomInt } from 'node:crypto'

// Milliseconds, a number of this process's own, and a counter: unique across processes without asking anybody.
const processPart = String(randomInt(10_000)).padStart(4, '0')
let counter = randomInt(100_000)

/** `req_<digits>`. Never taken from the caller. */
export function newRequestId(): string {
  counter = (counter + 1) % 1_000_000
  return `req_${Date.now()}${processPart}${String(counter).padStart(6, '0')}`
}
