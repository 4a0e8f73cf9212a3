/**
 * A growing set of small integers, for counting unions of large groups fast. It spans its members only: one alone takes
 * four bytes.
 */
export class Bitset {
  private words = new Uint32Array(0)
  /** Which word of the whole number range `words` begins with. */
  private first = 0

  has(index: number): boolean {
    return ((this.words[(index >>> 5) - this.first] ?? 0) & (1 << (index & 31))) !== 0
  }

  add(index: number): void {
    const word = index >>> 5
    this.span(word, word + 1)
    const at = word - this.first
    this.words[at] = (this.words[at] ?? 0) | (1 << (index & 31))
  }

  remove(index: number): void {
    const at = (index >>> 5) - this.first
    if (at >= 0 && at < this.words.length) this.words[at] = (this.words[at] ?? 0) & ~(1 << (index & 31))
  }

  addAll(other: Bitset): void {
    if (other.words.length === 0) return
    this.span(other.first, other.first + other.words.length)
    const shift = other.first - this.first
    // Under names of their own: as members they would be looked up for every word.
    const [mine, theirs] = [this.words, other.words]
    for (let i = 0; i < theirs.length; i++) mine[i + shift] = (mine[i + shift] ?? 0) | (theirs[i] ?? 0)
  }

  removeAll(other: Bitset): void {
    const shift = other.first - this.first
    const [mine, theirs] = [this.words, other.words]
    const end = Math.min(theirs.length, mine.length - shift)
    for (let i = Math.max(0, -shift); i < end; i++) mine[i + shift] = (mine[i + shift] ?? 0) & ~(theirs[i] ?? 0)
  }

  copy(): Bitset {
    const copy = new Bitset()
    copy.first = this.first
    copy.words = this.words.slice()
    return copy
  }

  /** How many it holds. */
  get size(): number {
    const { words } = this
    let size = 0
    for (let i = 0; i < words.length; i++) size += bitsIn(words[i] ?? 0)
    return size
  }

  /** Those that the other does not hold; both stay as they are. */
  without(other: Bitset): Bitset {
    const rest = this.copy()
    rest.removeAll(other)
    return rest
  }

  forEach(visit: (index: number) => void): void {
    for (let i = 0; i < this.words.length; i++) {
      let word = this.words[i] ?? 0
      while (word !== 0) {
        const bit = 31 - Math.clz32(word & -word)
        visit(((this.first + i) << 5) + bit)
        word &= word - 1
      }
    }
  }

  /** Reaches from one word to before the other; by doubling, so that growing one by one stays cheap. */
  private span(from: number, to: number): void {
    const { first, words } = this
    const end = first + words.length
    if (from >= first && to <= end) return
    if (words.length === 0) {
      this.first = from
      this.words = new Uint32Array(to - from)
      return
    }
    this.first = from < first ? Math.max(0, Math.min(from, end - 2 * words.length)) : first
    this.words = new Uint32Array((to > end ? Math.max(to, first + 2 * words.length) : end) - this.first)
    this.words.set(words, first - this.first)
  }
}

/** How many bits of a word are set: counted in pairs, then fours, then bytes, which the multiplication adds up. */
function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555)
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}
