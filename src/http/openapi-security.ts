import type { OpenApiSecurityScheme } from './openapi-types.ts'

export const securitySchemes: Record<string, OpenApiSecurityScheme> = {
  Token: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description:
      'A personal access token of a service user, after the word `Token`: `Authorization: Token acs_pat_…`. It is shown once, when it is created, and expires on the date that was set then. What it may do is decided by the roles of its service user.',
  },
  Bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'A JWT, which is an OAuth 2.0 access token: `Authorization: Bearer eyJ…`. A personal access token is refused under this scheme.',
  },
  Session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-gatehouse_session',
    description:
      'The session of somebody who has logged in, for pages of this service. A request that changes something must come from the same origin. Over plain HTTP on the local machine the name is without `__Host-`.',
  },
}
