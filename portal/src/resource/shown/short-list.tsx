import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Item, listOptions } from '../../api/queries.ts'
import { useWords } from '../../i18n/language.tsx'
import { ErrorNote } from '../../shell/error-note.tsx'
import { useAbsence } from '../absence.tsx'
import { RowMenu } from '../actions.tsx'
import { shownOf } from '../columns.ts'
import type { AnyView } from '../define-view.ts'
import { apiOf } from '../resources.ts'
import { DataTable } from '../table.tsx'

const nowhere = () => undefined

/** A list too short for search and pages: several fit on one page, and none has its state in the address. */
export function ShortList({ view, order }: { view: AnyView; order: string }) {
  const t = useWords()
  const absence = useAbsence()
  const words = t.resources[view.resource.noun]
  const api = apiOf(view.resource)
  const { data, error, refetch } = useQuery(listOptions(api, { limit: '100', order }))
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} />
  if (data?.items.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {absence(view.resource, words.empty)}
      </Text>
    )
  }
  return (
    <DataTable
      caption={words.many}
      resource={view.resource}
      columns={view.columns.map((column) => shownOf(view, t, column))}
      items={data?.items}
      skeletonRows={1}
      linkTo={nowhere}
      rowActions={(item: Item) => <RowMenu view={view} item={item} api={api} />}
    />
  )
}
