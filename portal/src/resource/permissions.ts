import { useQuery } from '@tanstack/react-query'
import type { Permissions } from '../api/generated/types.ts'
import { useMay, useMe } from '../api/me.ts'
import { readOptions } from '../api/queries.ts'
import { useWords } from '../i18n/language.tsx'
import type { Messages } from '../i18n/messages.ts'
import { permissionGroups, permissionWords } from '../i18n/permission-words.ts'
import { inWords } from '../typed.ts'

interface Explained {
  name: string
  sentence: string
}

/** Every permission there is, as the service lists them; whoever may not see that list knows their own. */
export function usePermissions(): Explained[] {
  const t = useWords()
  const may = useMay()
  const mine = useMe().permissions.map(({ permission }) => permission)
  const { data } = useQuery({
    ...readOptions<Permissions>('/api/v1/permissions'),
    enabled: may('roles:read'),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const own: Record<string, string> = permissionWords(t)
  if (!data)
    return mine.map((name) => ({ name, sentence: permissionWords(t)[name] })).sort((a, b) => (a.name < b.name ? -1 : 1))
  return data.map(({ name, description }) => ({ name, sentence: own[name] ?? description }))
}

/** By resource, in the order given. */
export const groupsOf = <P extends string>(permissions: readonly P[]): Array<[string, P[]]> => [
  ...Map.groupBy(permissions, (permission) => permission.slice(0, permission.indexOf(':'))),
]

export const groupName = (t: Messages, noun: string): string =>
  inWords(t.resources, noun)?.many ?? permissionGroups(t)[noun] ?? noun
