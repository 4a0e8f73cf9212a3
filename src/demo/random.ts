import { at } from '../core/typed.ts'

/**
 * Numbers that look random and are decided by where they are asked for: any row can be made without making those before
 * it.
 */

/** 32 well-mixed bits out of three numbers (the finalizer of MurmurHash3). */
export function mix(a: number, b: number, c: number): number {
  let h = Math.imul(a ^ 0x9e37_79b9, 0x85eb_ca6b)
  h = Math.imul((h ^ b) + 0x7f4a_7c15, 0xc2b2_ae35)
  h = Math.imul(h ^ (h >>> 15) ^ c, 0x27d4_eb2f)
  h ^= h >>> 16
  h = Math.imul(h, 0x85eb_ca6b)
  h ^= h >>> 13
  h = Math.imul(h, 0xc2b2_ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** Mulberry32. */
export class Random {
  private state: number

  constructor(seed: number) {
    this.state = seed
  }

  /** From 0 up to 1, which it never reaches. */
  next(): number {
    this.state = (this.state + 0x6d2b_79f5) | 0
    let t = Math.imul(this.state ^ (this.state >>> 15), this.state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** From `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  pick<T>(list: readonly T[]): T {
    return at(list, Math.floor(this.next() * list.length))
  }

  /** One of the pairs' values, each as likely as its weight. */
  weighted<T>(pairs: ReadonlyArray<readonly [T, number]>): T {
    let rest = this.next() * pairs.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [value, weight] of pairs) {
      rest -= weight
      if (rest < 0) return value
    }
    return at(pairs, pairs.length - 1)[0]
  }
}
