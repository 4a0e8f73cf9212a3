import type { FastifyInstance } from 'fastify'
import { AppError, invalid } from '../../core/errors.ts'
import { Type } from '../../core/schema.ts'
import { patchRow } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { checkIfMatch } from '../../http/answers/etag.ts'
import { requireRecentLogin } from '../../http/callers/recent-login.ts'
import { reading } from '../../http/context.ts'
import { bodyOf, idOf } from '../../http/items/item.ts'
import { write } from '../../http/items/write.ts'
import { listRoute } from '../../http/list-route.ts'
import type { RouteDoc } from '../../http/route-doc.ts'
import { createSchema, itemSchema, NoBody, patchSchema } from '../../http/schemas.ts'
import { answer, changing } from '../me/changing.ts'
import { requireUser } from '../sessions/caller.ts'
import { record } from '../users/queries.ts'
import { issuersOf, keepAWayIn } from '../ways-in.ts'
import { PasskeyLogin, PasskeyOptions, PasskeyResponse } from './login-routes.ts'
import { addKey, getOwnKey, keysOf, noteUse, verifyKey } from './queries.ts'
import { passkeys } from './schema.ts'
import { WebAuthn } from './webauthn.ts'

const permission = 'self'
const path = '/api/v1/me/passkeys'
const item = { name: 'Passkey', schema: itemSchema(passkeys) }
const tag = passkeys.plural

export function passkeyRoutes(app: FastifyInstance): void {
  const webauthn = new WebAuthn(app.house)
  listRoute(app, path, passkeys, {
    permission,
    doc: {
      tag,
      operationId: 'listPasskeys',
      summary: 'List passkeys',
      description: `${passkeys.description} The list has your own.`,
      success: { status: 200, ...item },
    },
    own: ({ id }) => [sql`t.user_id = ${id}`],
  })
  optionsRoute(app, webauthn)
  addRoute(app, webauthn)
  renameRoute(app)
  deleteRoute(app)
  confirmRoute(app, webauthn)
}

function optionsRoute(app: FastifyInstance, webauthn: WebAuthn): void {
  const msg = 'Ask the browser to make a passkey'
  const doc: RouteDoc = {
    tag,
    operationId: 'beginPasskey',
    summary: 'Begin a new passkey',
    description: 'What the browser needs to make one. It works once, for 5 minutes.',
    success: { status: 200, name: 'PasskeyOptions', schema: PasskeyOptions, msg },
    errors: ['VALIDATION_ERROR', 'INVALID_STATE'],
    isRepeatable: false,
  }
  app.post(
    `${path}/options`,
    { config: { permission, doc, beforeFactor: ['set_up'] }, schema: { body: NoBody } },
    async (request, reply) => {
      const { id, name } = requireUser(request)
      requireRecentLogin(request)
      const handle = reading(request)
      const row = await handle.one<{ email: string }>(
        sql`select t.email from users t where t.org = :org and t.id = ${id}`,
      )
      const options = await webauthn.registrationOptions(
        { id, name, email: row?.email ?? name },
        await keysOf(handle, id),
      )
      return reply.header('cache-control', 'no-store').send({ msg, data: { options } })
    },
  )
}

function addRoute(app: FastifyInstance, webauthn: WebAuthn): void {
  const { properties } = createSchema(passkeys) as unknown as { properties: { name: ReturnType<typeof Type.String> } }
  const body = Type.Object({ name: properties.name, response: PasskeyResponse }, { additionalProperties: false })
  const doc: RouteDoc = {
    tag,
    operationId: 'createPasskey',
    summary: 'Add a passkey',
    description: 'With what the browser made. From now on you can log in with it.',
    body: { name: 'PasskeyCreate', schema: body },
    success: { status: 201, ...item, msg: 'Added passkey' },
    errors: ['VALIDATION_ERROR', 'INVALID_STATE', 'CONFLICT'],
    hasEtag: true,
    isRepeatable: false,
  }
  app.post(
    path,
    { config: { permission, doc, beforeFactor: ['set_up'] }, schema: { body } },
    async (request, reply) => {
      const { id, session } = requireUser(request)
      requireRecentLogin(request)
      const { name, response } = bodyOf(request, body)
      const key = await webauthn.registered(response, id)
      if (!key)
        throw invalid(
          'response',
          'passkey.refused',
          'response: that is not an answer to what was begun, or its time is up; begin again',
        )
      return write(request, reply, async (tx) => {
        const data = await addKey(tx, id, name, key)
        await tx.update('sessions', session.id, { factor: 'passkey' })
        await app.house.mail.queue(tx, id, 'factor_changed', { what: 'passkey_added', address: request.ip })
        return { msg: 'Added passkey', status: 201, location: `${path}/${data.id}`, data }
      })
    },
  )
}

function renameRoute(app: FastifyInstance): void {
  const schema = patchSchema(passkeys)
  const doc: RouteDoc = {
    tag,
    operationId: 'patchPasskey',
    summary: 'Rename a passkey',
    description: 'Its name is for you alone, to tell your devices apart.',
    body: { name: 'PasskeyPatch', schema, mediaTypes: ['application/merge-patch+json', 'application/json'] },
    success: { status: 200, ...item, msg: 'Renamed passkey' },
    errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'VERSION_CONFLICT', 'UNSUPPORTED_MEDIA_TYPE'],
    hasEtag: true,
  }
  app.patch(`${path}/:id`, { config: { permission, doc }, schema: { body: schema } }, async (request, reply) => {
    const { id } = requireUser(request)
    requireRecentLogin(request)
    return write(request, reply, async (tx) => {
      const current = await getOwnKey(tx, id, idOf(request))
      checkIfMatch(request, current)
      const data = await patchRow(tx, passkeys, current, bodyOf(request), 'all', {})
      return { msg: 'Renamed passkey', data }
    })
  })
}

function deleteRoute(app: FastifyInstance): void {
  const doc: RouteDoc = {
    tag,
    operationId: 'deletePasskey',
    summary: 'Delete a passkey',
    description: 'Nobody logs in with it any more. The only way in that you have cannot be deleted.',
    success: { status: 200, ...item, msg: 'Deleted passkey' },
    errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'INVALID_STATE', 'VERSION_CONFLICT', 'UNSUPPORTED_MEDIA_TYPE'],
  }
  app.delete(`${path}/:id`, { config: { permission, doc }, schema: { body: NoBody } }, async (request, reply) => {
    const { id } = requireUser(request)
    requireRecentLogin(request)
    return write(request, reply, async (tx) => {
      const row = await getOwnKey(tx, id, idOf(request))
      checkIfMatch(request, row)
      await tx.remove(passkeys.table, row.id)
      await keepAWayIn(tx, id, issuersOf(app.house.config))
      tx.record({
        action: 'passkey.deleted',
        resource: passkeys.noun,
        resourceId: row.id,
        before: row,
        after: null,
      })
      await app.house.mail.queue(tx, id, 'factor_changed', { what: 'passkey_removed', address: request.ip })
      return { msg: 'Deleted passkey', data: row }
    })
  })
}

/** In place of the password, where a recent login is asked for. */
function confirmRoute(app: FastifyInstance, webauthn: WebAuthn): void {
  const { engine, failures } = app.house
  const msg = 'Confirmed that it is you'
  const doc: RouteDoc = {
    tag: 'me',
    operationId: 'confirmPasskey',
    summary: 'Confirm that it is you, with a passkey',
    description:
      'In place of the password, and as a second factor that is demanded. The challenge comes from `POST ' +
      '/api/v1/login/passkey/options`.',
    body: { name: 'PasskeyLogin', schema: PasskeyLogin },
    success: { status: 200, msg },
    errors: ['VALIDATION_ERROR', 'INVALID_STATE', 'RATE_LIMITED'],
    isRepeatable: false,
  }
  const config = { permission, doc, beforeFactor: ['confirm'] } as const
  app.post('/api/v1/me/confirm-passkey', { config, schema: { body: PasskeyLogin } }, async (request, reply) => {
    const { id, session } = requireUser(request)
    const found = await verifyKey(engine, webauthn, bodyOf(request, PasskeyLogin).response)
    const own = found?.key.user_id === id ? found : undefined
    // Counted first, as at the login: who only guesses does not fill the record.
    const refusal = own?.signed ? undefined : failures.count(request.ip)
    if (refusal) throw refusal
    const isConfirmed = await changing(request, async (tx) => {
      const isGood = own?.signed !== undefined && (await noteUse(tx, own.key, own.signed))
      if (isGood) await tx.update('sessions', session.id, { confirmed_at: tx.now, factor: 'passkey' })
      record(tx, isGood ? 'user.passkey_confirmed' : 'user.passkey_refused', id, { session_id: session.id })
      return isGood
    })
    if (!isConfirmed) throw wrongPasskey()
    return answer(reply, msg)
  })
}

const wrongPasskey = () =>
  new AppError('UNAUTHORIZED', 'The passkey is not yours, or did not answer as it should', {
    status: 403,
    reason: 'wrong_passkey',
  })
