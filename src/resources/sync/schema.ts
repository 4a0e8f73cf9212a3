import { syncStates } from '../../connect/entries.ts'
import { type TSchema, Type } from '../../core/schema.ts'

const nullable = (schema: object, description: string) => Type.Unsafe<never>({ ...schema, description })
const time = (description: string) => nullable({ type: ['string', 'null'], format: 'date-time' }, description)
const whole = (description: string) => nullable({ type: ['integer', 'null'] }, description)

const listOrNull = (items: TSchema, description: string) =>
  Type.Unsafe<object[] | null>({ type: ['array', 'null'], items, description })

const problem = Type.Unsafe<{ code: string; message: string } | null>({
  ...Type.Object({ code: Type.String(), message: Type.String() }, { additionalProperties: false }),
  type: ['object', 'null'],
  description: 'What stands in the way.',
})

const standing = {
  state: Type.Unsafe<string>({
    type: 'string',
    enum: [...syncStates],
    description:
      'Whether the device holds what it should: in_sync, pending (on its way), failed (it did not take it), unknown ' +
      '(it cannot be told).',
  }),
  since: Type.String({ format: 'date-time', description: 'Since when.' }),
  error: problem,
}

export const SystemSync = Type.Object(
  {
    ...standing,
    contact: nullable(
      { type: ['string', 'null'], enum: ['online', 'offline', null] },
      'Whether it answers; null: it never has.',
    ),
    contact_since: time('Since when.'),
    clock_offset_ms: whole('How far its clock was ahead of ours when it was last asked.'),
    compiled_at: time('Of which moment the rules are that it is given.'),
    synced_at: time('When it last held all that it should.'),
    read_at: time('When its table was last looked at.'),
    pending: whole('Entries on their way. Null when your role is limited to places.'),
    failed: whole('Entries that it did not take. Null when your role is limited to places.'),
    unknown: whole('Entries of which nobody knows whether it has them. Null when your role is limited to places.'),
    removals: whole('Of those, how many are to be taken from it. Null when your role is limited to places.'),
    asks_first: Type.Boolean({
      description: 'More than a tenth of its table would be removed: that waits for confirm-removal.',
    }),
    inexpressible: Type.Unsafe<object[] | null>({
      type: ['array', 'null'],
      items: Type.Object(
        { key: Type.String(), code: Type.String(), message: Type.String() },
        { additionalProperties: false },
      ),
      description:
        'What its device cannot express, in words, the first 100; it opens nothing there. Null when your role is ' +
        'limited to places, or you may not read grants, credentials and schedules.',
    }),
  },
  { additionalProperties: false },
)

export const DoorSync = Type.Object(standing, { additionalProperties: false })

export const GrantSync = Type.Object(
  {
    ...standing,
    systems: listOrNull(
      Type.Object(
        { access_control_system_id: Type.String({ format: 'uuid' }), ...standing },
        { additionalProperties: false },
      ),
      'The same at each system that drives a door below its target. Null when you may not read those.',
    ),
    still_opens: listOrNull(
      Type.Object(
        {
          access_point_id: Type.String({ format: 'uuid' }),
          name: Type.String(),
          until: time('Until when at worst; null: until its system is reached.'),
        },
        { additionalProperties: false },
      ),
      'Doors that still open by it though it is over, since that has not reached their system; the first 100. Null ' +
        'when you may not read doors.',
    ),
  },
  { additionalProperties: false },
)

const since = '2027-06-15T12:00:00.000Z'
export const exampleDoorSync = { state: 'in_sync', since, error: null }
export const exampleSystemSync = {
  ...exampleDoorSync,
  contact: 'online',
  contact_since: since,
  clock_offset_ms: 120,
  compiled_at: since,
  synced_at: since,
  read_at: since,
  pending: 0,
  failed: 0,
  unknown: 0,
  removals: 0,
  asks_first: false,
  inexpressible: [],
}
const id = '01997d2a-4c00-7000-8000-000000000001'
export const exampleGrantSync = {
  state: 'pending',
  since,
  error: null,
  systems: [{ access_control_system_id: id, state: 'pending', since, error: null }],
  still_opens: [{ access_point_id: id, name: 'Main entrance', until: '2027-12-31T23:00:00.000Z' }],
}
