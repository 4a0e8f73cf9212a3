import type { FastifyInstance } from 'fastify'
import type { Scope } from '../../core/rights.ts'
import { type TSchema, Type } from '../../core/schema.ts'
import type { Tx } from '../../db/change.ts'
import { getRow } from '../../db/rows.ts'
import { checkIfMatch } from '../../http/answers/etag.ts'
import { bodyOf, idOf } from '../../http/items/item.ts'
import { write } from '../../http/items/write.ts'
import { CHANGE_ERRORS } from '../../http/route-doc.ts'
import { addMembers, type MemberGiven, type MembersChanged, removeMembers, setMembers } from './member-set.ts'
import { refuseProvisioned } from './queries.ts'
import { accessGroupMembers, accessGroups } from './schema.ts'

const MAX_MEMBERS = 5000
const COLLECTION = '/api/v1/access-groups/:parent_id/members'

const instant = (description: string) =>
  Type.Optional(
    Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description, examples: [null] }),
  )

const membersBody = (minItems: number) =>
  Type.Object(
    {
      members: Type.Array(
        Type.Object(
          {
            individual_id: Type.String({ format: 'uuid', description: 'The member.' }),
            valid_from: instant('From when on; null: from the start. Left out: as it is.'),
            valid_until: instant('Until when; null: without end. Left out: as it is.'),
          },
          { additionalProperties: false },
        ),
        { minItems, maxItems: MAX_MEMBERS, description: 'Who, each once.' },
      ),
    },
    { additionalProperties: false },
  )

const removedBody = Type.Object(
  {
    individual_ids: Type.Array(Type.String({ format: 'uuid' }), {
      minItems: 1,
      maxItems: MAX_MEMBERS,
      description: 'Who.',
    }),
  },
  { additionalProperties: false },
)

const count = (what: string) => Type.Integer({ minimum: 0, description: `How many ${what}.`, examples: [1] })
const Changed = Type.Object(
  {
    added: count('became members'),
    changed: count('were members for another time'),
    removed: count('are members no more'),
    unchanged: count('were as asked already'),
  },
  { additionalProperties: false },
)

interface Sent {
  members?: MemberGiven[]
  individual_ids?: string[]
}

interface MemberRoute {
  method: 'PUT' | 'POST'
  path: string
  operationId: string
  summary: string
  description: string
  body: { name: string; schema: TSchema }
  run(tx: Tx, groupId: string, sent: Sent, scope: Scope): Promise<MembersChanged>
}

const routes: readonly MemberRoute[] = [
  {
    method: 'PUT',
    path: COLLECTION,
    operationId: 'setAccessGroupMembers',
    summary: 'Set the members of an access group',
    description:
      'The members are those given and no others: who is missing is removed, who is new is added, all in one change. ' +
      'With `dry_run=true` it is said who would gain and lose which doors.',
    body: { name: 'AccessGroupMemberSet', schema: membersBody(0) },
    run: (tx, groupId, { members = [] }, scope) => setMembers(tx, groupId, members, scope),
  },
  {
    method: 'POST',
    path: `${COLLECTION}/add`,
    operationId: 'addAccessGroupMembers',
    summary: 'Add members to an access group',
    description: 'All of them or none, in one change. Who is a member already stays one, for the time given.',
    body: { name: 'AccessGroupMembersAdded', schema: membersBody(1) },
    run: (tx, groupId, { members = [] }, scope) => addMembers(tx, groupId, members, scope),
  },
  {
    method: 'POST',
    path: `${COLLECTION}/remove`,
    operationId: 'removeAccessGroupMembers',
    summary: 'Remove members from an access group',
    description: 'All of them in one change. Who is no member is passed over.',
    body: { name: 'AccessGroupMembersRemoved', schema: removedBody },
    run: (tx, groupId, { individual_ids = [] }, scope) => removeMembers(tx, groupId, individual_ids, scope),
  },
]

/** The members of a group as a set; one by one they are a collection like any other. */
export function memberSetRoutes(app: FastifyInstance): void {
  for (const { method, path, body, run, ...words } of routes) {
    const doc = {
      tag: accessGroupMembers.plural,
      ...words,
      body,
      success: {
        status: 200,
        name: 'AccessGroupMembersChanged',
        schema: Changed,
        msg: 'Added 1, changed 1 and removed 1 members of access group Night shift',
      },
      errors: CHANGE_ERRORS,
    } as const
    app.route({
      method,
      url: path,
      config: { permission: 'access-groups:write', doc },
      schema: { body: body.schema },
      handler: async (request, reply) =>
        write(request, reply, async (tx) => {
          const group = await getRow(tx, accessGroups, idOf(request, 'parent_id'), request.scope)
          checkIfMatch(request, group)
          await refuseProvisioned(tx, group.id)
          const data = await run(tx, group.id, bodyOf<Sent>(request), request.scope)
          const { added, changed, removed } = data
          return {
            msg: `Added ${added}, changed ${changed} and removed ${removed} members of access group ${group.name}`,
            data,
          }
        }),
    })
  }
}
