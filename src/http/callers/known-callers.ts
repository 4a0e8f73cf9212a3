import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Caller, Scope } from '../../core/rights.ts'
import type { MadeFrom } from '../../db/along/calling.ts'
import type { Engine } from '../../db/engine.ts'
import { readingOf } from '../../db/kept/statement.ts'
import type { OrgVersions } from '../../db/kept/versions.ts'
import { metricsOf } from '../../db/metrics.ts'
import type { OrgHandle } from '../../db/org.ts'

/** What is looked at of a request to find out who calls. */
export type Asking = Pick<FastifyRequest, 'headers' | 'ip' | 'id' | 'isRecheck'>

/** A credential that was looked up and found good. */
export interface KnownCaller extends MadeFrom {
  readonly caller: Caller
  /** Lets it in, or throws; undefined: it has to be looked up again. */
  admit(request: Asking): Caller | undefined
}

interface Kept {
  readonly known: KnownCaller
  /** Found up to date after so many changes. */
  checked: number
}

const MAX_CALLERS = 10_000
const MAX_BYTES = 32 * 1024 * 1024
/** What a caller takes beside the places it is limited to, and what each of those takes. */
const [BESIDE, PER_PLACE] = [2000, 60]

/** Headers are short; what is longer is not worth keeping. */
const MAX_HEADERS = 2000
const MAX_HEADER = 2048

const found = new WeakMap<Caller, MadeFrom>()

/** What a caller was found by. */
export const madeFromOf = (caller: Caller): MadeFrom | undefined => found.get(caller)

/** Permissions of one role share their places. */
function sizeOf({ known: { caller } }: Kept): number {
  const scopes = new Set<Scope>(caller.rights.entries().map(([, scope]) => scope))
  let places = 0
  for (const scope of scopes) if (scope !== 'all') places += scope.locations.size + scope.buildings.size
  return BESIDE + places * PER_PLACE
}

/**
 * Notes the statement that led from a credential to its organization, and gives how many changes of that there were:
 * the older of the row's own count and what this process has heard of. A change meanwhile makes what is found outdated,
 * never wrong.
 */
export async function foundBy(handle: OrgHandle, text: string, changes: number): Promise<number> {
  handle.reads.note(readingOf(text))
  return Math.min(changes, (await handle.versions()).data)
}

/**
 * Who was let in lately, by the digest of what they proved themselves with, whatever kind of credential it is: nothing
 * is asked of the database while nothing has changed of what they were found by.
 */
export class KnownCallers {
  private readonly callers = new LRUCache<string, Kept>({
    max: MAX_CALLERS,
    maxSize: MAX_BYTES,
    sizeCalculation: sizeOf,
  })
  /** From the one spelling that almost everybody uses to the digest, which takes longer than all else here. */
  private readonly digests = new LRUCache<string, string>({ max: MAX_HEADERS })
  private readonly engine: Engine
  private readonly asked: { hits: number; misses: number }

  constructor(engine: Engine) {
    this.engine = engine
    this.asked = metricsOf(engine).watchCache('callers', () => this.callers.size)
  }

  /** The digest of the credential in a header of the usual spelling that was let in before. */
  digestOf(header: string): string | undefined {
    return this.digests.get(header)
  }

  /** What is known of it, up to date or not. */
  peek(digest: string): KnownCaller | undefined {
    return this.callers.peek(digest)?.known
  }

  /** Lets it in as long as nothing has changed; otherwise by `load`, which looks it up. */
  find(digest: string, request: Asking, load: () => Promise<Caller>): Caller | Promise<Caller> {
    const kept = this.callers.get(digest)
    if (!kept) return this.miss(load)
    const versions = this.engine.versions(kept.known.caller.org)
    if (versions instanceof Promise)
      return versions.then((heard) => this.admit(kept, heard, request) ?? this.miss(load))
    return this.admit(kept, versions, request) ?? this.miss(load)
  }

  /** Keeps what was looked up; `spelling` is the header as it is usually written, which it may or may not have been. */
  remember(digest: string, known: KnownCaller, spelling?: { scheme: string; value: string }): void {
    this.callers.set(digest, { known, checked: known.since })
    found.set(known.caller, { reads: known.reads, since: known.since })
    if (!spelling) return
    // Put together here, so that nothing else of the request is kept alive by it.
    const header = `${spelling.scheme} ${spelling.value}`
    if (header.length <= MAX_HEADER) this.digests.set(Buffer.from(header, 'latin1').toString('latin1'), digest)
  }

  forget(digest: string): void {
    this.callers.delete(digest)
  }

  private miss(load: () => Promise<Caller>): Promise<Caller> {
    this.asked.misses += 1
    return load()
  }

  private admit(kept: Kept, versions: OrgVersions, request: Asking): Caller | undefined {
    const { known } = kept
    if (kept.checked !== versions.data) {
      if (versions.hasMoved(known.reads, known.since)) return undefined
      kept.checked = versions.data
    }
    const caller = known.admit(request)
    if (caller) this.asked.hits += 1
    return caller
  }
}
