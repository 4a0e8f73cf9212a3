import type { EnumValues } from '../api/generated/types.ts'
import type { Noun } from '../resource/resources.ts'
import type { common } from './en/common.ts'
import type { estate } from './en/estate.ts'
import type { fields } from './en/fields.ts'
import type { identity, profile } from './en/identity.ts'
import type { locking } from './en/locking.ts'
import type { login } from './en/login.ts'
import type { opening } from './en/opening.ts'
import type { people } from './en/people.ts'
import type { requests } from './en/requests.ts'

/** English sets the shape; a language that lacks a word does not compile. */
export type Messages = typeof common & {
  spoken: Language
  fields: typeof fields
  values: ValueWords
  resources: ResourceWords
  login: typeof login
  estate: typeof estate
  locking: typeof locking
  opening: typeof opening
  people: typeof people
  requests: typeof requests
  identity: typeof identity
  profile: typeof profile
}

export type ValueWords = { [F in keyof EnumValues]: Record<EnumValues[F], string> }
export type ResourceWords = Record<
  Noun,
  { one: string; many: string; empty: string; none?: string; unseen?: string; search?: string }
>
export type Language = 'en' | 'de'
