import { Paper, Skeleton, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call } from '../api/client.ts'
import type { OrganizationEnvironment } from '../api/generated/types.ts'
import { environmentWords } from '../i18n/environment-words.ts'
import { useFormat } from '../i18n/format.ts'
import { givenName } from '../i18n/given-names.ts'
import { useWords } from '../i18n/language.tsx'
import { resources } from '../resource/resources.ts'
import { ErrorNote } from '../shell/error-note.tsx'

const PATH = `${resources.organization.api}/environment`
const KEPT = ['audit_log', 'access_events', 'door_events', 'system_events'] as const

/** What nobody can change here: the environment of the service decides. */
export function Environment() {
  const words = environmentWords(useWords())
  const { data, error, refetch } = useQuery({
    queryKey: ['organization', 'environment'],
    queryFn: ({ signal }) => call<OrganizationEnvironment>(PATH, { signal }),
  })
  return (
    <Paper withBorder p="md" mt="md" maw={720} component="section" aria-labelledby="environment">
      <Title order={2} size="h5" id="environment">
        {words.title}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {words.text}
      </Text>
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={200} />}
      {data && <Decided environment={data.data} />}
    </Paper>
  )
}

function Decided({ environment }: { environment: OrganizationEnvironment }) {
  const t = useWords()
  const format = useFormat()
  const words = environmentWords(t)
  const {
    base_url,
    mail,
    single_sign_on,
    trusted_issuers,
    scim_makes_logins,
    session,
    requests_per_minute,
    kept_days,
  } = environment
  return (
    <dl className="facts">
      <Fact name={words.address}>{base_url}</Fact>
      <Fact name={words.mail}>{mail.is_sent ? words.mailFrom(mail.from ?? '') : words.mailNone}</Fact>
      <Fact name={words.signOn}>
        {single_sign_on.length === 0 && words.none}
        {single_sign_on.map(({ name, issuer, joins_as }) => (
          <div key={issuer}>
            {name}{' '}
            <Text
              span
              size="sm"
              c="dimmed"
            >{`${issuer} · ${joins_as ? words.joins(givenName(joins_as)) : words.knownOnly}`}</Text>
          </div>
        ))}
      </Fact>
      <Fact name={words.issuers}>
        {trusted_issuers.length === 0 ? words.none : trusted_issuers.map((issuer) => <div key={issuer}>{issuer}</div>)}
      </Fact>
      <Fact name={words.scim}>{scim_makes_logins ? words.scimLogins : words.scimPeople}</Fact>
      <Fact name={words.session}>
        {words.sessionEnds(format.duration(session.hours * 3600), format.duration(session.idle_minutes * 60))}
      </Fact>
      <Fact name={words.requests}>{words.requestsLimit(requests_per_minute)}</Fact>
      <Fact name={words.kept}>
        {KEPT.map((what) => (
          <div key={what}>{`${words[what]}: ${words.days(kept_days[what])}`}</div>
        ))}
      </Fact>
    </dl>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
