/** So many rows go into one statement, as long as there are so many left. */
const AT_ONCE = [100, 50, 20, 10, 5, 2, 1]

/**
 * Inserts rows of equal length by few statements of at most so many; their texts are few too, since each is prepared
 * once.
 */
export async function insertMany(
  write: (text: string, values: unknown[]) => Promise<unknown>,
  into: string,
  rows: ReadonlyArray<readonly unknown[]>,
  most = AT_ONCE[0] as number,
): Promise<void> {
  let at = 0
  for (const count of AT_ONCE.filter((size) => size <= most)) {
    for (; at + count <= rows.length; at += count)
      await write(textOf(into, rows[at]?.length ?? 0, count), rows.slice(at, at + count).flat())
  }
}

/** Few, unless somebody leaves other columns out each time. */
const texts = new Map<string, string>()
const KEPT = 500

function textOf(into: string, width: number, count: number): string {
  const key = `${count} ${width} ${into}`
  const known = texts.get(key)
  if (known !== undefined) return known
  if (texts.size >= KEPT) texts.clear()
  const text = made(into, width, count)
  texts.set(key, text)
  return text
}

function made(into: string, width: number, count: number): string {
  const row = (_: unknown, index: number) =>
    `(${Array.from({ length: width }, (_, column) => `$${index * width + column + 1}`).join(', ')})`
  return `${into} values ${Array.from({ length: count }, row).join(', ')}`
}
