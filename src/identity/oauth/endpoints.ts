import type { Config } from '../../config.ts'

/** Under which name this service issues tokens, and for what. */
export const issuerOf = ({ baseUrl }: Pick<Config, 'baseUrl'>): string => `${baseUrl}/oauth`
/** The `aud` of access tokens: the API as a whole. */
export const apiOf = ({ baseUrl }: Pick<Config, 'baseUrl'>): string => `${baseUrl}/api`

export const ACCESS_TOKEN_SECONDS = 600
export const GRANT_SECONDS = 90 * 24 * 3600

/** Beside permissions, what an application can ask to know of whoever it acts for. */
export const identityScopes: Readonly<Record<string, string>> = {
  openid: 'Know who you are.',
  profile: 'See your name.',
  email: 'See your e-mail address.',
  offline_access: 'Go on while you are away, for at most 90 days.',
}

/** The provider's own session; see mount.ts. */
export const SESSION_COOKIE = 'gatehouse_oauth'
