import { unavailable } from '../../core/errors.ts'
import { perEngine } from '../../db/kept/per-engine.ts'

/**
 * Exports at once, of all organizations and of one: each keeps its piece of the list in memory for as long as its
 * reader likes.
 */
const IN_ALL = 12
const OF_ONE = 4

const tooMany = () =>
  unavailable('too_many_readers', 'Too many exports are under way; try again when one of them has ended')

/** So many may export at once. */
class ExportPlaces {
  private readonly taken = new Map<number, number>()
  private all = 0

  /** Gives what frees the place; throws when there is none. */
  take(org: number): () => void {
    const own = this.taken.get(org) ?? 0
    if (own >= OF_ONE || this.all >= IN_ALL) throw tooMany()
    this.taken.set(org, own + 1)
    this.all++
    return () => {
      const left = (this.taken.get(org) ?? 1) - 1
      if (left === 0) this.taken.delete(org)
      else this.taken.set(org, left)
      this.all--
    }
  }
}

export const exportPlaces = perEngine(() => new ExportPlaces())
