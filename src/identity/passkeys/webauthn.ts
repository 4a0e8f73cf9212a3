import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Config } from '../../config.ts'
import { AppError } from '../../core/errors.ts'
import { type Clock, neverBack } from '../../core/time/clock.ts'
import type { Engine } from '../../db/engine.ts'
import { beginFlow, redeemFlow } from '../login/flows.ts'

/** Loaded when somebody first uses a passkey. */
const library = () => import('@simplewebauthn/server')

const TIMEOUT_MS = 5 * 60_000
/** EdDSA, ES256, RS256: what devices of today make. */
const ALGORITHMS = [-8, -7, -257]

export interface PublicKey {
  credential_id: string
  public_key: string
}

export interface StoredKey extends PublicKey {
  transports: string[]
}

export interface NewKey extends StoredKey {
  counter: number
  is_synced: boolean
}

/** Browsers take a passkey for a host name only, and `localhost` is one. */
export const hasPasskeys = ({ baseUrl }: Pick<Config, 'baseUrl'>): boolean =>
  !/^[\d.]+$|^\[/.test(new URL(baseUrl).hostname)

/**
 * The ceremonies of WebAuthn. Each challenge works once; the key's user must have been verified (fingerprint, face,
 * PIN).
 */
export class WebAuthn {
  private readonly engine: Engine
  private readonly clock: Clock
  private readonly baseUrl: string

  constructor({ engine, clock, config }: { engine: Engine; clock: Clock; config: Config }) {
    this.engine = engine
    // A challenge that has expired stays so, though the clock is set back.
    this.clock = neverBack(clock)
    this.baseUrl = config.baseUrl
  }

  async registrationOptions(
    user: { id: string; email: string; name: string },
    existing: readonly StoredKey[],
  ): Promise<object> {
    const { generateRegistrationOptions } = await library()
    const options = await generateRegistrationOptions({
      rpName: 'Gatehouse',
      rpID: this.host,
      userName: user.email,
      userDisplayName: user.name,
      userID: new TextEncoder().encode(user.id),
      timeout: TIMEOUT_MS,
      attestationType: 'none',
      supportedAlgorithmIDs: ALGORITHMS,
      excludeCredentials: existing.map((key) => ({ id: key.credential_id, transports: key.transports })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    await beginFlow(this.engine, this.clock.now(), 'passkey_registration', options.challenge, { userId: user.id })
    return options
  }

  /** Undefined: it is not what was asked for. */
  async registered(response: object, userId: string): Promise<NewKey | undefined> {
    const { verifyRegistrationResponse } = await library()
    const given = response as RegistrationResponseJSON
    const result = await verified(() =>
      verifyRegistrationResponse({
        response: given,
        expectedChallenge: async (challenge) =>
          (await this.redeem<{ userId: string }>('passkey_registration', challenge))?.userId === userId,
        expectedOrigin: this.origin,
        expectedRPID: this.host,
        requireUserVerification: true,
        supportedAlgorithmIDs: ALGORITHMS,
      }),
    )
    if (!result?.verified) return undefined
    const { credential, credentialBackedUp } = result.registrationInfo
    return {
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: (given.response.transports ?? []).filter((transport) => typeof transport === 'string').slice(0, 10),
      is_synced: credentialBackedUp,
    }
  }

  /** For whoever it is: the key tells. */
  async loginOptions(): Promise<object> {
    const { generateAuthenticationOptions } = await library()
    const options = await generateAuthenticationOptions({
      rpID: this.host,
      userVerification: 'required',
      timeout: TIMEOUT_MS,
    })
    await beginFlow(this.engine, this.clock.now(), 'passkey_login', options.challenge)
    return options
  }

  /**
   * Whether the key has signed our challenge, and how often it says it has signed. Its stored counter is compared where
   * it is stored.
   */
  async loggedIn(response: object, key: PublicKey): Promise<{ counter: number; is_synced: boolean } | undefined> {
    const { verifyAuthenticationResponse } = await library()
    const result = await verified(() =>
      verifyAuthenticationResponse({
        response: response as AuthenticationResponseJSON,
        expectedChallenge: async (challenge) => (await this.redeem('passkey_login', challenge)) !== undefined,
        expectedOrigin: this.origin,
        expectedRPID: this.host,
        requireUserVerification: true,
        credential: {
          id: key.credential_id,
          publicKey: Uint8Array.from(Buffer.from(key.public_key, 'base64url')),
          counter: 0,
        },
      }),
    )
    if (!result?.verified) return undefined
    return { counter: result.authenticationInfo.newCounter, is_synced: result.authenticationInfo.credentialBackedUp }
  }

  private redeem<T>(kind: 'passkey_login' | 'passkey_registration', challenge: unknown): Promise<T | undefined> {
    if (typeof challenge !== 'string') return Promise.resolve(undefined)
    return redeemFlow<T>(this.engine, this.clock.now(), kind, challenge).catch((cause: unknown) => {
      throw new LookupFault(cause)
    })
  }

  private get origin(): string {
    return new URL(this.baseUrl).origin
  }

  private get host(): string {
    if (!hasPasskeys({ baseUrl: this.baseUrl }))
      throw new AppError('INVALID_STATE', 'Passkeys need a host name: BASE_URL is an address of digits', {
        reason: 'passkey.no_host_name',
      })
    return new URL(this.baseUrl).hostname
  }
}

/** What the database does wrong is no fault of the answer's. */
class LookupFault extends Error {
  constructor(cause: unknown) {
    super('the challenge could not be looked up', { cause })
  }
}

/** Whatever the library finds wrong with an answer, it throws: to us that is an answer that does not count. */
async function verified<T>(check: () => Promise<T>): Promise<T | undefined> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof LookupFault) throw error.cause
    return undefined
  }
}
