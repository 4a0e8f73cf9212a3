import { isSecret, newSecret, secretHash } from '../../core/secrets/secret.ts'
import type { Actor } from '../../db/audit.ts'
import type { Engine, Session } from '../../db/engine.ts'
import { createRow } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { type LoggedIn, open, type Request } from '../login/queries.ts'
import { createOrganization } from '../organizations.ts'
import { prepareRoleAssignment } from '../role-assignments/queries.ts'
import { roleAssignments } from '../role-assignments/schema.ts'
import { invalidLink } from '../users/links.ts'
import { prepareUser } from '../users/queries.ts'
import { type User, users } from '../users/schema.ts'

const LIFE_MS = 15 * 60_000

export async function isEmpty(session: Session): Promise<boolean> {
  return (await session.all('select key from organizations limit 1', [])).length === 0
}

/** For a database without an organization: there is no default account, so whoever can read our output begins. */
export async function makeSetupLink(engine: Engine, now: string, baseUrl: string): Promise<string> {
  const token = newSecret()
  const expiresAt = new Date(Date.parse(now) + LIFE_MS).toISOString()
  await engine.transaction(async (session) => {
    await session.run('delete from setup_links where expires_at <= $1', [now])
    await session.run('insert into setup_links (hash, expires_at) values ($1, $2)', [secretHash(token), expiresAt])
  })
  return `${baseUrl}/setup#${token}`
}

/** Until when it works. */
export async function checkSetupLink(engine: Engine, now: string, token: string): Promise<string> {
  const [row] = isSecret(token)
    ? await engine.reader.all<{ expires_at: string }>(
        'select expires_at from setup_links where hash = $1 and expires_at > $2',
        [secretHash(token), now],
      )
    : []
  if (!row || !(await isEmpty(engine.reader))) throw invalidLink()
  return row.expires_at
}

export interface Setup {
  token: string
  organization: string
  time_zone: string
  name: string
  email: string
}

/** The organization, its first Owner and their session, all or nothing. All set-up links end with it. */
export async function setUp(
  engine: Engine,
  now: string,
  setup: Setup,
  passwordHash: string,
  request: Request,
): Promise<LoggedIn> {
  const actor: Actor = { kind: 'system', id: null, name: 'Set-up link', address: request.address, reqId: request.reqId }
  return createOrganization(engine, now, actor, setup.organization, setup.time_zone, {
    before: async (session) => {
      const isFirst = (await engine.dialect.tryLock(session, 'setup')) && (await isEmpty(session))
      const used = await session.run('delete from setup_links where hash = $1 and expires_at > $2', [
        secretHash(setup.token),
        now,
      ])
      if (!isFirst || used !== 1) throw invalidLink()
      await session.run('delete from setup_links', [])
    },
    within: async (tx) => {
      const { email, name } = setup
      const user = await createRow(tx, users, { email, name, status: 'active' }, 'all', {
        prepare: async (_tx, next: User) => ({
          ...(await prepareUser(tx, next, undefined)),
          password_hash: passwordHash,
        }),
      })
      const role = await tx.one<{ id: string }>(sql`select t.id from roles t where t.org = :org and t.name = 'Owner'`)
      const assignment = { role_id: role?.id, user_id: user.id }
      await createRow(tx, roleAssignments, assignment, 'all', { prepare: prepareRoleAssignment })
      return open(tx, user, request, 'none')
    },
  }).then(({ result }) => result)
}
