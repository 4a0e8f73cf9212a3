import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ListPage } from '../../db/lists/list.ts'
import type { AnyRow } from '../../db/resource.ts'
import type { Keys } from '../../query/sql.ts'
import type { OpenedList } from './open.ts'

/** A piece, about; a row may be larger by itself. */
const PIECE_BYTES = 128 * 1024
/** Rows at first, then as many as make a piece, and no more than keep everybody else waiting for a moment. */
const FIRST_ROWS = 20
const MOST_ROWS = 500
/**
 * Pieces that are read at once: a thread that reads waits for us after each reading, and we for it. So many, those that
 * are read meanwhile, and one that is written are kept in memory for a reader that takes its time.
 */
const READ_AT_ONCE = 3
/** In an order that no index gives, every look is a sort of the whole list: so many rows are found by one. */
const FOUND_AT_ONCE = 5000

/** All rows of a list as they are answered, some at a time: each that stays once, whatever else changes meanwhile. */
export const piecesOf = (list: OpenedList): AsyncGenerator<AnyRow[]> =>
  readAhead(list.isWalked ? walked(list) : found(list))

/** While a piece is written and taken, the database reads the next. */
async function* readAhead(pieces: AsyncGenerator<AnyRow[]>): AsyncGenerator<AnyRow[]> {
  let next = pieces.next()
  try {
    for (;;) {
      const piece = await next
      if (piece.done) return
      next = pieces.next()
      // What goes wrong with it is told when it is asked for, if it is.
      next.catch(() => undefined)
      yield piece.value
    }
  } finally {
    await pieces.return(undefined)
  }
}

/** What follows is asked for as soon as it is known from where: it is read while this is written. */
async function* walked(list: OpenedList): AsyncGenerator<AnyRow[]> {
  const size = new PieceSize()
  let count = 0
  const ask = (after: Keys | null): Promise<ListPage> => {
    // A short list may be read on the loop: never so much of it at once.
    const reading = list.read(after, Math.max(size.rows, Math.min(size.rows * READ_AT_ONCE, count)))
    // What goes wrong with it is told when it is its turn, if it is.
    reading.catch(() => undefined)
    return reading
  }
  for (let reading: Promise<ListPage> | undefined = ask(null); reading; ) {
    const page: ListPage = await reading
    if (!('next' in page)) throw new Error('a page that goes on from a row does not say from where the next does')
    count += page.rows.length
    reading = page.next ? ask(page.next) : undefined
    for (let at = 0; at < page.rows.length; ) {
      const some = page.rows.slice(at, at + size.rows)
      at += some.length
      yield await size.measured(await list.shown(some))
    }
  }
}

async function* found(list: OpenedList): AsyncGenerator<AnyRow[]> {
  const size = new PieceSize()
  for (let after: Keys | null = null, isMore = true; isMore; ) {
    const { ids, next } = await list.ids(after, FOUND_AT_ONCE)
    for (let at = 0; at < ids.length; ) {
      const some = ids.slice(at, at + size.rows)
      at += some.length
      // Those that are still what was asked for.
      yield await size.measured(await list.rows(some))
    }
    after = next
    isMore = next !== null
  }
}

class PieceSize {
  rows = FIRST_ROWS

  /** SQLite answers without letting anybody else have a turn; so they have it now. */
  async measured(rows: AnyRow[]): Promise<AnyRow[]> {
    if (rows.length > 0) {
      const [first, last] = [rows[0], rows.at(-1)]
      const bytes = (JSON.stringify(first).length + JSON.stringify(last).length) / 2
      this.rows = Math.min(MOST_ROWS, Math.max(1, Math.floor(PIECE_BYTES / bytes)))
    }
    await nextTurn()
    return rows
  }
}
