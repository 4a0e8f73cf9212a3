/** Where somebody is. */
export interface Place {
  /** Null: outside. */
  readonly space_id: string | null
  /** By which they came or left; null: they were seen nowhere before. */
  readonly access_point_id: string | null
  readonly since: string
  /** Of the space, or of the door that they left by. */
  readonly building_id: string | null
}

/** What is known of where somebody is. */
export interface Whereabouts {
  readonly at: Place
  /** When a door last said something of them. */
  readonly heard_at: string | null
  /** Where they were before they were let in, while it may be told yet that they did not go. */
  readonly before: Place | null
  /** The building that they were in before this one. */
  readonly left: { readonly building_id: string; readonly at: string } | null
}

export const NOT_TAKEN = 'access.not_taken'

/** What a door says of somebody: where it leads, and this side of it. */
export interface Passing {
  readonly type: string
  readonly there: Place
  readonly here: Place
}

/** Where somebody is after a door has said something of them. */
export function whereAfter(known: Whereabouts | undefined, { type, there, here }: Passing): Whereabouts {
  if (type === NOT_TAKEN) return stayed(known, there, here)
  if (type !== 'access.granted') return moved(known, there, null)
  // Whoever is let in once more, or of whom it is told twice, was on this side all along.
  const isAgain = known?.before && isSame(known.at, there)
  return moved(known, there, isAgain ? known.before : (known?.at ?? nowhere(there.since)))
}

/** Whoever was let in and did not go is where they were. Where that is not known, nobody has left by not going. */
function stayed(known: Whereabouts | undefined, there: Place, here: Place): Whereabouts {
  const heard_at = there.since
  if (known?.before && isSame(known.at, there))
    return { at: known.before, heard_at, before: null, left: unless(known.before, known.left) }
  const isThis = here.space_id === null ? null : here
  // Let in by another door meanwhile, they are there; and were on this side of the door that they did not take.
  if (known?.before && known.at.access_point_id !== there.access_point_id && isSame(known.before, there))
    return { ...known, heard_at, before: isThis && { ...isThis, since: known.before.since } }
  if (isThis) return moved(known, isThis, null)
  return known ? { ...known, heard_at } : { at: nowhere(heard_at), heard_at, before: null, left: null }
}

function moved(known: Whereabouts | undefined, at: Place, before: Place | null): Whereabouts {
  const from = known?.at
  const hasLeft = from && from.building_id !== null && at.building_id !== null && from.building_id !== at.building_id
  const left = hasLeft
    ? { building_id: from.building_id, at: from.space_id === null ? from.since : at.since }
    : unless(at, known?.left ?? null)
  return { at, heard_at: at.since, before, left }
}

/** Whoever is back in a building has not left it. */
const unless = ({ building_id }: Place, left: Whereabouts['left']): Whereabouts['left'] =>
  left?.building_id === building_id ? null : left

const isSame = (one: Place, other: Place): boolean =>
  one.space_id === other.space_id && one.access_point_id === other.access_point_id

const nowhere = (since: string): Place => ({ space_id: null, access_point_id: null, since, building_id: null })
