import { permissions as en } from '../api/generated/permissions.ts'
import type { Permission } from '../api/generated/types.ts'
import { permissions as de } from './de/permissions.ts'
import { pageWords } from './page-words.ts'

export const permissionWords = pageWords<Record<Permission, string>>({ en, de })

/** What permissions are about, where that has no page of its own to be called after. */
export const permissionGroups = pageWords<Readonly<Record<string, string>>>({
  en: {
    presence: 'Who is inside',
    'access-decisions': 'Access decisions',
    changes: 'Changes',
    imports: 'Imports',
    scim: 'SCIM',
  },
  de: {
    presence: 'Wer drinnen ist',
    'access-decisions': 'Zutrittsentscheide',
    changes: 'Änderungen',
    imports: 'Importe',
    scim: 'SCIM',
  },
})
