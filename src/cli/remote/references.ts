import type { Gatehouse } from '../../../packages/client/src/client.ts'
import { listPath } from './remote-command.ts'

export type Item = Record<string, unknown>

/** An item by its own key. */
export interface Reference {
  noun: string
  key: string
}

/** So many are looked for at once: an address has room for them. */
const AT_ONCE = 50

/** Items that rows name by their own keys instead of ids: `{"building_id": {"buildings": "hq"}}`. */
export class References {
  private readonly client: Gatehouse
  private readonly ids = new Map<string, string>()

  constructor(client: Gatehouse) {
    this.client = client
  }

  /** Looks up what is not known yet. */
  async find(rows: readonly Item[]): Promise<void> {
    const wanted = new Map<string, Set<string>>()
    for (const { noun, key } of rows.flatMap(referencesIn)) {
      if (this.ids.has(nameOf({ noun, key }))) continue
      wanted.set(noun, (wanted.get(noun) ?? new Set()).add(key))
    }
    for (const [noun, keys] of wanted) {
      const all = [...keys]
      for (let from = 0; from < all.length; from += AT_ONCE) {
        const list = all.slice(from, from + AT_ONCE).map((key) => `"${key.replace(/["\\]/g, '\\$&')}"`)
        const query = { external_id: `in.(${list.join(',')})`, select: 'id,external_id' }
        for await (const { items } of this.client.walk<{ id: string; external_id: string }>(listPath(noun), { query }))
          for (const { id, external_id } of items) this.note({ noun, key: external_id }, id)
      }
    }
  }

  note(reference: Reference, id: string): void {
    this.ids.set(nameOf(reference), id)
  }

  missingIn(row: Item): Reference | undefined {
    return referencesIn(row).find((reference) => !this.ids.has(nameOf(reference)))
  }

  /** A row of which nothing is missing, with ids in their places. */
  resolved(row: Item): Item {
    return inItem(row, (reference) => this.ids.get(nameOf(reference)))
  }
}

export const nameOf = ({ noun, key }: Reference): string => `${noun} ${key}`

export function referencesIn(row: Item): Reference[] {
  const found: Reference[] = []
  inItem(row, (reference) => {
    found.push(reference)
    return undefined
  })
  return found
}

/** What stands under a name that ends in id or ids may be a reference; nothing else of such a shape is. */
function replaced(name: string, value: unknown, idOf: (reference: Reference) => string | undefined): unknown {
  if (Array.isArray(value)) return value.map((one) => replaced(name.replace(/ids$/, 'id'), one, idOf))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const [[noun = '', key] = []] = entries
  if (/(^|_)id$/.test(name) && entries.length === 1 && typeof key === 'string') return idOf({ noun, key })
  return inItem(value, idOf)
}

const inItem = (item: object, idOf: (reference: Reference) => string | undefined): Item =>
  Object.fromEntries(Object.entries(item).map(([inner, one]) => [inner, replaced(inner, one, idOf)]))
