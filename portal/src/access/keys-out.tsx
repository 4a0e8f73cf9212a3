import { Alert, Anchor } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import type { Individual, Key } from '../api/generated/types.ts'
import { useMay } from '../api/me.ts'
import { listOptions } from '../api/queries.ts'
import { useWords } from '../i18n/language.tsx'
import { pathTo, resources } from '../resource/resources.ts'
import { useKeyNames } from './key-names.ts'

/** Whoever has left, or is about to, and still has keys: nothing but hands takes those back. */
export function KeysOut({ individual: { id, status, offboard_at: leaves } }: { individual: Individual }) {
  const t = useWords()
  const may = useMay()
  const isLeaving = status === 'offboarded' || status === 'anonymised' || Boolean(leaves)
  const { data } = useQuery({
    ...listOptions<Key>(resources.keys.api, { individual_id: `eq.${id}`, limit: '100' }),
    enabled: isLeaving && may('keys:read'),
  })
  const nameOf = useKeyNames(data?.items ?? [])
  if (!isLeaving || !data || data.total === 0) return null
  return (
    <Alert color="yellow" icon={<IconAlertTriangle size={18} aria-hidden />} title={t.people.keysOut(data.total)}>
      {data.items.map((key, index) => (
        <Fragment key={key.id}>
          {index > 0 && ', '}
          <Anchor
            inherit
            c="inherit"
            underline="always"
            renderRoot={(props) => <Link to={pathTo(resources.keys, key.id) ?? '/'} {...props} />}
          >
            {nameOf(key)}
          </Anchor>
        </Fragment>
      ))}
    </Alert>
  )
}
