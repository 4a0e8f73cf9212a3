import { useWords } from '../i18n/language.tsx'
import { useNavigation } from '../shell/navigation.ts'
import { Page } from '../shell/page.tsx'

/** Where one lands. */
export function OverviewPage() {
  const t = useWords()
  useNavigation()
  return <Page title={t.nav.overview}>{null}</Page>
}
