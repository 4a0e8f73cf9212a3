import { Text } from '@mantine/core'
import { useIsLimited } from '../api/me.ts'
import { useWords } from '../i18n/language.tsx'
import type { Resource } from './resources.ts'

/**
 * What to say where nothing is shown: that there is nothing, or, to whoever is limited to places, that they see
 * nothing. `unseenHere` says it where
 * some are left out for another reason: that none is overdue is not that there is none. */
export function useAbsence(): (resource: Resource, nothing: string, unseenHere?: string) => string {
  const t = useWords()
  const isLimited = useIsLimited()
  return (resource, nothing, unseenHere) => {
    if (!isLimited(resource.read)) return nothing
    const { unseen, many } = t.resources[resource.noun]
    return unseenHere ?? unseen ?? t.list.noneSeen(many)
  }
}

/** Under what a role that is limited to places cuts: nobody takes their part for the whole. */
export function LimitNote({ resource, places = [] }: { resource: Resource; places?: readonly string[] | undefined }) {
  const t = useWords()
  const isLimited = useIsLimited()
  if (!isLimited(resource.read)) return null
  return (
    <Text size="xs" c="dimmed">
      {t.list.limitedTo(places.join(', '))}
    </Text>
  )
}
