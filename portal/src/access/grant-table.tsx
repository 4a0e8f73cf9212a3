import { Text, Title } from '@mantine/core'
import type { AccessGrant } from '../api/generated/types.ts'
import type { Item } from '../api/queries.ts'
import { useWords } from '../i18n/language.tsx'
import { LimitNote, useAbsence } from '../resource/absence.tsx'
import { shownOf } from '../resource/columns.ts'
import type { ColumnDef } from '../resource/define-view.ts'
import { resources } from '../resource/resources.ts'
import { DataTable } from '../resource/table.tsx'
import { CutNote } from './cut-note.tsx'

interface GrantTableProps {
  grants: readonly AccessGrant[] | undefined
  columns: ReadonlyArray<ColumnDef<AccessGrant>>
  empty: string
}

/** Who gets in by grants, under its headline; the keys come after it. */
export function GrantSection({ isCut, ...table }: GrantTableProps & { isCut: boolean }) {
  const t = useWords()
  return (
    <>
      <Title order={2} size="h5">
        {t.people.byGrants}
      </Title>
      <GrantTable {...table} />
      <CutNote isCut={isCut} />
      <LimitNote resource={resources['access-grants']} />
    </>
  )
}

/** Grants gathered from several questions, for reading: what keeps out stands first, since it wins. */
function GrantTable({ grants, columns, empty }: GrantTableProps) {
  const t = useWords()
  const absence = useAbsence()
  if (grants?.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {absence(resources['access-grants'], empty)}
      </Text>
    )
  }
  const sorted = grants && [...grants].sort((a, b) => rank(a) - rank(b))
  return (
    <DataTable
      caption={t.people.byGrants}
      resource={resources['access-grants']}
      columns={columns.map((column) => shownOf({ resource: resources['access-grants'], columns }, t, column))}
      items={sorted as unknown as Item[] | undefined}
      skeletonRows={4}
    />
  )
}

const rank = ({ effect, status }: AccessGrant): number => (effect === 'deny' ? 0 : 2) + (status === 'active' ? 0 : 1)
