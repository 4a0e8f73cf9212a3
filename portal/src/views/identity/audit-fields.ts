import { audit as de } from '../../i18n/de/audit.ts'
import { audit as en } from '../../i18n/en/audit.ts'
import type { Messages } from '../../i18n/messages.ts'
import { pageWords } from '../../i18n/page-words.ts'
import { inWords } from '../../typed.ts'

/** For the page of an entry: lists of entries, such as the overview's, can do without. */
export const auditWords = pageWords({ en, de })

/** What a recorded field is called: as its resource calls it, or as every page does. */
export function recordedLabel(t: Messages, own: Partial<Record<string, string>> | undefined, field: string): string {
  const audit: Record<string, string> = auditWords(t).fields
  const names = inWords(t.resources, field.replaceAll('_', '-'))
  return own?.[field] ?? audit[field] ?? inWords(t.fields, field) ?? names?.many ?? field.replaceAll('_', ' ')
}
