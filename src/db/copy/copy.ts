import type { Engine } from '../engine.ts'
import { Content, readRows } from './read-rows.ts'
import { type Shape, sameShapes, shapesOf } from './shape.ts'
import { setCounters, untied, writeRows } from './write-rows.ts'

interface Copied {
  tables: number
  rows: number
}

/**
 * Copies everything from one database into another, empty one, of either engine: what was there at one moment, all or
 * nothing. Then reads the copy, and throws unless it holds the same.
 */
export async function copyDatabase(
  from: Engine,
  to: Engine,
  tell: (table: string, rows: number) => void = () => undefined,
): Promise<Copied> {
  const contents = new Map<string, Content>()
  let rows = 0
  const shapes = await from.transaction(
    async (source) => {
      if (from.dialect.name === 'postgres') await source.script('set transaction isolation level repeatable read')
      return to.transaction(
        async (target) => {
          const same = sameShapes(await shapesOf(source, from.dialect.name), await shapesOf(target, to.dialect.name))
          await untied(target, to.dialect.name, async () => {
            // What migrations put there is in the original too.
            for (const { table } of same) await target.run(`delete from "${table}"`, [])
            for (const shape of same) {
              const content = new Content()
              for await (const slice of readRows(source, from.dialect.name, shape)) {
                await writeRows(target, to.dialect.name, shape, slice)
                content.add(shape, slice)
                rows += slice.length
                tell(shape.table, rows)
              }
              contents.set(shape.table, content)
            }
          })
          await setCounters(target, to.dialect.name)
          return same
        },
        { isUnhurried: true },
      )
    },
    { isUnhurried: true },
  )
  await compare(to, shapes, contents)
  return { tables: shapes.length, rows }
}

async function compare(
  engine: Engine,
  shapes: readonly Shape[],
  contents: ReadonlyMap<string, Content>,
): Promise<void> {
  await engine.transaction(
    async (session) => {
      for (const shape of shapes) {
        const found = new Content()
        for await (const slice of readRows(session, engine.dialect.name, shape)) found.add(shape, slice)
        const meant = contents.get(shape.table)
        if (!meant?.equals(found))
          throw new Error(
            `${shape.table} has ${found.rows} rows in the copy, and they are not the ${meant?.rows} of the original`,
          )
      }
    },
    { isUnhurried: true },
  )
}
