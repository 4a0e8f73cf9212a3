import type { ServerResponse } from 'node:http'

/** What Node has made of a head. It does not document it: whoever looks for it must be able to do without. */
type Written = ServerResponse & { _header?: string | null }

/** The head of an answer as Node wrote it, in the pieces around what is another each time: the request's id, the date. */
export type SameHead = readonly [before: string, between: string, after: string]

const DATE = '\r\nDate: '
const SECOND_MS = 1000

let second = 0
let date = ''

function dateNow(): string {
  const now = Math.floor(Date.now() / SECOND_MS)
  if (now !== second) {
    second = now
    date = new Date(now * SECOND_MS).toUTCString()
  }
  return date
}

/** That of an answer which was just sent. Undefined: it is not to be had, or the connection ends with it. */
export function headOf(response: Written, id: string): SameHead | undefined {
  if (!response.shouldKeepAlive) return undefined
  const head = response._header ?? ''
  const idAt = head.indexOf(id)
  const dateAt = head.indexOf(DATE, idAt) + DATE.length
  if (idAt < 0 || dateAt < DATE.length) return undefined
  return [head.slice(0, idAt), head.slice(idAt + id.length, dateAt), head.slice(dateAt + dateNow().length)]
}

/** The same head for whoever asks now. */
export const headAgain = ([before, between, after]: SameHead, id: string): string =>
  before + id + between + dateNow() + after

/**
 * Writes it again. Node would look at each name and value anew, whether they may stand in a head, which takes a sixth
 * of the whole answer. False: this connection ends with the answer, and its head must say so.
 */
export function writeAgain(response: Written, status: number, head: SameHead, id: string): boolean {
  if (!response.shouldKeepAlive) return false
  response.statusCode = status
  response._header = headAgain(head, id)
  return true
}
