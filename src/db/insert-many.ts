import type { Session } from './engine.ts'

/** So many rows go into one statement: on PostgreSQL it is the way there and back that costs. */
const AT_ONCE = 50

/** Inserts rows of equal length by few statements; their texts are few too, since each is prepared once. */
export async function insertMany(session: Session, into: string, rows: ReadonlyArray<readonly unknown[]>): Promise<void> {
  const whole = rows.length - (rows.length % AT_ONCE)
  for (let at = 0; at < whole; at += AT_ONCE)
    await session.run(textOf(into, rows[at]?.length ?? 0, AT_ONCE), rows.slice(at, at + AT_ONCE).flat())
  for (const row of rows.slice(whole)) await session.run(textOf(into, row.length, 1), [...row])
}

function textOf(into: string, width: number, count: number): string {
  const row = (_: unknown, index: number) =>
    `(${Array.from({ length: width }, (_, column) => `$${index * width + column + 1}`).join(', ')})`
  return `${into} values ${Array.from({ length: count }, row).join(', ')}`
}
