import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useWords } from '../i18n/language.tsx'
import { Page } from '../shell/page.tsx'
import type { Address } from '../typed.ts'
import { FormDrawer } from './forms/form-drawer-lazy.ts'
import { useOwnNoun, useView } from './known-views.ts'
import { useMayCreate } from './own-places.ts'
import { ResourceList } from './resource-list.tsx'
import { apiOf } from './resources.ts'

/** `/buildings`: all of them. `?new=1` opens the form, so that anything can lead to it. */
export function ListPage() {
  const noun = useOwnNoun()
  const t = useWords()
  const view = useView(noun)
  const mayCreate = useMayCreate()
  const navigate = useNavigate()
  const { new: isNew } = useSearch({ strict: false })
  const setNew = (value: string | undefined) =>
    void navigate({
      to: '.',
      search: (now: Address) => ({ ...now, new: value }),
      replace: value === undefined,
      resetScroll: false,
    })
  if (view.ListPage) return <view.ListPage />
  return (
    <Page title={t.resources[noun].many}>
      <ResourceList key={noun} view={view} onCreate={() => setNew('1')} />
      {isNew !== undefined && view.form && mayCreate(view.resource) && (
        <Suspense>
          <FormDrawer view={view} api={apiOf(view.resource)} onClose={() => setNew(undefined)} />
        </Suspense>
      )}
    </Page>
  )
}
