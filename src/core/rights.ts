import type { Permission } from './permissions.ts'

/** Places, already widened to all below them. */
export interface PlaceSet {
  locations: ReadonlySet<string>
  buildings: ReadonlySet<string>
}

/** Where a permission holds: everywhere, or in these places and no others. */
export type Scope = 'all' | PlaceSet

export interface Assignment {
  permissions: readonly Permission[]
  /** Undefined: the whole organization. */
  places: PlaceSet | undefined
}

/** What a token takes away from the rights of its holder; it never adds. */
export interface Narrowing {
  permissions?: readonly Permission[] | undefined
  places?: PlaceSet | undefined
}

/** What a caller may do and where; `can()` and the list filter both read it. */
export class Rights {
  private readonly scopes: ReadonlyMap<Permission, Scope>

  constructor(assignments: readonly Assignment[], narrowing: Narrowing = {}) {
    const scopes = new Map<Permission, Scope>()
    for (const { permissions, places } of assignments) {
      // Permissions of the same roles share their places, which may be many thousands.
      const joined = new Map<Scope | undefined, Scope>()
      const scope = intersection(places ?? 'all', narrowing.places ?? 'all')
      if (isNowhere(scope)) continue
      for (const permission of permissions) {
        if (narrowing.permissions && !narrowing.permissions.includes(permission)) continue
        const held = scopes.get(permission)
        const both = joined.get(held) ?? union(held, scope)
        joined.set(held, both)
        scopes.set(permission, both)
      }
    }
    this.scopes = scopes
  }

  scopeOf(permission: Permission): Scope | undefined {
    return this.scopes.get(permission)
  }

  can(permission: Permission): boolean {
    return this.scopes.has(permission)
  }

  /** Each permission and where it holds, by name. */
  entries(): Array<[Permission, Scope]> {
    return [...this.scopes].sort(([a], [b]) => (a < b ? -1 : 1))
  }
}

/** Whether whoever holds something in `held` holds it everywhere in `asked`. */
export function covers(held: Scope | undefined, asked: Scope): boolean {
  if (held === undefined || held === 'all') return held === 'all'
  return asked !== 'all' && asked.locations.isSubsetOf(held.locations) && asked.buildings.isSubsetOf(held.buildings)
}

const isNowhere = (scope: Scope): boolean => scope !== 'all' && scope.locations.size === 0 && scope.buildings.size === 0

function union(a: Scope | undefined, b: Scope): Scope {
  if (a === undefined) return b
  if (a === 'all' || b === 'all') return 'all'
  return { locations: a.locations.union(b.locations), buildings: a.buildings.union(b.buildings) }
}

const intersection = (a: Scope, b: Scope): Scope => (a === 'all' ? b : common(a, b))

/** The places of a set that lie in a scope. */
export function common(places: PlaceSet, scope: Scope): PlaceSet {
  if (scope === 'all') return places
  return {
    locations: places.locations.intersection(scope.locations),
    buildings: places.buildings.intersection(scope.buildings),
  }
}

/** Who is calling, and for which organization: taken from the credential, never from the request. */
export interface Caller {
  readonly org: number
  readonly organizationId: string
  readonly kind: 'user' | 'service_user'
  readonly id: string
  readonly name: string
  /** What it proved itself with. Only a session is somebody who has logged in; some things are for them alone. */
  readonly credential: 'personal_access_token' | 'access_token' | 'session'
  readonly tokenId: string | null
  /** Of somebody who has logged in. */
  readonly session?: { readonly id: string /** When the password was last given. */; readonly confirmedAt: string }
  /**
   * Of somebody of whom a second factor is demanded, and who has yet to set one up or to give it: until then they hold
   * no rights.
   */
  readonly awaitedFactor?: 'set_up' | 'confirm' | undefined
  /** Through which application it acts, if through one. */
  readonly application?: { readonly id: string; readonly name: string }
  /** As which identity at another issuer it is known here, if by one. */
  readonly identityId?: string
  readonly rights: Rights
  /** What the credential leaves of the holder's permissions; undefined: all of them. For the words of a refusal. */
  readonly limitedTo?: readonly Permission[]
  /** Callers with equal keys see the same; what is cached is cached under it. */
  readonly cacheKey: string
}
