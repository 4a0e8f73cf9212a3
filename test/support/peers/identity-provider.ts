import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import Provider from 'oidc-provider'
import { atEnd } from '../at-end.ts'
import { freePort } from '../free-port.ts'

export interface Account {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
  /** By which means it says that it knows them. */
  amr?: string[]
}

const question =
  '<!doctype html><html lang="en"><title>Somebody else</title><link rel="icon" href="data:,"><form ' +
  'method="post"><button>Continue</button></form>'

/**
 * Somebody else's provider of single sign-on, for real, on this machine. Whoever comes is logged in as `account`; where
 * it `asks`, after a page with a button, as people know it: then a browser comes back from another site, not from ours.
 */
export class IdentityProvider {
  readonly issuer: string
  readonly clientId = 'gatehouse'
  readonly clientSecret = randomUUID()
  account: Account = { sub: 'nobody' }
  asks = false
  private readonly accounts = new Map<string, Account>()

  private constructor(port: number) {
    this.issuer = `http://127.0.0.1:${port}`
  }

  static async start(redirectUri: string): Promise<IdentityProvider> {
    const port = await freePort()
    const self = new IdentityProvider(port)
    await self.listen(port, redirectUri)
    return self
  }

  /** The environment with which the house knows it. */
  settings(id: string): Record<string, string> {
    const prefix = `SSO_${id.toUpperCase()}_`
    return {
      [`${prefix}ISSUER`]: this.issuer,
      [`${prefix}NAME`]: `Name of ${id}`,
      [`${prefix}CLIENT_ID`]: this.clientId,
      [`${prefix}CLIENT_SECRET`]: this.clientSecret,
    }
  }

  /** What a browser does from the provider's address on: logs in, follows, and is sent back. Gives where to. */
  async visit(url: string): Promise<string> {
    const cookies = new Map<string, string>()
    let next = url
    for (let i = 0; i < 10; i++) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const answer = await fetch(next, { redirect: 'manual', headers: { cookie } })
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        cookies.set(name, value)
      }
      const to = answer.headers.get('location')
      if (!to) throw new Error(`the provider answered ${answer.status}: ${(await answer.text()).slice(0, 500)}`)
      next = new URL(to, next).href
      if (!next.startsWith(this.issuer)) return next
    }
    throw new Error('the provider goes round in circles')
  }

  private async listen(port: number, redirectUri: string): Promise<void> {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const provider = new Provider(this.issuer, {
      clients: [{ client_id: this.clientId, client_secret: this.clientSecret, redirect_uris: [redirectUri] }],
      jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' } as never] },
      cookies: { keys: ['a key for tests'] },
      claims: { openid: ['sub', 'amr'], email: ['email', 'email_verified'], profile: ['name'] },
      conformIdTokenClaims: false,
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
      findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ ...this.accounts.get(id), sub: id }) }),
      loadExistingGrant: async (ctx) => {
        const grant = new provider.Grant({
          clientId: ctx.oidc.client?.clientId as string,
          accountId: ctx.oidc.session?.accountId as string,
        })
        grant.addOIDCScope('openid email profile')
        await grant.save()
        return grant
      },
    })
    const handle = provider.callback()
    const server = createServer((request, response) => {
      if (!request.url?.startsWith('/interaction/')) return handle(request, response)
      if (this.asks && request.method === 'GET') return response.setHeader('content-type', 'text/html').end(question)
      this.accounts.set(this.account.sub, this.account)
      const { sub: accountId, amr } = this.account
      const finish =
        accountId === 'nobody' ? { error: 'access_denied' } : { login: { accountId, ...(amr ? { amr } : {}) } }
      provider
        .interactionFinished(request, response, finish)
        .catch((error: unknown) => response.writeHead(500).end(String(error)))
    })
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    atEnd(async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    })
  }
}
