import { AppError, type ErrorDetail } from '../core/errors.ts'
import type { OrgHandle } from './org.ts'
import { tables } from './tables.ts'

/**
 * Says by what the values of these columns are taken, as far as its caller sees it; or what stands in the way whether
 * they are or not.
 */
type Explanation = (handle: OrgHandle, columns: readonly string[]) => Promise<Taken | AppError | undefined>

/** What is told of a value that is taken: by what, and the item where it is seen. */
export interface Taken {
  readonly words: string
  readonly item?: Pick<ErrorDetail, 'id' | 'name'>
}

/**
 * A value that must be unique is taken. The constraint alone knows, and cannot say by what: that is looked up once the
 * statement is taken back (`explained`), by whoever knows what was being stored (`explainedBy`, such as taken-by.ts).
 */
export class NotUnique extends AppError {
  /** As stored. */
  readonly columns: readonly string[]
  private explain: Explanation | undefined

  constructor(columns: readonly string[], cause: unknown) {
    const text = `${inWords(namesOf(columns))} already taken by another item`
    super('CONFLICT', text, { reason: 'not_unique', details: detailsOf(columns, text), cause })
    this.columns = columns
  }

  explainedBy(explain: Explanation): this {
    this.explain ??= explain
    return this
  }

  /** The same error, with the item that has the value, or without a word of it where the caller does not see it. */
  async explained(handle: OrgHandle): Promise<AppError> {
    const taken = this.columns.length === 0 ? undefined : await this.explain?.(handle, this.columns)
    if (!taken || taken instanceof AppError) return taken ?? this
    const text = `${inWords(namesOf(this.columns))} ${taken.words}`
    const details = detailsOf(this.columns, text).map((detail) => ({ ...detail, ...taken.item }))
    return new AppError('CONFLICT', text, { reason: 'not_unique', details, cause: this.cause })
  }
}

const madeOf = Object.fromEntries(Object.values(tables).flatMap(({ madeOf = {} }) => Object.entries(madeOf)))
const namesOf = (columns: readonly string[]): string[] => columns.flatMap((name) => madeOf[name] ?? [name])

/** Of several together the last is what one types: a number within its kind. */
function detailsOf(columns: readonly string[], message: string): ErrorDetail[] {
  const path = namesOf(columns).at(-1)
  return path === undefined ? [] : [{ path, rule: 'not_unique', message }]
}

function inWords(own: readonly string[]): string {
  if (own.length === 0) return 'One of the values that must be unique is'
  return own.length === 1 ? `${own[0]} is` : `${own.slice(0, -1).join(', ')} and ${own.at(-1)} together are`
}
