/** A growing set of small integers, for counting unions of large groups fast. */
export class Bitset {
  private words = new Uint32Array(8)

  has(index: number): boolean {
    return ((this.words[index >>> 5] ?? 0) & (1 << (index & 31))) !== 0
  }

  add(index: number): void {
    const word = index >>> 5
    if (word >= this.words.length) this.grow(word)
    this.words[word] = (this.words[word] as number) | (1 << (index & 31))
  }

  addAll(other: Bitset): void {
    if (other.words.length > this.words.length) this.grow(other.words.length - 1)
    for (let i = 0; i < other.words.length; i++) this.words[i] = (this.words[i] as number) | (other.words[i] as number)
  }

  removeAll(other: Bitset): void {
    const shared = Math.min(this.words.length, other.words.length)
    for (let i = 0; i < shared; i++) this.words[i] = (this.words[i] as number) & ~(other.words[i] as number)
  }

  forEach(visit: (index: number) => void): void {
    for (let i = 0; i < this.words.length; i++) {
      let word = this.words[i] as number
      while (word !== 0) {
        const bit = 31 - Math.clz32(word & -word)
        visit((i << 5) + bit)
        word &= word - 1
      }
    }
  }

  private grow(word: number): void {
    const bigger = new Uint32Array(Math.max(word + 1, this.words.length * 2))
    bigger.set(this.words)
    this.words = bigger
  }
}
