import type { FastifyRequest } from 'fastify'
import type { OrgHandle } from '../../db/org.ts'
import { type Item, type Resource, visibleNames } from '../../db/resource.ts'
import { cachedGet } from '../answers/cached-get.ts'
import { upToDate } from '../answers/up-to-date.ts'
import type { ListOptions } from '../lists/open.ts'

/** Answers with one item, however it is found. */
export const readItem = (
  resource: Resource,
  options: Pick<ListOptions, 'decorate' | 'outdated'>,
  find: (request: FastifyRequest, handle: OrgHandle) => Promise<Item>,
) =>
  upToDate(
    () => options.outdated,
    find,
    cachedGet(
      async (request, handle) => {
        const row = await find(request, handle)
        await options.decorate?.(handle, [row], request.caller, visibleNames(resource))
        return { msg: `Retrieved ${resource.singular}`, data: row }
      },
      hasDerived(resource),
      resource.isVolatile,
    ),
  )

/** Whether the answer holds more, or less, than the version speaks of. */
const hasDerived = (resource: Resource): boolean =>
  resource.reaches?.fields !== undefined || Object.values(resource.fields).some(({ spec }) => !spec.isStored)
