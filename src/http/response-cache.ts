import { LRUCache } from 'lru-cache'
import { nextBoundary } from '../db/boundary.ts'
import type { Engine } from '../db/engine.ts'
import { metricsOf } from '../db/metrics.ts'
import type { OrgHandle } from '../db/org.ts'
import type { Coding } from './coding.ts'

/** An answer as it goes over the wire. */
export interface KnownAnswer {
  /** The bytes, of small ones each as a character: that takes a byte of memory each, and is written in one piece with the head. */
  body: string | Buffer
  coding: Coding | undefined
  etag: string | undefined
  link: string | undefined
}

interface Entry extends KnownAnswer {
  version: number
  /** Answers depend on the clock too: a grant begins, a card expires, a day ends. A clock may also be set back. */
  from: string
  until: string
}

const MAX_BYTES = 28 * 1024 * 1024
/** What an answer takes beside its texts: the objects that hold them. */
const BESIDE = 300
/** Addresses are up to kilobytes long, and a link names four. */
const sizeOf = ({ body, link = '' }: KnownAnswer, key: string): number => body.length + link.length + key.length + BESIDE

/** Answers to GET, kept while the organization's data and what the clock makes of it are the same. */
export class ResponseCache {
  private readonly entries = new LRUCache<string, Entry>({ maxSize: MAX_BYTES, sizeCalculation: sizeOf })
  private readonly engine: Engine
  private readonly asked: { hits: number; misses: number }

  constructor(engine: Engine) {
    this.engine = engine
    this.asked = metricsOf(engine).watchCache('answers', () => this.entries.size)
  }

  get(key: string, version: number, now: string): KnownAnswer | undefined {
    const entry = this.entries.get(key)
    if (!entry || entry.version !== version || entry.until <= now || entry.from > now) {
      this.asked.misses += 1
      return undefined
    }
    this.asked.hits += 1
    return entry
  }

  /** `version` as it was before the answer was read: a change meanwhile leaves the entry outdated, never wrong. */
  async set(key: string, handle: OrgHandle, version: number, answer: KnownAnswer, latest?: string): Promise<void> {
    const boundary = await nextBoundary(handle, version)
    this.entries.set(key, { ...answer, version, from: handle.now, until: latest !== undefined && latest < boundary ? latest : boundary })
  }

  versionOf(org: number) {
    return this.engine.versions(org)
  }
}
