import { findAuditKey } from '../../audit/key.ts'
import { verifyAudit } from '../../audit/verify.ts'
import type { Config } from '../../config.ts'
import { messageOf } from '../../core/errors.ts'
import { copyDatabase } from '../../db/copy/copy.ts'
import type { Engine } from '../../db/engine.ts'
import { migrate } from '../../db/migrate.ts'
import { CommandError, type Context, defineCommand, UsageError } from '../command.ts'
import { withExistingDatabase } from '../database.ts'
import { lockDataFolder } from '../serving/data-folder-lock.ts'
import { checkDoor, checkPassword } from './check-door.ts'
import { openTarget } from './target.ts'

export const copy = defineCommand({
  name: 'copy',
  summary: 'Copies everything into an empty database of either kind, and checks the copy. The service must be stopped.',
  details: `From the database of this configuration to postgres://… or into a new file of SQLite (to move back:
its folder becomes DATA_DIR, its name must be gatehouse.db). Checked at the end: every row of every
table, the audit log of every organization, and, with --token, that the copy takes the token and
answers it like the original; with --email, that it takes the password of that user, which is read
from standard input. The keys (audit-signing-key.pem, secret-key) are not in the database: they stay
in DATA_DIR.`,
  positionals: [],
  options: {
    to: { type: 'string', value: 'PLACE', description: 'postgres://… or a file (required)' },
    token: { type: 'string', value: 'TOKEN', description: 'A token to try on the copy (GATEHOUSE_TOKEN)' },
    email: {
      type: 'string',
      value: 'ADDRESS',
      description: 'A user whose password, from standard input, is tried on the copy',
    },
  },
  async run(context, { to, email, token = context.config.remote.token }) {
    if (!to) throw new UsageError('--to is missing: postgres://… or a file.')
    // A letter alone is a drive.
    const [scheme] = /^\w{2,}(?=:\/)/.exec(to) ?? []
    if (scheme !== undefined && !/^postgres(ql)?$/.test(scheme))
      throw new UsageError(`--to is postgres://… or a file; ${scheme}: is neither.`)
    const login = email === undefined ? undefined : { email, password: (await context.input()).replace(/\r?\n$/, '') }
    const lock = lockDataFolder(context.config, 'alone')
    try {
      await withExistingDatabase(context.config, async (source) => {
        await migrate(source)
        const target = await openTarget(to)
        try {
          await copyAndCheck(context, source, target, { token, login })
        } finally {
          await target.close()
        }
      })
    } finally {
      lock.release()
    }
    return undefined
  },
})

/** What is tried on the copy as well as on the original. */
interface Credentials {
  token: string | undefined
  login: { email: string; password: string } | undefined
}

async function copyAndCheck(
  context: Context,
  source: Engine,
  target: Engine,
  { token, login }: Credentials,
): Promise<void> {
  const { config, out, say, replaceLine } = context
  const { tables, rows } = await copyDatabase(source, target, (table, count) =>
    replaceLine?.(`${count} rows, now ${table}`),
  ).catch((error: unknown) => {
    throw new CommandError(`The copy failed, and nothing of it counts: ${messageOf(error)}`, { cause: error })
  })
  replaceLine?.('')
  out(`${rows} rows of ${tables} tables copied, and read again: equal.`)
  const { organizations, entries } = await verifyLogs(config, target)
  out(
    `The audit log of ${organizations} ${organizations === 1 ? 'organization' : 'organizations'} holds: ` +
      `${entries} entries.`,
  )
  if (login) {
    await checkPassword(source, target, login.email, login.password)
    out(`The copy takes the password of ${login.email}.`)
  }
  if (token !== undefined) {
    await checkDoor(context, source, target, token)
    out('The copy takes the token, and answers it like the original.')
  }
  if (!login && token === undefined) say('No login was tried: give --token or --email to see that the copy takes it.')
}

export async function verifyLogs(config: Config, engine: Engine): Promise<{ organizations: number; entries: number }> {
  const keys = findAuditKey(config)?.trusted ?? new Map()
  const organizations = await engine.reader.all<{ key: number; name: string }>(
    'select key, name from organizations order by key',
    [],
  )
  let entries = 0
  for (const { key, name } of organizations) {
    const { rows, fault } = await verifyAudit(engine, key, { keys })
    if (fault)
      throw new CommandError(
        `The audit log of ${name} does not hold in the copy (entry ${fault.sequence}: ${fault.fault}).`,
      )
    entries += rows
  }
  return { organizations: organizations.length, entries }
}
