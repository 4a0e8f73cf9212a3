import type { FastifyInstance } from 'fastify'
import { type Static, Type } from '../../core/schema.ts'
import { neverBack } from '../../core/time/clock.ts'
import { bodyOf } from '../../http/items/item.ts'
import type { RouteDoc } from '../../http/route-doc.ts'
import { checkSetupLink } from '../setup/queries.ts'
import { findLink, type LinkKind } from '../users/links.ts'
import { byLink, LinkToken } from './by-link.ts'

const kinds = ['invitation', 'reset', 'setup'] as const satisfies readonly (LinkKind | 'setup')[]

const Kind = Type.Unsafe<(typeof kinds)[number]>({
  type: 'string',
  enum: [...kinds],
  description: 'What the link is for.',
  examples: ['invitation'],
})
const LinkQuestion = Type.Object({ kind: Kind, token: LinkToken }, { additionalProperties: false })

const textOrNull = (description: string, example: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description, examples: [example] })
const LinkAnswer = Type.Object(
  {
    kind: Kind,
    organization: textOrNull('The organization; null before there is one.', 'ETH Zürich'),
    name: textOrNull('Whom it is for.', 'Ada Lovelace'),
    email: textOrNull('The e-mail address to log in with.', 'ada@example.org'),
    expires_at: Type.String({
      format: 'date-time',
      description: 'Until when it works.',
      examples: ['2026-05-11T08:30:00.000Z'],
    }),
  },
  { additionalProperties: false },
)

const doc: RouteDoc = {
  tag: 'login',
  operationId: 'describeLink',
  summary: 'Look at a link',
  description:
    'What a one-time link is for and until when it works, without using it up: whoever follows it is told before ' +
    'they choose a password. 401 `invalid_link`: it is unknown, has expired or was used already.',
  body: { name: 'LinkQuestion', schema: LinkQuestion },
  success: { status: 200, name: 'LinkAnswer', schema: LinkAnswer, msg: 'The link is good' },
  errors: ['UNAUTHORIZED', 'RATE_LIMITED'],
}

export function describeLinkRoute(app: FastifyInstance): void {
  const { engine, clock } = app.house
  const latest = neverBack(clock)
  const describe = async ({ kind, token }: Static<typeof LinkQuestion>): Promise<Static<typeof LinkAnswer>> => {
    if (kind === 'setup')
      return {
        kind,
        organization: null,
        name: null,
        email: null,
        expires_at: await checkSetupLink(engine, latest.now(), token),
      }
    const { organization, name, email, expiresAt } = await findLink(engine, latest.now(), kind, token)
    return { kind, organization, name, email, expires_at: expiresAt }
  }
  app.post(
    '/api/v1/login/link',
    { config: { open: 'whoever follows a link has no credential yet', doc }, schema: { body: LinkQuestion } },
    async (request, reply) => {
      const data = await byLink(request, () => describe(bodyOf(request, LinkQuestion)))
      return reply.header('cache-control', 'no-store').send({ msg: 'The link is good', data })
    },
  )
}
