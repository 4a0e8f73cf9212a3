import type { FastifyInstance } from 'fastify'
import { csvLine } from '../../core/csv.ts'
import type { Scope } from '../../core/rights.ts'
import type { Tx } from '../../db/change.ts'
import { getRow, getSeen } from '../../db/rows.ts'
import { doorStandsThere, placesOfScope, spaceLiesThere } from '../../db/scope.ts'
import { raw, type Sql, sql } from '../../db/sql.ts'
import { formatsOffered } from '../../http/answers/formats-offered.ts'
import { reading } from '../../http/context.ts'
import { actionRoute } from '../../http/items/action.ts'
import { idOf } from '../../http/items/item.ts'
import { listRoute } from '../../http/list-route.ts'
import { itemSchema } from '../../http/schemas.ts'
import { buildings } from '../buildings/schema.ts'
import { individuals } from '../individuals/schema.ts'
import { spaces } from '../spaces/schema.ts'
import { musterOf } from './muster.ts'
import { Muster, occupants } from './schema.ts'

const tag = 'presence'
const formats = formatsOffered({ json: 'application/json', csv: 'text/csv' })
const CSV = ['status', 'display_name', 'kind', 'company', 'phone', 'space', 'since', 'individual_id'] as const

export function presenceRoutes(app: FastifyInstance): void {
  listRoute(app, '/api/v1/spaces/:parent_id/occupants', occupants, {
    permission: 'presence:read',
    parent: { resource: spaces, field: 'space_id', segment: 'occupants' },
    doc: {
      tag,
      operationId: 'listOccupants',
      summary: 'List who is in a space',
      description: occupants.description,
      success: { status: 200, name: 'Occupant', schema: itemSchema(occupants) },
    },
  })
  app.get(
    '/api/v1/buildings/:id/muster',
    {
      config: {
        permission: 'presence:read',
        doc: {
          tag,
          operationId: 'getMuster',
          summary: 'Get the muster list of a building',
          description:
            'Who was last seen in the building and is unaccounted for, and who was seen leaving it since the ' +
            'evacuation or drill in force began (else within a day). As a file to print (`format`, or the header ' +
            '`Accept`) it is CSV.',
          parameters: [formats.doc('The list as a file instead; so does the header `Accept`.')],
          success: {
            status: 200,
            name: 'Muster',
            schema: Muster,
            example: exampleMuster,
            files: { 'text/csv': { example: 'status,display_name\r\nunaccounted,Ada Lovelace\r\n' } },
          },
          errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
        },
      },
    },
    async (request, reply) => {
      const format = formats.asked(request)
      const handle = reading(request)
      const building = await getSeen(handle, buildings, idOf(request), request.scope)
      const muster = await musterOf(handle, building.id, request.caller.rights)
      reply.header('cache-control', 'no-store').header('vary', 'accept')
      if (format === 'json')
        return { msg: `${muster.unaccounted} unaccounted for, ${muster.accounted} accounted for`, data: muster }
      const lines = muster.people.map((person) => csvLine(CSV.map((name) => person[name])))
      reply.type('text/csv; charset=utf-8').header('content-disposition', 'attachment; filename="muster.csv"')
      return reply.send(`${csvLine([...CSV])}${lines.join('')}`)
    },
  )
  app.register(async (scope) =>
    actionRoute(scope, individuals, {
      verb: 'forgive',
      permission: 'presence:forgive',
      summary: 'Forgive a passback',
      description:
        'Forgets where somebody was last seen, so that the next door lets them in again. On the record. Where they ' +
        'were last seen outside your places, that stays as it is; whoever belongs elsewhere and was last seen in ' +
        'your places is forgiven there.',
      find: async (tx, id, scope) => getRow(tx, individuals, id, (await isSeenThere(tx, id, scope)) ? 'all' : scope),
      run: async (tx, row, { scope }) => {
        const { display_name: name } = row
        const where = sql`t.org = :org and t.individual_id = ${row.id} and (${await isThere(tx, scope)})`
        const forgotten = await tx.all<{ space_id: string | null; since: string }>(
          sql`select t.space_id, t.since from presence t where ${where}`,
        )
        if (forgotten.length === 0) {
          const orElsewhere = scope === 'all' ? '' : ', or is outside the places you may manage'
          return { msg: `Where ${name} was last seen is not known${orElsewhere}`, data: row }
        }
        await tx.run(sql`delete from presence as t where ${where}`)
        tx.record({
          action: 'individual.forgiven',
          resource: individuals.noun,
          resourceId: row.id,
          before: forgotten[0] ?? null,
          after: null,
        })
        return { msg: `Forgave ${name}: where they were last seen is forgotten`, data: row }
      },
    }),
  )
}

/** Whoever manages where somebody stands has to do with them, wherever they belong. */
async function isSeenThere(tx: Tx, id: string, scope: Scope): Promise<boolean> {
  const found = await tx.one(sql`select t.individual_id from presence t where t.org = :org and t.individual_id = ${id}
    and (${await isThere(tx, scope)})`)
  return found !== undefined
}

/** Who was last seen elsewhere is missed there: that is not this caller's to forget. */
async function isThere(tx: Tx, scope: Scope): Promise<Sql> {
  if (scope === 'all') return raw('true')
  const places = await placesOfScope(tx, scope)
  return sql`${spaceLiesThere(places, 't.space_id')} or (t.space_id is null
    and ${doorStandsThere(places, 't.access_point_id')})`
}

const exampleMuster = {
  building_id: '01997d2a-4c00-7000-8000-000000000003',
  begins_at: '2026-05-04T08:30:00.000Z',
  unaccounted: 1,
  accounted: 0,
  people: [
    {
      individual_id: '01997d2a-4c00-7000-8000-000000000004',
      display_name: 'Ada Lovelace',
      kind: 'employee',
      company: null,
      phone: '+41 44 000 00 00',
      status: 'unaccounted',
      space_id: '01997d2a-4c00-7000-8000-000000000005',
      space: 'Laboratory',
      since: '2026-05-04T08:12:00.000Z',
    },
  ],
}
