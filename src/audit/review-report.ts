import { sha256 } from '../db/audit.ts'
import { type Signature, signatureFault, type TrustedKeys } from './signing.ts'

const FORMAT = 'gatehouse access review 1'

/** What was decided about one way in of one person. */
export interface ReviewedLine {
  readonly display_name: string
  readonly means: string
  readonly what: string
  readonly doors: number
  readonly decision: string
  readonly decided_at: string | null
  readonly decided_by: string | null
  readonly note: string | null
  /** Whether it was over when the review was closed; undefined: from before this was kept. */
  readonly is_ended?: boolean | undefined
}

/** A line whose person was erased keeps its hash: the salt went with what it said, so nobody can guess that from it. */
export type ReportLine = { readonly hash: string } & (
  | ({ readonly salt: string } & ReviewedLine)
  | { readonly is_erased: true }
)

export interface ReportHead {
  readonly organization_id: string
  readonly organization: string
  readonly id: string
  readonly name: string
  readonly place: string
  readonly due_on: string
  readonly reviewer: string | null
  readonly started_at: string
  readonly started_by: string
  readonly closed_at: string
  readonly closed_by: string
}

/** A closed review as it is handed out. */
export interface ReviewReport {
  readonly format: typeof FORMAT
  readonly review: ReportHead
  readonly lines: readonly ReportLine[]
  readonly signature: Signature
}

export const hashOfLine = (salt: string, line: ReviewedLine): string =>
  sha256(
    salt +
      JSON.stringify([
        ...[
          line.display_name,
          line.means,
          line.what,
          line.doors,
          line.decision,
          line.decided_at,
          line.decided_by,
          line.note,
        ],
        ...(line.is_ended === undefined ? [] : [line.is_ended]),
      ]),
  )

/** What the signature of a report says: the head, and each line by its hash, in this order. */
export const reportStatement = (head: ReportHead, hashes: readonly string[]): string =>
  JSON.stringify([
    FORMAT,
    head.organization_id,
    head.organization,
    head.id,
    head.name,
    head.place,
    head.due_on,
    head.reviewer,
    head.started_at,
    head.started_by,
    head.closed_at,
    head.closed_by,
    sha256(hashes.join('\n')),
    hashes.length,
  ])

export const reportOf = (review: ReportHead, lines: readonly ReportLine[], signature: Signature): ReviewReport => ({
  format: FORMAT,
  review,
  lines,
  signature,
})

export type ReportVerdict =
  | { readonly fault: string }
  | { readonly review: ReportHead; readonly lines: number; readonly erased: number }

/** Whether a report is as it was signed, with a key that is trusted. Whatever a file may hold is taken. */
export function verifyReport(report: unknown, keys: TrustedKeys): ReportVerdict {
  const { format, review, lines, signature } = (report ?? {}) as Partial<ReviewReport>
  if (format !== FORMAT || !review || !Array.isArray(lines) || typeof signature?.signature !== 'string')
    return { fault: 'is no report of an access review' }
  let erased = 0
  for (const [index, line] of lines.entries()) {
    if ('is_erased' in line) erased += 1
    else if (hashOfLine(line.salt, line) !== line.hash) return { fault: `line ${index + 1} is not as it was signed` }
  }
  const statement = reportStatement(
    review,
    lines.map(({ hash }) => hash),
  )
  const fault = signatureFault(keys, statement, signature)
  return fault === undefined ? { review, lines: lines.length, erased } : { fault }
}
