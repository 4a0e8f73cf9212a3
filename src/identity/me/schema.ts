import { allPermissions, type Permission } from '../../core/permissions.ts'
import { type Static, Type } from '../../core/schema.ts'
import { AwaitedFactor } from '../login/answer.ts'

const id = Type.String({ format: 'uuid' })
const idOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uuid' })
const closed = { additionalProperties: false }

interface Person {
  email: string
  language: 'en' | 'de' | null
  mfa: boolean
  second_factor_required: boolean
  recovery_codes_left: number
  last_login_at: string
  has_password: boolean
  passkeys: number
  identities: number
}

export const Me = Type.Object(
  {
    kind: Type.Unsafe<'user' | 'service_user'>({
      type: 'string',
      enum: ['user', 'service_user'],
      description:
        'What kind of caller it is: a person who has logged in or for whom an application acts, or software.',
      examples: ['service_user'],
    }),
    id,
    name: Type.String({ examples: ['HR synchronisation'] }),
    organization: Type.Object(
      {
        id,
        name: Type.String({ examples: ['ETH Zürich'] }),
        time_zone: Type.String({ examples: ['Europe/Zurich'] }),
        language: Type.String({ examples: ['de'] }),
      },
      { ...closed, description: 'The organization that the credential belongs to.' },
    ),
    token: Type.Unsafe<{ id: string; name: string; prefix: string; last_four: string; expires_at: string } | null>({
      type: ['object', 'null'],
      description: 'The token of this request.',
      properties: {
        id,
        name: Type.String(),
        prefix: Type.String({ examples: ['acs_pat_'] }),
        last_four: Type.String({ examples: ['x7Qe'] }),
        expires_at: Type.String({ format: 'date-time' }),
      },
      additionalProperties: false,
    }),
    user: Type.Unsafe<Person | null>({
      type: ['object', 'null'],
      description: 'The person, if it is one; not told to an OAuth application.',
      properties: {
        email: Type.String({ examples: ['ada@example.org'] }),
        language: Type.Unsafe<'en' | 'de' | null>({
          type: ['string', 'null'],
          enum: ['en', 'de', null],
          description: 'The language they have chosen; null: none yet.',
        }),
        mfa: Type.Boolean({ description: 'Whether logging in takes a second factor.' }),
        second_factor_required: Type.Boolean({
          description: 'Whether a second factor is demanded of them, by the organization or by a role of theirs.',
        }),
        recovery_codes_left: Type.Integer({
          minimum: 0,
          description: 'How many recovery codes are unused.',
          examples: [10],
        }),
        last_login_at: Type.String({ format: 'date-time' }),
        has_password: Type.Boolean({
          description: 'Whether there is a password; without one they use passkeys or single sign-on.',
        }),
        passkeys: Type.Integer({ minimum: 0, description: 'How many passkeys there are.', examples: [1] }),
        identities: Type.Integer({
          minimum: 0,
          description: 'How many identities of single sign-on are connected.',
          examples: [0],
        }),
      },
      required: [
        'email',
        'language',
        'mfa',
        'second_factor_required',
        'recovery_codes_left',
        'last_login_at',
        'has_password',
        'passkeys',
        'identities',
      ],
      additionalProperties: false,
      examples: [null],
    }),
    session: Type.Unsafe<{
      id: string
      expires_at: string
      confirmed_at: string
      awaited_factor: 'set_up' | 'confirm' | null
    } | null>({
      type: ['object', 'null'],
      description: 'The session of this request, if the caller has logged in.',
      properties: {
        id,
        expires_at: Type.String({ format: 'date-time', description: 'When it ends at the latest.' }),
        confirmed_at: Type.String({
          format: 'date-time',
          description: 'When the password was last given; some changes want it to be recent.',
        }),
        awaited_factor: AwaitedFactor,
      },
      required: ['id', 'expires_at', 'confirmed_at', 'awaited_factor'],
      additionalProperties: false,
      examples: [null],
    }),
    application: Type.Unsafe<{ id: string; name: string } | null>({
      type: ['object', 'null'],
      description: 'The OAuth application through which the caller acts, if through one.',
      properties: { id, name: Type.String({ examples: ['Badge printer'] }) },
      required: ['id', 'name'],
      additionalProperties: false,
      examples: [null],
    }),
    roles: Type.Array(
      Type.Object(
        {
          role_assignment_id: id,
          role_id: id,
          name: Type.String({ examples: ['Operator'] }),
          location_id: idOrNull,
          building_id: idOrNull,
        },
        closed,
      ),
      { description: 'The roles it has, each everywhere or in one place.' },
    ),
    permissions: Type.Array(
      Type.Object(
        {
          permission: Type.Unsafe<Permission>({ type: 'string', enum: allPermissions }),
          scope: Type.Unsafe<'organization' | 'places'>({
            type: 'string',
            enum: ['organization', 'places'],
            description: 'Everywhere, or in the places that follow, each with all below it.',
          }),
          location_ids: Type.Array(id),
          building_ids: Type.Array(id),
        },
        closed,
      ),
      {
        description:
          'What the caller may do: its roles, less what its token or application leaves out; nothing while a second ' +
          'factor is awaited.',
      },
    ),
  },
  closed,
)

export type Me = Static<typeof Me>
