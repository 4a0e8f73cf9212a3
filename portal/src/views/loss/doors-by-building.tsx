import { Text } from '@mantine/core'
import type { KeyReach } from '../../api/generated/types.ts'
import { useMay } from '../../api/me.ts'
import { deskWords } from '../../i18n/desk-words.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { LimitNote, useAbsence } from '../../resource/absence.tsx'
import { Reference, useReferencedAll } from '../../resource/reference.tsx'
import { resources } from '../../resource/resources.ts'
import { textIn } from '../../typed.ts'

/** Every door that a key opens, under the building that it is in. */
export function DoorsByBuilding({ reach: { opens } }: { reach: KeyReach }) {
  const t = useWords()
  const may = useMay()
  const format = useFormat()
  const absence = useAbsence()
  const doors = opens.access_points ?? []
  const found = useReferencedAll(
    resources['access-points'],
    doors.map(({ id }) => id),
  )
  if (opens.access_points === null || !may('access-points:read')) return <Text size="sm">{t.words.notVisible}</Text>
  if (doors.length === 0) return <Text size="sm">{absence(resources['access-points'], deskWords(t).opensNothing)}</Text>
  const byBuilding = Map.groupBy(doors, (_, index) => textIn(found[index], 'building_id') ?? '')
  return (
    <>
      {[...byBuilding].map(([building, inside]) => (
        <details key={building} open={byBuilding.size === 1} className="loss-building">
          <summary>
            {building === '' ? (
              deskWords(t).elsewhere
            ) : (
              <Reference to={resources.buildings} id={building} isPlain fallback={deskWords(t).elsewhere} />
            )}{' '}
            <Text span size="sm" c="dimmed">
              {deskWords(t).doorsIn(inside.length, format.number(inside.length))}
            </Text>
          </summary>
          <ul className="loss-list">
            {inside.map(({ id, name }) => (
              <li key={id}>
                <Reference to={resources['access-points']} id={id} fallback={name} />
              </li>
            ))}
          </ul>
        </details>
      ))}
      {opens.limited_to && (
        <LimitNote resource={resources['access-points']} places={opens.limited_to.map(({ name }) => name)} />
      )}
    </>
  )
}
