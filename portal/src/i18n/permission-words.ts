import { permissions as en } from '../api/generated/permissions.ts'
import type { Permission } from '../api/generated/types.ts'
import { permissions as de } from './de/permissions.ts'
import { pageWords } from './page-words.ts'

export const permissionWords = pageWords<Record<Permission, string>>({ en, de })
