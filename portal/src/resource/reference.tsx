import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { call } from '../api/client.ts'
import { useIsLimited, useMay } from '../api/me.ts'
import type { Item } from '../api/queries.ts'
import { useWords } from '../i18n/language.tsx'
import { OwnLink } from '../shell/own-link.tsx'
import { apiOf, labelOf, pathTo, type Resource } from './resources.ts'

const MOST = 100
const GATHER_MS = 5

interface Waiting {
  id: string
  resolve(item: Item | null): void
  reject(error: unknown): void
}

const waiting = new Map<Resource, Waiting[]>()

/** A table shows many references at once: those asked for in one go are fetched together. */
function fetchByIds(resource: Resource, id: string): Promise<Item | null> {
  return new Promise((resolve, reject) => {
    const queue = waiting.get(resource)
    if (queue) {
      queue.push({ id, resolve, reject })
      return
    }
    waiting.set(resource, [{ id, resolve, reject }])
    setTimeout(() => flush(resource), GATHER_MS)
  })
}

function flush(resource: Resource): void {
  const queue = waiting.get(resource) ?? []
  waiting.delete(resource)
  const ids = [...new Set(queue.map(({ id }) => id))]
  for (let start = 0; start < ids.length; start += MOST) void fetchSome(resource, ids.slice(start, start + MOST), queue)
}

async function fetchSome(resource: Resource, ids: string[], queue: Waiting[]): Promise<void> {
  const mine = queue.filter(({ id }) => ids.includes(id))
  try {
    const query: Record<string, string> = resource.isBare
      ? { space_ids: ids.join(',') }
      : { id: `in.(${ids.join(',')})` }
    const { data } = await call<Item[]>(`${apiOf(resource)}?${new URLSearchParams({ ...query, limit: String(MOST) })}`)
    const found = new Map(data.map((item) => [item.id, item]))
    for (const { id, resolve } of mine) resolve(found.get(id) ?? null)
  } catch (error) {
    for (const { reject } of mine) reject(error)
  }
}

export const referenceOptions = (resource: Resource, id: string | null | undefined) =>
  queryOptions({
    queryKey: ['reference', resource.noun, id],
    queryFn: async () => (typeof id === 'string' ? fetchByIds(resource, id) : null),
    staleTime: 60_000,
  })

/** The item that an id stands for; null where it is gone or out of reach. */
export function useReferenced(resource: Resource, id: string | null | undefined) {
  const may = useMay()
  return useQuery({ ...referenceOptions(resource, id), enabled: id !== null && id !== undefined && may(resource.read) })
}

/** The same of many at once. */
export function useReferencedAll(resource: Resource, ids: readonly string[]) {
  const may = useMay()
  return useQueries({
    queries: ids.map((id) => ({ ...referenceOptions(resource, id), enabled: may(resource.read) })),
    combine: (results) => results.map(({ data }) => data),
  })
}

/**
 * It may have a value or not: that is not for this person to know. Said in words, which paper and a screen reader tell
 * too.
 */
export function Unseen({ kind }: { kind?: string | undefined }) {
  const t = useWords()
  return (
    <span className="unseen dimmed" title={t.words.notVisible}>
      {kind === undefined ? t.detail.notSeen : `${kind} (${t.detail.notSeen})`}
    </span>
  )
}

interface ReferenceProps {
  to: Resource
  id: string
  isPlain?: boolean
  /** Its name, where that is known and the item may be gone. */
  fallback?: string | undefined
  /** What it is, where nothing else says so and its name may not be seen. */
  kind?: string | undefined
}

/** An item of another resource by its name, leading there; plain inside something that is a link already. */
export function Reference(props: ReferenceProps) {
  const { data } = useReferenced(props.to, props.id)
  return <Referenced {...props} item={data} />
}

/** The same of an item that whoever draws it has asked for: none while it is awaited. */
export function Referenced({
  to,
  id,
  item,
  isPlain = false,
  fallback,
  kind,
}: ReferenceProps & { item: Item | null | undefined }) {
  const t = useWords()
  const may = useMay()
  const isLimited = useIsLimited()(to.read)
  // Whoever sees a part cannot be told whether it is elsewhere or gone.
  const isUnseen = !may(to.read) || (item === null && isLimited)
  if (fallback === undefined && isUnseen) return <Unseen kind={kind} />
  if (isUnseen || item === null) {
    return (
      <span className="dimmed" title={isUnseen ? t.words.notVisible : t.words.notFound}>
        {fallback ?? kind ?? t.words.notFound}
      </span>
    )
  }
  if (item === undefined) return <span className="reference-waiting" aria-busy />
  const path = pathTo(to, id)
  // What has no name is told by its id: a link says something.
  const label = labelOf(to, item) || id.slice(0, 8)
  if (path === undefined || isPlain) return <>{label}</>
  return (
    <OwnLink href={path} className="reference">
      {label}
    </OwnLink>
  )
}
