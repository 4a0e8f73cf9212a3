import { randomBytes } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  hashOfLine,
  type ReportHead,
  type ReportLine,
  type ReviewedLine,
  type ReviewReport,
  reportOf,
  reportStatement,
} from '../../audit/review-report.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { parsed } from '../../db/assignments.ts'
import { signerOf } from '../../db/audit.ts'
import type { Tx } from '../../db/change.ts'
import type { OrgHandle } from '../../db/org.ts'
import { placesOf } from '../../db/places.ts'
import type { AnyRow } from '../../db/resource.ts'
import { updateRow } from '../../db/rows.ts'
import { raw, sql } from '../../db/sql.ts'
import { refuseReview } from './queries.ts'
import { type AccessReview, accessReviews, ENDED } from './schema.ts'

interface StoredLine extends Omit<ReviewedLine, 'is_ended'> {
  readonly id: string
  readonly ended: boolean | number | null
  readonly salt: string | null
  readonly hash: string | null
}

/** So many lines are read or hashed in one go; then others have their turn. */
const SLICE = 500

/** `ended`: whether it is over, now or as it was kept. */
async function* linesOf(handle: OrgHandle, reviewId: string, ended: string): AsyncGenerator<StoredLine[]> {
  for (let after = ''; ; ) {
    const rows = await handle.all<StoredLine>(sql`
      select t.id, t.display_name, t.means, t.what, t.doors, t.decision, t.decided_at, t.decided_by, t.note, t.salt,
      t.hash,
        ${raw(ended)} as ended
      from access_review_lines t where t.org = :org and t.access_review_id = ${reviewId}${
        after === ''
          ? sql``
          : sql`
      and t.id > ${after}`
      }
      order by t.id limit ${SLICE}`)
    yield rows
    await nextTurn()
    if (rows.length < SLICE) return
    after = rows.at(-1)?.id ?? after
  }
}

/** Signs what was decided. From here on it is evidence, and nothing of it is changed but erased. */
export async function close(tx: Tx, review: AccessReview): Promise<AnyRow> {
  if (review.status !== 'running')
    throw refuseReview(
      `access_review.${review.status}`,
      `This review is ${review.status}: only a running one is closed`,
    )
  if (review.open_count > 0)
    throw refuseReview(
      'access_review.undecided',
      `${review.open_count} of ${review.line_count} lines are not decided yet: confirm or revoke them, or ` +
        'cancel the review',
    )
  const signer = signerOf(tx.engine)
  if (!signer) throw new Error('nothing signs here')
  const head = await headOf(tx, review)
  const hashes: string[] = []
  for await (const lines of linesOf(tx, review.id, ENDED)) {
    for (const line of lines) {
      const salt = randomBytes(16).toString('hex')
      const { ended, ...said } = line
      const hash = hashOfLine(salt, { ...said, is_ended: Boolean(ended) })
      hashes.push(hash)
      await tx.run(sql`update access_review_lines as t set salt = ${salt}, hash = ${hash}, was_ended = ${Boolean(ended)}
        where t.org = :org and t.id = ${line.id}`)
    }
  }
  const change = {
    status: 'closed',
    closed_at: tx.now,
    closed_by: tx.actor.name,
    report_head: head,
    key_id: signer.keyId,
    signature: signer.sign(reportStatement(head, hashes)),
  }
  return updateRow(tx, accessReviews, review, change, 'closed')
}

async function headOf(tx: Tx, review: AccessReview): Promise<ReportHead> {
  const organization = await tx.one<{ id: string; name: string }>(
    sql`select id, name from organizations where key = :org`,
  )
  const places = await placesOf(tx)
  const { building_id, location_id, id, name, due_on, reviewer, started_at, started_by } = review
  const { location, building } = building_id === null ? { location: '', building: '' } : places.placeOf(building_id)
  const names = (location_id === null ? [] : places.locationChain(location_id)).map(
    (one) => places.locations.get(one)?.name,
  )
  return {
    organization_id: organization?.id ?? '',
    organization: organization?.name ?? '',
    id,
    name,
    place: building_id === null ? names.join(' / ') : `${location} / ${building}`,
    due_on,
    reviewer,
    started_at: started_at ?? '',
    started_by: started_by ?? '',
    closed_at: tx.now,
    closed_by: tx.actor.name,
  }
}

interface Sealed {
  report_head: ReportHead | string
  key_id: string
  signature: string
}

/** The report of a closed review, as it was signed. */
export async function reportFor(handle: OrgHandle, { id, status }: AccessReview): Promise<ReviewReport> {
  if (status !== 'closed')
    throw new AppError('NOT_FOUND', `This review is ${status}: there is a report once it is closed`)
  const sealed = await handle.one<Sealed>(
    sql`select t.report_head, t.key_id, t.signature from access_reviews t where t.org = :org and t.id = ${id}`,
  )
  if (!sealed) throw notFound()
  const head = parsed(sealed.report_head)
  const lines: ReportLine[] = []
  for await (const some of linesOf(handle, id, 't.was_ended'))
    for (const { id: _, salt, hash, ended, ...line } of some)
      lines.push(lineOf(salt, hash ?? '', ended === null ? line : { ...line, is_ended: Boolean(ended) }))
  return reportOf(head, lines, { signed_at: head.closed_at, key_id: sealed.key_id, signature: sealed.signature })
}

const lineOf = (salt: string | null, hash: string, line: ReviewedLine): ReportLine =>
  salt === null ? { hash, is_erased: true } : { hash, salt, ...line }
