import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { AppError, invalid } from '../../core/errors.ts'
import type { Permission } from '../../core/permissions.ts'
import { type Caller, covers, type Scope } from '../../core/rights.ts'
import {
  type Asking,
  findAnswer,
  isAnswered,
  keepAnswer,
  keyReused,
  type Once,
  renewAnswer,
  type StoredAnswer,
} from '../../db/along/kept-answers.ts'
import type { Tx } from '../../db/change.ts'
import type { OrgHandle } from '../../db/org.ts'

/** A request that may be sent twice and is done once: whose it is, by which credential, and under which key. */
export class Repeatable {
  private readonly request: FastifyRequest
  private readonly key: string
  private readonly credential: string

  private constructor(request: FastifyRequest, key: string) {
    this.request = request
    this.key = key
    this.credential = credentialOf(request.caller)
  }

  /** Undefined: the caller did not ask for it. */
  static of(request: FastifyRequest): Repeatable | undefined {
    const key = request.headers['idempotency-key']
    if (request.method !== 'POST' || key === undefined) return undefined
    if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
      throw invalid(
        'Idempotency-Key',
        'header.idempotency_key',
        'Idempotency-Key must be 1 to 255 visible ASCII characters',
      )
    }
    return new Repeatable(request, key)
  }

  /** One at a time, in this process and in others. */
  get lock(): string {
    return `idempotency:${this.request.caller.id}:${this.credential}:${this.key}`
  }

  /**
   * A piece of a request that is done in several transactions: each is done once. No key of a caller has a line break.
   */
  part(index: number): Repeatable {
    return index === 0 ? this : new Repeatable(this.request, `${this.key}\n${index}`)
  }

  /** As it is kept; it can be copied to whoever does it. */
  get once(): Once {
    const { raw, body } = this.request
    const fingerprint = hash('sha256', `${raw.url}\n${JSON.stringify(body ?? null)}`, 'hex')
    return { ...this.asking, fingerprint, held: writeHeld(this.request) }
  }

  private get asking(): Asking {
    return { principal_id: this.request.caller.id, credential: this.credential, key: this.key }
  }

  async findAnswer(tx: Tx): Promise<StoredAnswer | undefined> {
    const found = await findAnswer(tx, this.once)
    if (!found || stillHolds(this.request, readHeld(found.held))) return found
    throw keyReused('This Idempotency-Key was used when you could do more than now; use a new key for a new request')
  }

  remember(tx: Tx, answer: StoredAnswer): Promise<void> {
    return keepAnswer(tx, this.once, answer)
  }

  /** Whether there is an answer, to this request or another: that is not known before its body has been read. */
  isAnswered(handle: OrgHandle): Promise<boolean> {
    return isAnswered(handle, this.asking)
  }

  /** The answer as it is given in the end, where it was remembered before. */
  renew(tx: Tx, answer: StoredAnswer): Promise<void> {
    return renewAnswer(tx, this.once, answer)
  }
}

export const stillRunning = () =>
  new AppError('IDEMPOTENCY_IN_PROGRESS', 'A request with this Idempotency-Key is still running', {
    headers: { 'retry-after': '1' },
  })

/**
 * Sessions of one person may do the same; tokens of one service user need not, nor applications that act for one
 * person.
 */
const credentialOf = ({ credential, tokenId, application, identityId }: Caller): string =>
  credential === 'session' ? credential : `${credential} ${tokenId ?? application?.id ?? identityId ?? ''}`

interface Held {
  permissions: readonly Permission[]
  scope: Scope
}

const heldBy = ({ caller, scope }: FastifyRequest): Held => ({
  permissions: caller.rights.entries().map(([name]) => name),
  scope,
})

function writeHeld(request: FastifyRequest): string {
  const { permissions, scope } = heldBy(request)
  const places = scope === 'all' ? scope : { locations: [...scope.locations], buildings: [...scope.buildings] }
  return JSON.stringify({ permissions, scope: places })
}

function readHeld(text: string): Held {
  type Places = Record<'locations' | 'buildings', string[]>
  const { permissions, scope }: { permissions: Permission[]; scope: 'all' | Places } = JSON.parse(text)
  if (scope === 'all') return { permissions, scope }
  return { permissions, scope: { locations: new Set(scope.locations), buildings: new Set(scope.buildings) } }
}

/** An answer may tell of all that its caller could do and see: it is for nobody who can do less. */
function stillHolds(request: FastifyRequest, before: Held): boolean {
  const { caller, scope } = request
  return before.permissions.every((permission) => caller.rights.can(permission)) && covers(scope, before.scope)
}
