import type { Permission } from './permissions.ts'

/** Where a permission holds: everywhere, or in these places and no others (already widened to all below them). */
export type Scope = 'all' | { locations: ReadonlySet<string>; buildings: ReadonlySet<string> }

export interface Assignment {
  permissions: readonly Permission[]
  /** Undefined: the whole organization. */
  places: { locations: ReadonlySet<string>; buildings: ReadonlySet<string> } | undefined
}

/** What a caller may do and where; `can()` and the list filter both read it. */
export class Access {
  private readonly scopes: ReadonlyMap<Permission, Scope>

  /** `narrowedTo`: a token's own permissions, which only ever take away. */
  constructor(assignments: readonly Assignment[], narrowedTo?: readonly Permission[]) {
    const scopes = new Map<Permission, Scope>()
    for (const { permissions, places } of assignments) {
      for (const permission of permissions) {
        if (narrowedTo && !narrowedTo.includes(permission)) continue
        scopes.set(permission, union(scopes.get(permission), places ?? 'all'))
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

  permissions(): Permission[] {
    return [...this.scopes.keys()].sort()
  }
}

function union(a: Scope | undefined, b: Scope): Scope {
  if (a === undefined) return b
  if (a === 'all' || b === 'all') return 'all'
  return { locations: a.locations.union(b.locations), buildings: a.buildings.union(b.buildings) }
}

/** Who is calling, and for which organization: taken from the credential, never from the request. */
export interface Caller {
  readonly org: number
  readonly organizationId: string
  readonly kind: 'service_user'
  readonly id: string
  readonly name: string
  readonly tokenId: string
  readonly access: Access
  /** Callers with equal keys see the same; what is cached is cached under it. */
  readonly cacheKey: string
}
