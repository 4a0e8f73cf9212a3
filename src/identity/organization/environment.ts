import { type Config, plainIssuer } from '../../config.ts'
import { type Static, Type } from '../../core/schema.ts'
import { IDLE_MS, SESSION_SECONDS } from '../sessions/schema.ts'

const days = (what: string) => Type.Integer({ description: `How many days ${what} are kept; 0: for ever.` })

/** What whoever runs the service has decided. No secret is in it, nor anything of another organization. */
export const OrganizationEnvironment = Type.Object(
  {
    base_url: Type.String({ description: 'The address of the service.' }),
    mail: Type.Object(
      {
        is_sent: Type.Boolean({
          description:
            'Whether mail is sent: invitations, reminders, warnings. Otherwise links are shown to be passed on.',
        }),
        from: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Who it is from.' }),
      },
      { additionalProperties: false, description: 'Mail.' },
    ),
    single_sign_on: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'What it is called on the login page.' }),
          issuer: Type.String({ description: 'Its OpenID Connect issuer.' }),
          joins_as: Type.Unsafe<string | null>({
            type: ['string', 'null'],
            description:
              'The role in this organization of whoever comes from there and is not known yet; null: such a person ' +
              'is refused.',
          }),
        },
        { additionalProperties: false },
      ),
      { description: 'Where people can log in by single sign-on.' },
    ),
    trusted_issuers: Type.Array(Type.String(), {
      description: 'Others whose tokens are taken at the API, for external identities.',
    }),
    scim_makes_logins: Type.Boolean({ description: 'Whether whoever is provisioned by SCIM gets a login too.' }),
    session: Type.Object(
      {
        hours: Type.Integer({ description: 'How long a login lasts at most.' }),
        idle_minutes: Type.Integer({ description: 'After how long without a request it ends.' }),
      },
      { additionalProperties: false, description: 'Logins.' },
    ),
    requests_per_minute: Type.Integer({
      description: 'How many requests each caller may make in a minute; 0: any number.',
    }),
    kept_days: Type.Object(
      {
        audit_log: days('entries of the audit log'),
        access_events: days('events of people at doors'),
        door_events: days('events of doors'),
        system_events: days('events of systems'),
      },
      { additionalProperties: false, description: 'What is kept for how long.' },
    ),
  },
  { additionalProperties: false },
)

export const environmentOf = (config: Config, organization: string): Static<typeof OrganizationEnvironment> => ({
  base_url: config.baseUrl,
  mail: { is_sent: config.mail !== undefined, from: config.mail?.from ?? null },
  single_sign_on: config.signOn.map(({ name, issuer, join }) => ({
    name,
    issuer: plainIssuer(issuer),
    joins_as: join?.organization === organization ? join.role : null,
  })),
  trusted_issuers: config.trustedIssuers.map(({ issuer }) => issuer),
  scim_makes_logins: config.scimLogins,
  session: { hours: SESSION_SECONDS / 3600, idle_minutes: IDLE_MS / 60_000 },
  requests_per_minute: config.rateLimit,
  kept_days: {
    audit_log: config.auditRetentionDays,
    access_events: config.eventRetention.access,
    door_events: config.eventRetention.door,
    system_events: config.eventRetention.system,
  },
})

export const environmentExample: Static<typeof OrganizationEnvironment> = {
  base_url: 'https://gatehouse.example.org',
  mail: { is_sent: true, from: 'Gatehouse <gatehouse@example.org>' },
  single_sign_on: [{ name: 'Entra ID', issuer: 'https://login.example.org', joins_as: 'Operator' }],
  trusted_issuers: ['https://id.example.org'],
  scim_makes_logins: false,
  session: { hours: 12, idle_minutes: 30 },
  requests_per_minute: 600,
  kept_days: { audit_log: 0, access_events: 365, door_events: 90, system_events: 365 },
}
