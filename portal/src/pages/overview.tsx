import { Anchor, Paper, Skeleton, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AccessControlSystemsOverview, LockingSystemOverview } from '../api/generated/types.ts'
import { useMay } from '../api/me.ts'
import { readOptions } from '../api/queries.ts'
import { useFormat } from '../i18n/format.ts'
import { useWords } from '../i18n/language.tsx'
import { type Noun, resources } from '../resource/resources.ts'
import { useHasView } from '../resource/views.tsx'
import { ErrorNote } from '../shell/error-note.tsx'
import { Page } from '../shell/page.tsx'

/** Where one lands: how the estate stands. */
export function OverviewPage() {
  const t = useWords()
  const may = useMay()
  return (
    <Page title={t.nav.overview}>
      <div className="tiles">
        {may('locking-system:read') && (
          <Tile<LockingSystemOverview>
            noun="locking-system"
            path="/api/v1/locking-system/overview"
            figures={({ total, cylinders, keys }) => [
              [t.resources['locking-system'].many, total],
              [t.resources.cylinders.many, cylinders.total],
              [t.resources.keys.many, keys.total],
              [t.values.status.lost, keys.lost],
            ]}
          />
        )}
        {may('access-control-systems:read') && (
          <Tile<AccessControlSystemsOverview>
            noun="access-control-systems"
            path="/api/v1/access-control-systems/overview"
            figures={({ total, access_points, credentials, individuals }) => [
              [t.estate.systems, total],
              [t.resources['access-points'].many, access_points.total],
              [t.resources.credentials.many, credentials.total],
              [t.resources.individuals.many, individuals.total],
            ]}
          />
        )}
      </div>
    </Page>
  )
}

interface TileProps<T> {
  noun: Noun
  path: string
  figures: (overview: T) => ReadonlyArray<readonly [string, number | null]>
}

function Tile<T>({ noun, path, figures }: TileProps<T>) {
  const t = useWords()
  const format = useFormat()
  const hasView = useHasView()
  const { data, error } = useQuery(readOptions<T>(path))
  const title = t.resources[noun].many
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h5" mb="sm">
        {hasView(noun) ? (
          <Anchor inherit renderRoot={(props) => <Link to={resources[noun].path ?? '/'} {...props} />}>
            {title}
          </Anchor>
        ) : (
          title
        )}
      </Title>
      {error ? (
        <ErrorNote error={error} />
      ) : data === undefined ? (
        <Skeleton height={56} />
      ) : (
        <dl className="facts" data-look="figures">
          {figures(data).map(([label, value]) =>
            value === null ? null : (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{format.number(value)}</dd>
              </div>
            ),
          )}
        </dl>
      )}
    </Paper>
  )
}
