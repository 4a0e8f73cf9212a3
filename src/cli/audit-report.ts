import { readFileSync } from 'node:fs'
import { findAuditKey } from '../audit/key.ts'
import { verifyReport } from '../audit/review-report.ts'
import { messageOf } from '../core/errors.ts'
import { isRecord } from '../core/typed.ts'
import { readPublicKeys } from './audit.ts'
import { CommandError, defineCommand } from './command.ts'

export const auditVerifyReport = defineCommand({
  name: 'audit verify-report',
  summary: 'Checks that the report of an access review is as it was signed.',
  details: `FILE is what GET /api/v1/access-reviews/{id}/report answered. Exits with 1 and says what does not
hold. It must be signed with the key of this installation (audit key), or with one of --public-key;
no database is needed.`,
  positionals: ['FILE'],
  options: {
    'public-key': { type: 'string', value: 'FILE', description: 'Public keys (PEM) to trust instead of the one here' },
  },
  async run({ config, out }, { 'public-key': file }, [path = '']) {
    const keys = file === undefined ? (findAuditKey(config)?.trusted ?? new Map()) : readPublicKeys(file)
    const verdict = verifyReport(read(path), keys)
    if ('fault' in verdict) {
      out(`${path}: ${verdict.fault}`)
      return 1
    }
    const { review, lines, erased } = verdict
    out(
      `${review.name}, ${review.place}, closed ${review.closed_at} by ${review.closed_by}: ${lines} lines, as ` +
        'they were signed',
    )
    if (erased > 0) out(`${erased} of them were erased since`)
    return undefined
  },
})

/** The answer of the API, or its data alone. */
function read(path: string): unknown {
  try {
    const whole: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return (isRecord(whole) ? whole.data : undefined) ?? whole
  } catch (error) {
    throw new CommandError(`${path}: ${messageOf(error)}`, { cause: error })
  }
}
