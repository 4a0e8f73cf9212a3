import type { Overview } from '../../api/generated/types.ts'
import { readOptions } from '../../api/queries.ts'

/** How everything stands; null is what the person may not see. */
export const overviewOptions = readOptions<Overview>('/api/v1/overview')
