import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../core/errors.ts'

/**
 * The ETag is the item's version. Where an answer also holds what other rows decide (counts, embedded items), a digest of
 * it follows: If-None-Match then sees those too, while If-Match compares the version alone.
 */
export function etagOf(item: Record<string, unknown>, body?: string): string | undefined {
  if (typeof item.version !== 'number') return undefined
  return body === undefined ? `"${item.version}"` : `"${item.version}-${hash('sha1', body, 'base64url').slice(0, 12)}"`
}

/** If-Match of a change: 412 unless it names the version that is stored. */
export function checkIfMatch(request: FastifyRequest, item: Record<string, unknown>): void {
  const header = request.headers['if-match']
  if (header === undefined || header.trim() === '*') return
  const matches = header.split(',').some((tag) => versionIn(tag) === String(item.version))
  if (!matches) throw new AppError('VERSION_CONFLICT', 'The item was changed meanwhile: read it again, then repeat the change')
}

const versionIn = (tag: string): string | undefined => /^\s*"(\d+)(?:-[\w-]+)?"\s*$/.exec(tag)?.[1]

/** If-None-Match compares weakly (RFC 9110). */
export function isNotModified(request: FastifyRequest, etag: string | undefined): boolean {
  const header = request.headers['if-none-match']
  if (header === undefined || etag === undefined) return false
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
