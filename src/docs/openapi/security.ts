import { permissions } from '../../core/permissions.ts'
import type { OpenApiSecurityScheme } from './types.ts'

export const securitySchemes = (baseUrl: string): Record<string, OpenApiSecurityScheme> => ({
  Token: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description:
      'A personal access token of a service user, after the word `Token`: `Authorization: Token acs_pat_…`. It is ' +
      'shown once, when it is created, and expires on the date that was set then. What it may do is decided by the ' +
      'roles of its service user.',
  },
  OAuth2: {
    type: 'oauth2',
    description:
      'An access token of an OAuth application, for somebody who consented to it or for a service user: ' +
      '`Authorization: Bearer eyJ…`. It lives for 10 minutes. Authorization code with PKCE (S256), refresh tokens ' +
      'that are used once, client credentials; metadata is at `/.well-known/oauth-authorization-server/oauth`. The ' +
      'scope that an operation needs is its `x-permission`; rights are those of the user or service user, within ' +
      'the scopes.',
    flows: {
      authorizationCode: {
        authorizationUrl: `${baseUrl}/oauth/auth`,
        tokenUrl: `${baseUrl}/oauth/token`,
        refreshUrl: `${baseUrl}/oauth/token`,
        scopes: permissions,
      },
      clientCredentials: { tokenUrl: `${baseUrl}/oauth/token`, scopes: permissions },
    },
  },
  Bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'A JWT of another issuer that the configuration trusts, for an identity that is known here: `Authorization: ' +
      'Bearer eyJ…`. A personal access token is refused under this scheme.',
  },
  Session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-gatehouse_session',
    description:
      'The session of somebody who has logged in, for pages of this service. A request that changes something must ' +
      'come from the same origin. Over plain HTTP on the local machine the name is without `__Host-`.',
  },
})
