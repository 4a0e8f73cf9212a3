import type { FloorPlan } from '../../api/generated/types.ts'
import type { Messages } from '../../i18n/messages.ts'
import { planWords } from '../../i18n/plan-words.ts'

/** Its own name, or which floor it is. */
export const floorName = (t: Messages, { name, floor }: Pick<FloorPlan, 'name' | 'floor'>): string =>
  name ?? planWords(t).floorOf(String(floor))
