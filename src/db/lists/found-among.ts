import { perEngine } from '../kept/per-engine.ts'
import type { OrgHandle } from '../org.ts'
import { render } from '../sql.ts'
import type { AskedList } from './list-plan.ts'

// After a change every list that is asked for looks at the same few rows. Those that are asked for in one turn of the
// event loop look by one statement: it is the way to the database and back that costs.

/** So many look together, or some of them twice: the texts are few, since each is prepared once. */
const TOGETHER = [1, 4, 16]

interface Look {
  readonly values: readonly unknown[]
  readonly found: PromiseWithResolvers<Set<string>>
}

/** Lists of one shape that look at the same rows. */
interface Looks {
  readonly handle: OrgHandle
  readonly asked: AskedList
  readonly ids: readonly string[]
  readonly lists: Look[]
}

/** Whether it is worth it: not where there is no way to go. What else is asked for in a condition is so for each list. */
export const looksTogether = ({ dialect }: OrgHandle, { plan }: AskedList): boolean =>
  dialect.name === 'postgres' && !/\bselect\b/i.test(plan.where)

const waitingOf = perEngine(() => new Map<string, Looks>())

/** Those of these rows that belong to a list. */
export function foundAmong(handle: OrgHandle, asked: AskedList, ids: readonly string[]): Promise<Set<string>> {
  const { resource, plan, values } = asked
  if (!looksTogether(handle, asked)) return lookAlone(handle, asked, ids)
  const waiting = waitingOf(handle.engine)
  const key = JSON.stringify([handle.org, resource.table, plan.where, ids])
  let looks = waiting.get(key)
  if (!looks) {
    const made: Looks = { handle, asked, ids, lists: [] }
    looks = made
    waiting.set(key, made)
    setImmediate(() => {
      waiting.delete(key)
      lookAll(made)
    })
  }
  const found = Promise.withResolvers<Set<string>>()
  looks.lists.push({ values, found })
  return found.promise
}

async function lookAlone(handle: OrgHandle, asked: AskedList, ids: readonly string[]): Promise<Set<string>> {
  const [found = new Set<string>()] = await look(handle, asked, ids, [asked])
  return found
}

function lookAll({ handle, asked, ids, lists }: Looks): void {
  const looking = async (some: readonly Look[], size: number): Promise<void> => {
    try {
      const found = await look(handle, asked, ids, filledUp(some, size))
      for (const [index, one] of some.entries()) one.found.resolve(found[index] as Set<string>)
    } catch (error) {
      for (const { found } of some) found.reject(error)
    }
  }
  while (lists.length > 0) {
    const size = TOGETHER.find((one) => one >= lists.length) ?? Math.max(...TOGETHER)
    void looking(lists.splice(0, size), size)
  }
}

/** The last one looks again. */
const filledUp = (lists: readonly Look[], size: number): Look[] =>
  Array.from({ length: size }, (_, index) => lists[Math.min(index, lists.length - 1)] as Look)

async function look(
  handle: OrgHandle,
  { resource, plan }: AskedList,
  ids: readonly string[],
  lists: ReadonlyArray<Pick<Look, 'values'>>,
): Promise<Array<Set<string>>> {
  const values = lists.flatMap((list) => list.values)
  const among = render(handle.dialect.ids(ids, 'i'))
  const own = (index: number) => `case when ${numbered(plan.where, index * (values.length / lists.length))} then 1 end`
  const rows = await handle.query<Record<string, unknown>>(
    `select t.id, ${lists.map((_, index) => `${own(index)} as in_${index}`).join(', ')}
      from ${numbered(among.text, values.length)} cross join ${resource.table} t${plan.beside}
      where t.id = i.id and t.org = :org`,
    [...values, ...among.values],
  )
  return lists.map((_, index) => new Set(rows.filter((row) => row[`in_${index}`] === 1).map(({ id }) => String(id))))
}

/** Its values stand behind so many others. */
const numbered = (text: string, before: number): string => text.replace(/\$(\d+)/g, (_, n) => `$${Number(n) + before}`)
