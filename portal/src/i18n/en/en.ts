import type { Messages } from '../messages.ts'
import { common } from './common.ts'
import { estate } from './estate.ts'
import { fields } from './fields.ts'
import { identity, profile } from './identity.ts'
import { locking } from './locking.ts'
import { login } from './login.ts'
import { opening } from './opening.ts'
import { people } from './people.ts'
import { requests } from './requests.ts'
import { resources } from './resources.ts'
import { values } from './values.ts'

export const en: Messages = {
  spoken: 'en',
  ...common,
  fields,
  values,
  resources,
  login,
  estate,
  locking,
  opening,
  people,
  requests,
  identity,
  profile,
}
