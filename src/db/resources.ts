import { type Fields, namedTable } from '../core/fields.ts'
import type { Engine } from './engine.ts'
import { perEngine } from './kept/per-engine.ts'
import type { Resource } from './resource.ts'

/** A field of a resource that holds the id of something else. */
interface Pointing {
  readonly resource: Resource
  readonly field: string
}

/** The resources of a house, found by what names them. */
export class Resources {
  readonly all: readonly Resource[]
  private readonly byTable: ReadonlyMap<string, Resource>
  private readonly byNoun: ReadonlyMap<string, Resource>
  private readonly pointing = new Map<string, Pointing[]>()
  private readonly owned = new Map<string, Pointing[]>()

  constructor(all: readonly Resource[]) {
    this.all = all
    this.byTable = new Map(all.map((resource) => [resource.table, resource]))
    this.byNoun = new Map(all.map((resource) => [resource.noun, resource]))
    for (const resource of all) {
      for (const [field, { spec }] of Object.entries(resource.fields)) {
        if (spec.references === undefined || !spec.isStored) continue
        const kind = spec.isOwned ? this.owned : this.pointing
        kind.set(spec.references, [...(kind.get(spec.references) ?? []), { resource, field }])
      }
    }
  }

  /** The one stored in a table; for references, which name tables. */
  of(table: string): Resource | undefined {
    return this.byTable.get(table)
  }

  /** The one that stands under this noun in paths and records. */
  named(noun: string): Resource | undefined {
    return this.byNoun.get(noun)
  }

  /** The one of what a field names. */
  namedBy({ fields }: Resource, name: string): Resource | undefined {
    const field = fields[name]
    return field && this.of(namedTable(field) ?? '')
  }

  /** Their fields; for what a list can embed. */
  readonly fieldsOf = (table: string): Fields | undefined => this.of(table)?.fields

  /** Which fields of which resources point at a table. */
  referencesTo(table: string): readonly Pointing[] {
    return this.pointing.get(table) ?? []
  }

  /**
   * The same of what goes with a row of it and was made by itself, which is told by a key of the caller's own. What is
   * made with its row, such as the lines of a review, is on the record with that.
   */
  ownedBy(table: string): readonly Pointing[] {
    return (this.owned.get(table) ?? []).filter(({ resource }) => 'external_id' in resource.fields)
  }
}

const houses = perEngine((): { resources: Resources | undefined } => ({ resources: undefined }))

/** Says once, before anything is asked of it, what this database holds. */
export function declareResources(engine: Engine, all: readonly Resource[]): void {
  houses(engine).resources = new Resources(all)
}

export function resourcesOf(engine: Engine): Resources {
  const { resources } = houses(engine)
  if (!resources) throw new Error('nobody has said which resources this database holds')
  return resources
}
