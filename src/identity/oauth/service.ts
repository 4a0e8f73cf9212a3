import type { FastifyBaseLogger } from 'fastify'
import type Provider from 'oidc-provider'
import type { Config } from '../../config.ts'
import { type Clock, neverBack } from '../../core/time/clock.ts'
import type { Engine } from '../../db/engine.ts'
import type { CredentialReader } from '../../http/callers/authenticate.ts'
import type { FailureLimit } from '../../http/callers/failure-limit.ts'
import type { KnownCallers } from '../../http/callers/known-callers.ts'
import { createBearerReader, findHolder, type JwtEvents, type ServiceUserUse } from './bearer.ts'
import { SigningKeys } from './keys.ts'
import type { ApplicationEvents, ProviderParts } from './provider/provider.ts'
import { JwtVerifier } from './verify.ts'

interface Parts {
  config: Config
  engine: Engine
  callers: KnownCallers
  clock: Clock
  logger: FastifyBaseLogger
  failures: FailureLimit
  events: ApplicationEvents & JwtEvents
  onUsed: (use: ServiceUserUse) => void
}

let loading: Promise<typeof import('./provider/provider.ts')> | undefined

/** Once, and without the warning that this runtime is not called LTS yet: which one it is, package.json decides. */
function loadProvider(): Promise<typeof import('./provider/provider.ts')> {
  if (loading) return loading
  const { warn } = console
  console.warn = () => undefined
  loading = import('./provider/provider.ts').finally(() => {
    console.warn = warn
  })
  return loading
}

/** Tokens by OAuth: who issues them, who checks them. The libraries are loaded when they are first needed. */
export class Oauth {
  readonly readBearer: CredentialReader
  private readonly parts: Parts
  private readonly keys: SigningKeys
  private readonly verifier: JwtVerifier
  private readonly latest: Clock
  private made: { provider: Promise<Provider>; generation: string } | undefined

  constructor(parts: Parts) {
    const { config, engine, callers, clock, failures, events, onUsed } = parts
    this.parts = parts
    this.keys = new SigningKeys(engine, clock)
    this.verifier = new JwtVerifier(config, this.keys)
    this.latest = neverBack(clock)
    this.readBearer = createBearerReader({
      engine,
      callers,
      clock,
      failures,
      keys: this.keys,
      verifier: this.verifier,
      onUsed,
      events,
    })
  }

  /**
   * The provider signs with the keys it was made with: it is made anew when they were rotated, once for all who ask
   * meanwhile.
   */
  async provider(): Promise<Provider> {
    const keys = await this.keys.load()
    if (this.made?.generation === keys.generation) return this.made.provider
    const provider = this.make(keys)
    this.made = { provider, generation: keys.generation }
    provider.catch(() => {
      if (this.made?.provider === provider) this.made = undefined
    })
    return provider
  }

  private async make(keys: ProviderParts['keys']): Promise<Provider> {
    const { createProvider } = await loadProvider()
    return createProvider({ ...this.parts, keys, introspect: (token, by) => this.introspect(token, by) })
  }

  private async introspect(
    token: string,
    by: Parameters<ProviderParts['introspect']>[1],
  ): Promise<Record<string, unknown> | undefined> {
    const now = this.latest.now()
    const verified = await this.verifier.verify(token, now)
    if (verified?.kind !== 'own' || verified.organizationId !== by.organizationId) return undefined
    if (by.clientId !== undefined && verified.clientId !== by.clientId) return undefined
    if (!(await findHolder(this.parts.engine, now, verified))) return undefined
    return { active: true, token_type: 'Bearer', ...verified.claims }
  }
}
