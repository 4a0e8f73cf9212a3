import { randomUUIDv7 } from 'node:crypto'
import { onBothSides } from '../../access/lists/both-sides.ts'
import { waysInto } from '../../access/ways-in.ts'
import { AppError, invalid } from '../../core/errors.ts'
import { inOrder } from '../../core/in-order.ts'
import { exactlyOne } from '../../core/one-place.ts'
import { keysOf } from '../../core/typed.ts'
import type { Tx } from '../../db/change.ts'
import { todayOf } from '../../db/day.ts'
import type { OrgHandle } from '../../db/org.ts'
import { placesOf } from '../../db/places.ts'
import type { AnyRow } from '../../db/resource.ts'
import { findRow, searchTexts, updateRow } from '../../db/rows.ts'
import { join, raw, sql } from '../../db/sql.ts'
import { namesOf } from './names.ts'
import { type AccessReview, type AccessReviewLine, accessReviewLines, accessReviews } from './schema.ts'

/** More than anybody goes through. */
const MAX_DOORS = 20_000
const MAX_LINES = 10_000

export const refuseReview = (reason: string, message: string) => new AppError('INVALID_STATE', message, { reason })

/** The caller lacks a right of their own for what the review would do. */
export const forbidden = (message: string) =>
  new AppError('UNAUTHORIZED', message, { status: 403, reason: 'insufficient_permissions' })

export async function prepareReview(tx: Tx, next: AccessReview, current: AccessReview | undefined): Promise<undefined> {
  if (!current) {
    exactlyOne(next, ['building_id', 'location_id'], 'target')
    next.status = 'draft'
  } else if ((current.status === 'closed' || current.status === 'cancelled') && !isSame(next, current))
    throw refuseReview(
      `access_review.${current.status}`,
      `This review is ${current.status} and stays as it was; make a new one`,
    )
  if (next.due_on !== current?.due_on && next.due_on < (await todayOf(tx)))
    throw invalid('due_on', 'access_review.due', 'due_on: it must not lie in the past')
}

/** Whoever sends again what is there changes nothing. */
const isSame = (next: AccessReview, current: AccessReview): boolean =>
  keysOf(next).every((name) => next[name] === current[name])

/** What was taken down is kept, decided or not. */
export async function keepStarted(_tx: Tx, { status }: AccessReview): Promise<void> {
  if (status !== 'draft')
    throw refuseReview(
      `access_review.${status}`,
      `This review is ${status} and is kept${status === 'running' ? ': cancel it instead' : ''}`,
    )
}

/** Takes down who may open what there, as it is now. It tells that, so whoever starts it must be able to see it. */
export async function start(tx: Tx, review: AccessReview): Promise<AnyRow> {
  if (review.status !== 'draft')
    throw refuseReview(`access_review.${review.status}`, `This review is ${review.status} already`)
  const sight = tx.actor.rights ? tx.actor.rights.scopeOf('access-points:audience') : 'all'
  if (sight === undefined || !(await findRow(tx, accessReviews, review.id, sight, ['id'])))
    throw forbidden('To start a review you must be able to see who can open the doors there (access-points:audience)')
  await takeDown(tx, review)
  return updateRow(
    tx,
    accessReviews,
    review,
    { status: 'running', started_at: tx.now, started_by: tx.actor.name },
    'started',
  )
}

type Where = Pick<AccessReview, 'building_id' | 'location_id'>

/** What a line says when it is taken down. */
type TakenDown = Pick<
  AccessReviewLine,
  | 'individual_id'
  | 'display_name'
  | 'means'
  | 'what'
  | 'access_grant_id'
  | 'access_group_id'
  | 'access_group_member_id'
  | 'key_id'
  | 'doors'
>

/** Who may open what there now, by name. `isMade`: what is there was made by the transaction itself. */
export async function waysThere(tx: Tx, { building_id, location_id }: Where, isMade = false): Promise<TakenDown[]> {
  const place = (await placesOf(tx)).below(
    location_id === null ? [] : [location_id],
    building_id === null ? [] : [building_id],
  )
  const read = (handle: OrgHandle) => waysInto(handle, place, MAX_DOORS)
  // Outside the transaction, which has written nothing of that: what is read inside, everybody waits for.
  const ways = isMade ? await read(tx) : (await onBothSides({ tx, at: tx.now }, read))[1]
  if (!ways || ways.length > MAX_LINES)
    throw refuseReview(
      'access_review.too_large',
      `There are more than ${ways ? `${MAX_LINES} ways in` : `${MAX_DOORS} doors`} there: make a review for each ` +
        `building, or for each wing`,
    )
  const { people, whats } = await namesOf(tx, ways)
  const nameOf = (individualId: string): string => people.get(individualId) ?? ''
  const inTurn = inOrder(ways, ({ individual_id, means, id }) => [nameOf(individual_id), means, id].join('\n'))
  return inTurn.map(({ id, means, individual_id, access_group_id, doors }) => ({
    individual_id,
    display_name: nameOf(individual_id),
    means,
    what: whats.get(id) ?? '',
    access_grant_id: means === 'grant' ? id : null,
    access_group_id,
    access_group_member_id: means === 'group' ? id : null,
    key_id: means === 'key' ? id : null,
    doors,
  }))
}

/** So many lines go into one statement. */
const AT_ONCE = 20

async function takeDown(tx: Tx, review: AccessReview): Promise<void> {
  const lines = await waysThere(tx, review)
  for (let from = 0; from < lines.length; from += AT_ONCE) {
    const rows = lines.slice(from, from + AT_ONCE).map((line) => {
      const { search_text } = searchTexts(accessReviewLines, line)
      const values = [
        randomUUIDv7(),
        tx.now,
        tx.now,
        1,
        search_text,
        review.id,
        'open',
        ...COLUMNS.map((column) => line[column]),
      ]
      return sql`(:org, ${join(
        values.map((value) => sql`${value}`),
        ', ',
      )})`
    })
    await tx.run(sql`insert into access_review_lines (org, id, created_at, updated_at, version, search_text,
      access_review_id, decision,
      ${raw(COLUMNS.join(', '))}) values ${join(rows, ', ')}`)
  }
}

const COLUMNS = [
  'individual_id',
  'display_name',
  'means',
  'what',
  'access_grant_id',
  'access_group_id',
  'access_group_member_id',
  'key_id',
  'doors',
] as const satisfies ReadonlyArray<keyof TakenDown>

export function cancel(tx: Tx, review: AccessReview): Promise<AnyRow> {
  if (review.status !== 'draft' && review.status !== 'running')
    throw refuseReview(`access_review.${review.status}`, `This review is ${review.status} already`)
  return updateRow(
    tx,
    accessReviews,
    review,
    { status: 'cancelled', closed_at: tx.now, closed_by: tx.actor.name },
    'cancelled',
  )
}
