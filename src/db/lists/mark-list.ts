/** The sort keys of a row: never null. */
export type Keys = readonly unknown[]

interface Placed {
  /** So many rows stand up to and with these keys. */
  position: number
  readonly keys: Keys
}

/** Marks along a list, each with the number of rows that stand before what follows it. */
export class MarkList {
  private readonly stride: number
  private readonly sign: 1 | -1
  private readonly marks: Placed[] = []
  private hasEnd = false
  /** So many rows came behind the last mark since the end was seen. */
  private grown = 0

  constructor(stride: number, direction: 'asc' | 'desc') {
    this.stride = stride
    this.sign = direction === 'asc' ? 1 : -1
  }

  get length(): number {
    return this.marks.length
  }

  get last(): Placed | undefined {
    return this.marks.at(-1)
  }

  /** The keys of every stride's last row, from the last mark on. */
  add(keys: readonly Keys[], hasEnd: boolean): void {
    const start = this.last?.position ?? 0
    for (const [index, own] of keys.entries())
      this.marks.push({ position: start + (index + 1) * this.stride, keys: own })
    this.hasEnd = hasEnd
    this.grown = 0
  }

  /** Whether a mark nearer to a row may be found by walking on. */
  isShortOf(offset: number): boolean {
    const isFar = offset - (this.last?.position ?? 0) >= this.stride
    return isFar && (!this.hasEnd || this.grown >= this.stride)
  }

  nearest(offset: number): Placed | undefined {
    const before = this.marks[this.firstFrom(({ position }) => position > offset) - 1]
    return before && { ...before }
  }

  /** Rows that stood somewhere stand elsewhere now; undefined: nowhere. */
  move(from: ReadonlyArray<Keys | undefined>, to: ReadonlyArray<Keys | undefined>): void {
    for (const keys of from) if (keys) this.shift(keys, -1)
    for (const keys of to) if (keys) this.shift(keys, 1)
  }

  private shift(keys: Keys, by: 1 | -1): void {
    const first = this.firstFrom((mark) => this.sign * compare(mark.keys, keys) >= 0)
    if (first === this.marks.length) this.grown += by
    for (const mark of this.marks.slice(first)) mark.position += by
  }

  /** The first for which it holds; it holds for all that follow. */
  private firstFrom(holds: (mark: Placed) => boolean): number {
    let [low, high] = [0, this.marks.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (holds(this.marks[middle] as Placed)) high = middle
      else low = middle + 1
    }
    return low
  }
}

/** As both engines order them: texts by their bytes. */
function compare(one: Keys, other: Keys): number {
  for (const [index, key] of one.entries()) {
    const difference = compareKey(key, other[index])
    if (difference !== 0) return difference
  }
  return 0
}

const compareKey = (one: unknown, other: unknown): number =>
  typeof one === 'string' && typeof other === 'string'
    ? Buffer.compare(Buffer.from(one), Buffer.from(other))
    : Number(one) - Number(other)
