import { Alert, Anchor, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import type { ListMeta } from '../api/queries.ts'
import { useFormat } from '../i18n/format.ts'
import { useWords } from '../i18n/language.tsx'
import { pathTo, resources } from '../resource/resources.ts'

/** Keys that nobody can account for open the door for whoever has them. */
export function LostKeys({ meta }: { meta: ListMeta }) {
  const t = useWords()
  const format = useFormat()
  const { unaccounted_keys: count, unaccounted } = meta
  if (count === undefined || count === 0) return null
  if (count === null || !unaccounted) {
    return (
      <Text size="sm" c="dimmed">
        {t.people.keysNotSeen}
      </Text>
    )
  }
  // A key that turns in several doors of a space is told once; of very many the service names the first.
  const keys = [...new Map(unaccounted.map((key) => [key.key_id, key])).values()]
  return (
    <Alert color="yellow" icon={<IconAlertTriangle size={18} aria-hidden />}>
      {t.opening.lostKeys(count)}{' '}
      {keys.map(({ key_id: id, key_type_code: code, number }, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <Anchor
            inherit
            c="inherit"
            underline="always"
            renderRoot={(props) => <Link to={pathTo(resources.keys, id) ?? '/'} {...props} />}
          >
            {`${code} · ${number}`}
          </Anchor>
        </Fragment>
      ))}
      {count > keys.length && ` ${t.locking.andMore(format.number(count - keys.length))}`}
    </Alert>
  )
}
