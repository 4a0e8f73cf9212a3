import { errors } from 'oidc-provider'
import { boundedMap } from '../../core/bounded-map.ts'
import { perEngine } from '../../db/kept/per-engine.ts'
import { subnetOf } from '../login/subnet.ts'

const WINDOW_MS = 60_000
const MAX_KEYS = 50_000

/** What a stored request may hold, as JSON: every parameter an application has a use for, several times over. */
const MAX_PAYLOAD = 16 * 1024

/** Requests for authorization, per minute: each is a row until it has expired. */
const PER_CLIENT_AND_NETWORK = 120
const PER_NETWORK = 240
/** Of all together, in one process: 15 minutes of them are what the table holds at most. */
const IN_ALL = 3000

/** Counts by key, minute by minute. */
class PerMinute {
  private readonly counts = boundedMap<{ from: number; count: number }>(MAX_KEYS)
  private readonly allowed: number

  constructor(allowed: number) {
    this.allowed = allowed
  }

  /** Whether it is one too many. */
  isExceededBy(key: string, now: number): boolean {
    const known = this.counts.get(key)
    const entry = known && now - known.from < WINDOW_MS && now >= known.from ? known : { from: now, count: 0 }
    entry.count += 1
    if (entry !== known) this.counts.set(key, entry)
    return entry.count > this.allowed
  }
}

const tooMany = () => {
  const error = new errors.TemporarilyUnavailable('too many requests for authorization; try again in a minute')
  error.status = error.statusCode = 429
  return error
}

/**
 * What anybody can make us store without having logged in: bounded in number and size, refused before a row is written.
 */
export class StoredRequestLimits {
  private readonly byClient = new PerMinute(PER_CLIENT_AND_NETWORK)
  private readonly byNetwork = new PerMinute(PER_NETWORK)
  private readonly all = new PerMinute(IN_ALL)

  /** Counts one that is about to be stored; throws in the form of the RFCs when it is one too many, or too large. */
  take(payload: StoredRequest, address: string | null, now: string): void {
    if (JSON.stringify(payload).length > MAX_PAYLOAD) throw new errors.InvalidRequest('the parameters are too large')
    const network = subnetOf(address ?? '')
    const at = Date.parse(now)
    const isOneTooMany =
      this.byNetwork.isExceededBy(network, at) ||
      this.byClient.isExceededBy(`${clientOf(payload)} ${network}`, at) ||
      this.all.isExceededBy('', at)
    if (isOneTooMany) throw tooMany()
  }
}

interface StoredRequest {
  params?: unknown
  request?: unknown
}

export const storedRequestLimits = perEngine(() => new StoredRequestLimits())

/** An interaction has the parameters as they are, a pushed request as the middle of a JWT. */
function clientOf({ params, request }: StoredRequest): string {
  const pushed =
    typeof request === 'string'
      ? JSON.parse(Buffer.from(request.split('.')[1] ?? '', 'base64url').toString() || '{}')
      : {}
  return String((params ?? pushed).client_id)
}
