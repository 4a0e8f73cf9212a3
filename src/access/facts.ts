import type { Companion, CredentialFact, Facts, KeyFact, Presence } from '../core/decide/facts.ts'
import { type DoorFacts, loadDoors } from './doors.ts'
import { type GrantRow, grantsFor, loadGrants } from './grants.ts'
import { loadKeys, loadPeople, loadPresence, type PersonFacts } from './people.ts'
import type { Settings } from './settings.ts'

interface Asked {
  readonly doors: readonly string[]
  readonly people: readonly string[]
  readonly at: string
  /** Grants that do not exist yet, by the place they would stand on. */
  readonly assumed?: ReadonlyMap<string, readonly GrantRow[]>
}

/** Beyond so many people, grants are looked up by place alone: there are few on the way up from a door. */
const MANY = 200

/**
 * The facts of some doors and some people, loaded with a fixed number of statements; each pair's are put together from
 * them.
 */
export class Bundle {
  readonly doors: ReadonlyMap<string, DoorFacts>
  readonly people: ReadonlyMap<string, PersonFacts>
  private readonly grants: ReadonlyMap<string, readonly GrantRow[]>
  private readonly keys: ReadonlyMap<string, KeyFact[]>
  private readonly presenceOf: (individual: string | null, space: string) => Presence

  private constructor(
    doors: Bundle['doors'],
    people: Bundle['people'],
    grants: Bundle['grants'],
    keys: Bundle['keys'],
    presenceOf: Bundle['presenceOf'],
  ) {
    this.doors = doors
    this.people = people
    this.grants = grants
    this.keys = keys
    this.presenceOf = presenceOf
  }

  static async load(settings: Settings, { doors: doorIds, people: ids, at, assumed }: Asked): Promise<Bundle> {
    const doors = await loadDoors(settings, doorIds, at)
    const people = await loadPeople(settings, ids)
    const targets = new Set([...doors.values()].flatMap((door) => door.targets.map((target) => target.id)))
    const subjects = new Set([...people].flatMap(([id, { groups }]) => [id, ...groups.keys()]))
    const found = await loadGrants(settings, {
      targets: [...targets],
      subjects: ids.length > MANY ? 'all' : [...subjects],
    })
    const grants = new Map([...found].map(([target, list]) => [target, [...list, ...(assumed?.get(target) ?? [])]]))
    for (const [target, list] of assumed ?? []) if (!grants.has(target)) grants.set(target, [...list])
    const keys =
      ids.length === 0 ? new Map() : await loadKeys(settings, [...doors.keys()], ids.length > MANY ? 'all' : ids)
    const counted = [...doors.values()]
      .map(({ door }) => door.space)
      .filter((space) => space.passback !== 'none' || space.occupancy_limit !== null)
    const presence = await loadPresence(
      settings,
      ids,
      counted.map((space) => space.id),
      at,
    )
    return new Bundle(doors, people, grants, keys, presence)
  }

  /** The facts of somebody before a door. Undefined: there is no such door. */
  factsOf(
    doorId: string,
    individualId: string | null,
    more: { credential?: CredentialFact; companions?: Companion[] } = {},
  ): Facts | undefined {
    const found = this.doors.get(doorId)
    if (!found) return undefined
    const person = individualId === null ? undefined : this.people.get(individualId)
    return {
      door: found.door,
      emergencies: found.emergencies,
      individual: person?.person ?? null,
      credentials: more.credential ? [more.credential] : (person?.credentials ?? []),
      keys: this.keys.get(`${individualId} ${doorId}`) ?? [],
      grants: person ? grantsFor(person, found.targets, this.grants) : [],
      presence: this.presenceOf(individualId, found.door.space.id),
      companions: more.companions ?? [],
    }
  }
}
