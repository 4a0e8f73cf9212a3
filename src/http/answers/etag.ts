import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { AppError, invalid } from '../../core/errors.ts'

/**
 * The ETag is the item's version. Where an answer also holds what other rows decide (counts, embedded items), a digest
 * of it follows: If-None-Match then sees those too, while If-Match compares the version alone.
 */
export function etagOf(item: Record<string, unknown>, body?: string): string | undefined {
  const digest = body === undefined ? undefined : hash('sha1', body, 'base64url').slice(0, 12)
  // What is seen in part has no version: it is not to be changed.
  if (typeof item.version !== 'number') return digest === undefined ? undefined : `"part-${digest}"`
  return digest === undefined ? `"${item.version}"` : `"${item.version}-${digest}"`
}

/**
 * Of a list, by what it says: rows, rights, the clock and whatever else it was made of. An answer is kept while none of
 * that has changed, and its digest with it; made again, the same answer has the same tag, in every process.
 */
export const listEtagOf = (body: string): string => `"list-${hash('sha1', body, 'base64url').slice(0, 20)}"`

/**
 * If-Match of a change: 412 unless it names the version that is stored. A proxy that compresses makes a tag weak, so
 * weak ones count as well: what is compared is the version, which is as strong either way.
 */
export const checkIfMatch = (request: FastifyRequest, item: Record<string, unknown>): void =>
  checkTag(request.headers['if-match'], item)

/** The same of a tag that comes otherwise. No item is there: no tag matches, not even `*`. */
export function checkTag(tag: string | undefined, item: Record<string, unknown> | undefined): void {
  if (tag === undefined || (item && tag.trim() === '*')) return
  const matches = tag.trim() !== '*' && versionsIn(tag, 'If-Match').includes(String(item?.version))
  if (matches) return
  const msg = item
    ? 'The item was changed meanwhile: read it again, then repeat the change'
    : 'There is no such item yet: leave If-Match out to make it'
  throw new AppError('VERSION_CONFLICT', msg)
}

/** If-None-Match of a change: 412 where the item is there, by `*`, or as one of the tags has it. */
export function checkNoneMatch(tag: string | undefined, item: Record<string, unknown> | undefined): void {
  if (tag === undefined || !item) return
  if (tag.trim() !== '*' && !versionsIn(tag, 'If-None-Match').includes(String(item.version))) return
  throw new AppError('VERSION_CONFLICT', 'There is such an item already: leave If-None-Match out to change it')
}

const VERSION = /^(\d+)(?:-[\w-]+)?$/
/** One entity tag of RFC 9110 and what separates it from the next; a comma may stand inside the quotes. */
const TAG = /[ \t]*(?:W\/)?"([!#-~\x80-\xff]*)"[ \t]*(?:,|$)/y

const versionsIn = (header: string, name: Conditional): Array<string | undefined> =>
  tagsIn(header, name).map((tag) => VERSION.exec(tag)?.[1])

type Conditional = 'If-Match' | 'If-None-Match'

/** What stands between the quotes of each tag. */
function tagsIn(header: string, name: Conditional): string[] {
  const tags: string[] = []
  for (TAG.lastIndex = 0; TAG.lastIndex < header.length; ) {
    const found = TAG.exec(header)
    if (!found) throw malformed(header, name)
    tags.push(found[1] ?? '')
  }
  if (tags.length === 0) throw malformed(header, name)
  return tags
}

const malformed = (header: string, name: Conditional) =>
  invalid(
    name,
    name === 'If-Match' ? 'header.if_match' : 'header.if_none_match',
    `${name} must be the ETag as it was answered, quotes included, such as "3", several of them, or *; got ` +
      `${header.slice(0, 60)}`,
  )

/** If-None-Match compares weakly (RFC 9110). */
export function isNotModified(request: FastifyRequest, etag: string | undefined): boolean {
  const header = request.headers['if-none-match']
  if (header === undefined || etag === undefined) return false
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
