import { type CommandAction, commandActions } from '../../connect/connector.ts'
import { Type } from '../../core/schema.ts'
import { itemSchema } from '../../http/schemas.ts'
import { commands, MAX_SECONDS } from './schema.ts'

/** As many doors as are told at once. */
export const MAX_DOORS = 100

const reason = Type.Optional(
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    maxLength: 2000,
    description: 'Why.',
    examples: ['Delivery'],
  }),
)
const expires_in_seconds = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 3600,
    description: 'After so long it is not sent any more; 30 unless given.',
    examples: [30],
  }),
)
const seconds = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: MAX_SECONDS,
    description: 'How long it stays unlocked; as the door says unless given.',
    examples: [5],
  }),
)
const until_released = Type.Optional(
  Type.Boolean({
    description: 'It stays unlocked until it is locked or released. Takes the place of seconds.',
    examples: [false],
  }),
)

export const Ordering = Type.Object({ reason, expires_in_seconds }, { additionalProperties: false })
export const Unlocking = Type.Object(
  { seconds, until_released, reason, expires_in_seconds },
  { additionalProperties: false },
)

export const CommandsCreate = Type.Object(
  {
    action: Type.Unsafe<CommandAction>({
      type: 'string',
      enum: [...commandActions],
      description: 'What the doors are to do.',
    }),
    access_point_ids: Type.Array(Type.String({ format: 'uuid' }), {
      minItems: 1,
      maxItems: MAX_DOORS,
      uniqueItems: true,
      description: 'Which doors.',
    }),
    seconds,
    until_released,
    reason,
    expires_in_seconds,
  },
  { additionalProperties: false },
)

const CommandError = Type.Object(
  {
    code: Type.String(),
    reason: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    msg: Type.String(),
  },
  { additionalProperties: false },
)

/** What became of each door, in the order given. */
export const CommandsMade = Type.Object(
  {
    queued: Type.Integer({ minimum: 1, description: 'How many were queued.' }),
    results: Type.Array(
      Type.Object(
        {
          access_point_id: Type.String({ format: 'uuid' }),
          status: Type.Integer({ description: '201: queued; otherwise as if it had been asked for by itself.' }),
          command: Type.Unsafe<object | null>({ ...itemSchema(commands), type: ['object', 'null'] }),
          error: Type.Unsafe<object | null>({ ...CommandError, type: ['object', 'null'] }),
        },
        { additionalProperties: false },
      ),
      { description: 'One for each door, in the order given.' },
    ),
  },
  { additionalProperties: false },
)

const door = '01997d2a-4c00-7000-8000-000000000002'

export const exampleCommands = {
  queued: 1,
  results: [
    {
      access_point_id: door,
      status: 201,
      command: {
        id: '01997d2a-4c00-7000-8000-000000000001',
        created_at: '2027-06-15T12:00:00.000Z',
        updated_at: '2027-06-15T12:00:00.000Z',
        version: 1,
        action: 'unlock',
        access_point_id: door,
        building_id: '01997d2a-4c00-7000-8000-000000000005',
        access_control_system_id: '01997d2a-4c00-7000-8000-000000000003',
        seconds: 5,
        reason: 'Delivery',
        requested_by: 'Ada Lovelace',
        expires_at: '2027-06-15T12:00:30.000Z',
        status: 'queued',
        sent_at: null,
        ended_at: null,
        error_code: null,
        error_message: null,
      },
      error: null,
    },
    {
      access_point_id: '01997d2a-4c00-7000-8000-000000000004',
      status: 409,
      command: null,
      error: {
        code: 'INVALID_STATE',
        reason: 'command.no_system',
        msg: 'No access control system drives this door: nothing can carry it out',
      },
    },
  ],
}
