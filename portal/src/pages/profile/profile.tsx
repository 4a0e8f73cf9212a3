import { Stack } from '@mantine/core'
import { Suspense } from 'react'
import { useMe } from '../../api/me.ts'
import { useWords } from '../../i18n/language.tsx'
import { useView } from '../../resource/known-views.ts'
import { ShortList } from '../../resource/shown/short-list.tsx'
import { Page } from '../../shell/page.tsx'
import { Account } from './account.tsx'
import { Authenticator } from './authenticator.tsx'
import { Identities } from './identities.tsx'
import { Passkeys } from './passkeys.tsx'
import { Password } from './password.tsx'
import { Roles } from './roles.tsx'
import { Section } from './section.tsx'
import { Sessions } from './sessions.tsx'

/** Me: who I am, how I prove it, where I am logged in, what I may do, and what I let applications do. */
export function ProfilePage() {
  const t = useWords()
  const me = useMe()
  return (
    <Page title={t.profile.title} subtitle={me.user?.email}>
      <Stack gap="md" maw={880}>
        <Section title={t.profile.account}>
          <Account />
        </Section>
        <Section title={t.profile.password} text={t.profile.passwordText}>
          <Password />
        </Section>
        <Section title={t.profile.authenticator} text={t.profile.authenticatorText}>
          <Authenticator />
        </Section>
        <Section title={t.resources.passkeys.many} text={t.profile.passkeysText}>
          <Passkeys />
        </Section>
        <Identities />
        <Section title={t.resources.sessions.many} text={t.profile.sessionsText}>
          <Sessions />
        </Section>
        {
          <Section title={t.profile.applications} text={t.profile.applicationsText}>
            <Suspense>
              <Grants />
            </Suspense>
          </Section>
        }
        <Section title={t.profile.rights} text={t.profile.rightsText}>
          <Roles />
        </Section>
      </Stack>
    </Page>
  )
}

function Grants() {
  return <ShortList view={useView('oauth-grants')} order="created_at.desc" />
}
