import { Alert, Anchor, List, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useFormat } from '../i18n/format.ts'
import { useWords } from '../i18n/language.tsx'
import { useHasView } from '../resource/known-views.ts'
import { pathTo, resources } from '../resource/resources.ts'

export type OffboardAnswer = {
  display_name: string
  offboard_at: string | null
  keys_to_recover: Array<{
    id: string
    number: string
    key_type_code: string
    locking_system_name: string
    due_back_on: string | null
  }> | null
  limited_to?: unknown[]
}

/** What offboarding could not take back. */
export function KeysToRecover({ answer }: { answer: OffboardAnswer }) {
  const { display_name: name, offboard_at: at, limited_to: limits } = answer
  const keys = answer.keys_to_recover ?? []
  const t = useWords()
  const format = useFormat()
  const hasView = useHasView()
  if (keys.length === 0) {
    return (
      <Alert color="green" icon={<IconCircleCheck size={18} aria-hidden />}>
        {at !== null
          ? t.people.offboardingPlanned(name, format.moment(at))
          : limits || answer.keys_to_recover === null
            ? t.people.noKeysOutSeen(name)
            : t.people.noKeysOut(name)}
      </Alert>
    )
  }
  return (
    <Alert color="yellow" icon={<IconAlertTriangle size={18} aria-hidden />} title={t.people.keysOut(keys.length)}>
      {at !== null && <Text size="sm">{t.people.offboardingPlanned(name, format.moment(at))}</Text>}
      <List size="sm" spacing={6}>
        {keys.map((key) => {
          const label = `${key.key_type_code} · ${key.number}`
          return (
            <List.Item key={key.id}>
              {hasView('keys') ? (
                <Anchor inherit renderRoot={(props) => <Link to={pathTo(resources.keys, key.id) ?? '/'} {...props} />}>
                  {label}
                </Anchor>
              ) : (
                <b>{label}</b>
              )}{' '}
              <Text span inherit c="dimmed">
                {key.locking_system_name}
                {key.due_back_on !== null && `, ${t.people.dueBack(format.date(key.due_back_on))}`}
              </Text>
            </List.Item>
          )
        })}
      </List>
    </Alert>
  )
}
