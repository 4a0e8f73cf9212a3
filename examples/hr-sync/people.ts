import type { Operation } from '../../packages/client/src/batch.ts'
import type { Gatehouse } from '../../packages/client/src/client.ts'

/** As the personnel system exports them. */
export interface Employee {
  number: string
  first: string
  last: string
  email: string | null
  department: string | null
}

export interface Done {
  created: number
  changed: number
  unchanged: number
  left: number
  failed: number
}

/** Ours among the people of the organization: what has another key is somebody else's to keep. */
const PREFIX = 'hr-'

/**
 * Whoever is in the export is there as the export says, whoever is not any more is offboarded. Everything is done by
 * our own key and by comparing with what is there, so that it can be repeated, also after it was interrupted anywhere:
 * what is done already is left.
 */
export async function syncPeople(
  gatehouse: Gatehouse,
  employees: readonly Employee[],
  say: (line: string) => void,
): Promise<Done> {
  const wanted = new Map(employees.map((employee) => [`${PREFIX}${employee.number}`, employee]))
  // An empty or broken export is no reason to send everybody home.
  const { gone, returned, known } = await compare(gatehouse, wanted)
  if (gone.length > Math.max(50, known / 10))
    throw new Error(`${gone.length} of ${known} people would be offboarded: look at the export first`)

  const operations = [...wanted].map(
    ([external_id, employee]): Operation => ({ op: 'upsert', external_id, body: bodyOf(employee) }),
  )
  const { created, changed, unchanged, failed, results } = await gatehouse.batch(
    '/api/v1/individuals/batch',
    operations,
    {
      onProgress: (count) => say(`${count} of ${operations.length}`),
    },
  )
  for (const [index, { status, msg }] of results.entries())
    if (status >= 400) say(`${operations[index]?.external_id}: ${msg}`)
  for (const id of returned) await gatehouse.post('/api/v1/individuals/{id}/reactivate', { path: { id } })
  for (const id of gone) await gatehouse.post('/api/v1/individuals/{id}/offboard', { path: { id } })
  return { created, changed, unchanged, left: gone.length, failed }
}

/** Who has left since the last time, and who has come back. */
async function compare(gatehouse: Gatehouse, wanted: ReadonlyMap<string, Employee>) {
  const gone: string[] = []
  const returned: string[] = []
  let known = 0
  for await (const person of gatehouse.each('/api/v1/individuals', {
    query: { external_id: `like.${PREFIX}*`, select: 'id,external_id,status' },
  })) {
    const isWanted = wanted.has(String(person.external_id))
    const hasLeft = person.status === 'offboarded'
    if (!hasLeft) known++
    if (!isWanted && !hasLeft && person.status !== 'anonymised') gone.push(person.id)
    if (isWanted && hasLeft) returned.push(person.id)
  }
  return { gone, returned, known }
}

const bodyOf = ({ number, first, last, email, department }: Employee) => ({
  kind: 'employee',
  given_name: first,
  family_name: last,
  email,
  department,
  personnel_number: number,
})
