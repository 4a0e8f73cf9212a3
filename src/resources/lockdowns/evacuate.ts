import type { FastifyInstance } from 'fastify'
import type { Scope } from '../../core/rights.ts'
import { instantIn } from '../../core/time/instant.ts'
import type { Tx } from '../../db/change.ts'
import type { AnyRow } from '../../db/resource.ts'
import { createRow, findRow } from '../../db/rows.ts'
import { limitsOf, wholeOf } from '../../db/scope.ts'
import { join, raw, sql } from '../../db/sql.ts'
import { bodyIfAny } from '../../http/items/item.ts'
import { write } from '../../http/items/write.ts'
import { createSchema, itemSchema } from '../../http/schemas.ts'
import { addMeasures } from './measure.ts'
import { prepareLockdown, TARGETS } from './queries.ts'
import { lockdowns } from './schema.ts'

const { kind: _, external_id: __, ...properties } = createSchema(lockdowns).properties ?? {}
const EvacuationCreate = { ...createSchema(lockdowns), properties }

/** Who started one that is in force, and what they wrote: told to those who may read it, and to no panel. */
const OF_THE_STARTER = ['reason', 'started_by', 'external_id']
const whole = itemSchema(lockdowns)
const EvacuationInForce = {
  ...whole,
  required: (whole.required ?? []).filter((name: string) => !OF_THE_STARTER.includes(name)),
}

/**
 * The way in for a fire panel: its token may do nothing but this. A panel that says it again and again starts one
 * evacuation.
 */
export function evacuateRoute(app: FastifyInstance): void {
  app.post(
    '/api/v1/lockdowns/evacuate',
    {
      config: {
        permission: 'lockdowns:evacuate',
        doc: {
          tag: lockdowns.plural,
          operationId: 'startEvacuation',
          summary: 'Start an evacuation',
          description:
            'Opens every door of a place, or of the whole organization, that a system drives. For a fire panel: a ' +
            'token with this permission can do nothing else, not even end it. Without a place it is the whole ' +
            'organization, or the one place that you are limited to. While one of the same place is in force that ' +
            'lasts as long, that one is the answer; who started it and why is left out unless you may read lockdowns.',
          body: { name: 'EvacuationCreate', schema: EvacuationCreate, required: false },
          success: { status: 200, mayCreate: true, name: 'EvacuationInForce', schema: EvacuationInForce },
          errors: [
            'VALIDATION_ERROR',
            'IDEMPOTENCY_IN_PROGRESS',
            'IDEMPOTENCY_KEY_REUSED',
            'UNSUPPORTED_MEDIA_TYPE',
            'PAYLOAD_TOO_LARGE',
          ],
          hasEtag: true,
        },
      },
      // Whoever can send nothing but the request itself means all doors, where they may open them.
      schema: { body: { ...EvacuationCreate, type: ['object', 'null'] } },
    },
    async (request, reply) =>
      write(request, reply, async (tx) => {
        const asked: AnyRow = { ...bodyIfAny(request, EvacuationCreate), kind: 'evacuation' }
        const body = TARGETS.some((name) => asked[name]) ? asked : { ...asked, ...(await ownPlace(tx, request.scope)) }
        const known = await sameInForce(tx, body)
        const found = known && (await findRow(tx, lockdowns, known.id, request.scope))
        const data = found ?? (await createRow(tx, lockdowns, body, request.scope, { prepare: prepareLockdown }))
        await addMeasures(tx, [data], request.caller)
        if (found) {
          const told = await wholeOf(tx, lockdowns, [data.id], request.caller.rights.scopeOf('lockdowns:read'))
          if (!told.has(data.id)) for (const name of OF_THE_STARTER) Reflect.deleteProperty(data, name)
          return { msg: 'An evacuation of this place is in force already', data }
        }
        return { msg: 'Started evacuation', status: 201, location: `/api/v1/lockdowns/${data.id}`, data }
      }),
  )
}

/** A panel of one building need not say which: while it burns, nobody reads why nothing opened. */
async function ownPlace(tx: Tx, scope: Scope): Promise<AnyRow> {
  const [place, another] = (await limitsOf(tx, scope)) ?? []
  return place && !another ? { location_id: place.location_id, building_id: place.building_id } : {}
}

/** One that would end before what is asked for is not the same: the doors would close while it burns. */
async function sameInForce(tx: Tx, body: AnyRow): Promise<{ id: string } | undefined> {
  const same = TARGETS.map((name) =>
    body[name] ? sql`${raw(`t.${name}`)} = ${String(body[name]).toLowerCase()}` : raw(`t.${name} is null`),
  )
  const known = await tx.all<{ id: string; expires_at: string | null }>(sql`select t.id, t.expires_at from lockdowns t
    where t.org = :org and t.kind = 'evacuation' and t.released_at is null
    and (t.expires_at is null or t.expires_at > :now) and ${join(same, ' and ')} order by t.created_at`)
  const end = (expires: unknown): number =>
    typeof expires === 'string' ? Date.parse(instantIn('expires_at', expires)) : Number.POSITIVE_INFINITY
  return known.find(({ expires_at }) => end(expires_at) >= end(body.expires_at))
}
