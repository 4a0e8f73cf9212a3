import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { standingOfDoor, standingOfGrant, standingOfSystem } from '../../connect/sync-state.ts'
import { wakersOf } from '../../connect/wake.ts'
import { AppError } from '../../core/errors.ts'
import type { Permission } from '../../core/permissions.ts'
import { covers } from '../../core/rights.ts'
import { type TSchema, Type } from '../../core/schema.ts'
import type { OrgHandle } from '../../db/org.ts'
import type { Resource } from '../../db/resource.ts'
import { readPermissionOf } from '../../db/resource.ts'
import { getRow, getSeen, isSeen } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { reading } from '../../http/context.ts'
import { bodyOf, idOf } from '../../http/items/item.ts'
import { pascal } from '../../http/items/resource.ts'
import { write } from '../../http/items/write.ts'
import { type AccessControlSystem, accessControlSystems } from '../access-control-systems/schema.ts'
import { accessGrants } from '../access-grants/schema.ts'
import { accessPoints } from '../access-points/schema.ts'
import { DoorSync, exampleDoorSync, exampleGrantSync, exampleSystemSync, GrantSync, SystemSync } from './schema.ts'

/** Whether devices hold what the rules say: of a system, a door, a grant. Live, so nothing of it is kept. */
export function syncRoutes(app: FastifyInstance): void {
  syncRoute(app, accessControlSystems, SystemSync, exampleSystemSync, systemSync)
  syncRoute(app, accessPoints, DoorSync, exampleDoorSync, doorSync)
  syncRoute(app, accessGrants, GrantSync, exampleGrantSync, grantSync)
  confirmRemoval(app)
}

type Look = (handle: OrgHandle, id: string, request: FastifyRequest) => Promise<object>

function syncRoute(app: FastifyInstance, resource: Resource, schema: TSchema, example: object, look: Look): void {
  app.get(
    `/api/v1/${resource.noun}/:id/sync`,
    {
      config: {
        permission: readPermissionOf(resource),
        doc: {
          tag: resource.plural,
          operationId: `get${pascal(resource.singular)}Sync`,
          summary: `Get whether the devices hold what this ${resource.singular} says`,
          description:
            'A device decides by what it was last given: here is what that is, since when, and what has not reached ' +
            'it yet.',
          success: { status: 200, name: `${pascal(resource.singular)}Sync`, schema, example },
          errors: ['NOT_FOUND'],
        },
      },
    },
    async (request: FastifyRequest, reply: FastifyReply) => {
      const data = await look(reading(request), idOf(request), request)
      return reply
        .header('cache-control', 'no-store')
        .send({ msg: `Retrieved how the ${resource.singular} stands`, data })
    },
  )
}

/** Whether the caller reads these too, wherever they may ask. */
const alsoReads = ({ caller, scope }: FastifyRequest, ...permissions: Permission[]): boolean =>
  permissions.every((permission) => covers(caller.rights.scopeOf(permission), scope))

async function systemSync(handle: OrgHandle, id: string, request: FastifyRequest): Promise<object> {
  const { scope } = request
  const system = await getRow(handle, accessControlSystems, id, scope)
  const { state, since, error, link, counts, removals, inexpressible } = await standingOfSystem(handle, system)
  const isWhole = scope === 'all'
  return {
    state,
    since,
    error,
    contact: link?.contact ?? null,
    contact_since: link?.contact_since ?? null,
    clock_offset_ms: link?.clock_offset_ms ?? null,
    compiled_at: link?.compiled_at ?? null,
    synced_at: link?.synced_at ?? null,
    read_at: link?.read_at ?? null,
    pending: isWhole ? counts.pending : null,
    failed: isWhole ? counts.failed : null,
    unknown: isWhole ? counts.unknown : null,
    removals: isWhole ? removals : null,
    asks_first: asksFirst(system),
    inexpressible:
      isWhole && alsoReads(request, 'access-grants:read', 'credentials:read', 'schedules:read')
        ? inexpressible.some
        : null,
  }
}

const asksFirst = ({ errors }: AccessControlSystem): boolean => errors.some(({ code }) => code === 'removal_asks_first')

async function doorSync(handle: OrgHandle, id: string, { scope }: FastifyRequest): Promise<object> {
  const { state, since, error } = await standingOfDoor(handle, await getSeen(handle, accessPoints, id, scope))
  return { state, since, error }
}

async function grantSync(handle: OrgHandle, id: string, request: FastifyRequest): Promise<object> {
  const { scope } = request
  const grant = await getSeen(handle, accessGrants, id, scope)
  const target = grant.access_point_id ?? grant.space_id ?? grant.building_id ?? grant.location_id ?? ''
  const { systems, still_opens, ...standing } = await standingOfGrant(handle, { ...grant, target })
  const seen = []
  for (const system of systems)
    if (await isSeen(handle, accessControlSystems, system.access_control_system_id, scope)) seen.push(system)
  return {
    ...standing,
    systems: alsoReads(request, 'access-control-systems:read') ? seen : null,
    still_opens: alsoReads(request, 'access-points:read') ? still_opens : null,
  }
}

const Confirmation = Type.Object(
  {
    removals: Type.Integer({
      minimum: 1,
      maximum: 10_000_000,
      description: 'How many entries may be removed, as sync says.',
      examples: [120],
    }),
  },
  { additionalProperties: false },
)

function confirmRemoval(app: FastifyInstance): void {
  app.post(
    '/api/v1/access-control-systems/:id/confirm-removal',
    {
      config: {
        permission: 'access-control-systems:write',
        doc: {
          tag: accessControlSystems.plural,
          operationId: 'confirmRemovalOfAccessControlSystem',
          summary: 'Confirm that much is removed from a device',
          description:
            'Removing more than a tenth of a device’s table waits for somebody’s word, since it may come of a ' +
            'mistake. So many are removed once; if there are more by then, it asks again.',
          body: { name: 'RemovalConfirmation', schema: Confirmation },
          success: { status: 200, name: 'RemovalConfirmed', schema: Confirmation, example: { removals: 120 } },
          errors: [
            'VALIDATION_ERROR',
            'NOT_FOUND',
            'INVALID_STATE',
            'IDEMPOTENCY_IN_PROGRESS',
            'IDEMPOTENCY_KEY_REUSED',
            'UNSUPPORTED_MEDIA_TYPE',
            'PAYLOAD_TOO_LARGE',
          ],
        },
      },
      schema: { body: Confirmation },
    },
    async (request, reply) =>
      write(
        request,
        reply,
        async (tx) => {
          const { removals } = bodyOf<{ removals: number }>(request)
          const system = await getRow(tx, accessControlSystems, idOf(request), request.scope)
          if (!asksFirst(system))
            throw new AppError('INVALID_STATE', 'Nothing waits to be removed from its device', {
              reason: 'sync.asks_nothing',
            })
          await tx.aside(
            sql`update system_links as t set removals_confirmed = ${removals} where t.org = :org
              and t.access_control_system_id = ${system.id}`,
          )
          tx.event({
            action: 'access_control_system.removal_confirmed',
            resource: accessControlSystems.noun,
            resourceId: system.id,
            before: null,
            after: { removals },
          })
          return { msg: `Confirmed the removal of ${removals} entries`, data: { removals } }
        },
        {
          after: async (made) => {
            wakersOf(request.server.house.engine).wake(request.caller.org, idOf(request))
            return made
          },
        },
      ),
  )
}
