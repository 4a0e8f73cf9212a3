import { AppError } from '../core/errors.ts'
import type { Permission } from '../core/permissions.ts'
import type { Rights } from '../core/rights.ts'
import type { OrgHandle } from '../db/org.ts'
import type { Resources } from '../db/resources.ts'
import { didYouMean, meant } from '../query/hints.ts'
import type { FeedName } from './news.ts'

/** What every item of a feed has, whatever else. */
export interface FeedItem {
  readonly sequence: number
  readonly id: string
  /** `noun.verb`. */
  readonly type: string
  readonly occurred_at: string
}

export interface FeedQuery {
  /** The last sequence that the reader has had; 0: from the beginning. */
  readonly after: number
  readonly limit: number
  /** Of these types alone, `*` standing for any characters; none given: of all. */
  readonly types?: readonly string[]
  /** Whatever else the feed can be narrowed by, by name: equal to one of these. */
  readonly filters?: Readonly<Record<string, readonly string[]>>
}

export interface FeedPage<Item extends FeedItem = FeedItem> {
  readonly items: readonly Item[]
  /**
   * How far it was read, what is not shown included: the next page comes after it. The same as `after`: there is
   * nothing new.
   */
  readonly last: number
}

/**
 * Something that grows at its end, in commit order, and is read on from where one was. Shown is what the caller may
 * read at the moment of reading.
 */
export interface Feed<Item extends FeedItem = FeedItem> {
  readonly name: FeedName
  readonly permission: Permission
  /** By which permissions something in it is shown. */
  shownBy(resources: Resources): readonly Permission[]
  /** So many items at once, where it is not 100. */
  readonly maxLimit?: number
  /** Filters beside the type, by name: the words that one can be, or that it is an id. */
  readonly filters: Readonly<Record<string, 'id' | ((resources: Resources) => readonly string[])>>
  /** Every type that something in it can have. */
  types(resources: Resources): readonly string[]
  /** The first and the last sequence that are there; an empty feed has first = last + 1. */
  bounds(handle: OrgHandle): Promise<{ first: number; last: number }>
  /** Throws `feedExpired` or `feedAhead` where `after` is not between the bounds. */
  read(handle: OrgHandle, rights: Rights, query: FeedQuery): Promise<FeedPage<Item>>
}

/**
 * Throws unless whoever has read up to `after` can read on without a gap. It tells where the feed begins and ends: for
 * those who may read it.
 */
export function checkCursor(after: number, { first, last }: { first: number; last: number }): void {
  if (after > last) throw feedAhead(last)
  // 0 is no cursor but the beginning, wherever that is.
  if (after !== 0 && after < first - 1) throw feedExpired(first)
}

const badCursor = (reason: string, message: string, sequence: number) =>
  new AppError('VALIDATION_ERROR', `${message}. Read everything anew, then go on after the newest`, {
    reason,
    details: [{ path: 'after', rule: reason, message: String(sequence) }],
  })

const feedExpired = (first: number) =>
  badCursor(
    'feed.expired',
    `What came after this cursor is not kept any more; the oldest entry that is there has the sequence ${first}`,
    first,
  )

const feedAhead = (last: number) => {
  const message =
    `This cursor lies after the newest entry, which has the sequence ${last}: it is of another organization, or an ` +
    'older backup was restored'
  return badCursor('feed.ahead', message, last)
}

/** Whether something of this type, or of one that the pattern fits, can ever be in it. */
export const canHave = (feed: Feed, resources: Resources, pattern: string): boolean =>
  feed.types(resources).some(fitting(pattern))

/** What somebody may have meant by a type that nothing has, as a hint. */
export function typeHint(feeds: readonly Feed[], resources: Resources, type: string): string {
  const types = feeds.flatMap((feed) => feed.types(resources))
  return didYouMean(meant(type, types))
}

/** Whether a type is among those asked for. */
export function isOfTypes(type: string, patterns: readonly string[] | undefined): boolean {
  return patterns === undefined || patterns.some((pattern) => fitting(pattern)(type))
}

/** Piece by piece, so that no pattern takes long. */
function fitting(pattern: string): (type: string) => boolean {
  const [head = '', ...pieces] = pattern.split('*')
  const tail = pieces.pop()
  if (tail === undefined) return (type) => type === pattern
  return (type) => {
    if (!type.startsWith(head) || !type.endsWith(tail) || type.length < head.length + tail.length) return false
    let at = head.length
    for (const piece of pieces) {
      const found = type.indexOf(piece, at)
      if (found === -1) return false
      at = found + piece.length
    }
    return at <= type.length - tail.length
  }
}
