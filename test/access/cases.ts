import type { Cases } from './case.ts'
import { conditions } from './cases/conditions.ts'
import { credentials } from './cases/credentials.ts'
import { doors } from './cases/doors.ts'
import { emergencies } from './cases/emergencies.ts'
import { grants } from './cases/grants.ts'
import { keys } from './cases/keys.ts'
import { people } from './cases/people.ts'
import { presence } from './cases/presence.ts'
import { schedules } from './cases/schedules.ts'
import { summerAndWinter } from './cases/summer-and-winter.ts'

/** The table: every world with its questions and the answers that are expected. */
export const table: readonly Cases[] = [
  ...credentials,
  ...people,
  ...grants,
  ...schedules,
  ...summerAndWinter,
  ...emergencies,
  ...doors,
  ...keys,
  ...presence,
  ...conditions,
]
