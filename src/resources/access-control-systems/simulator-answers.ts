import { deviceActs, doorActs } from '../../connect/simulator/drive.ts'
import { reasons } from '../../core/decide/reasons.ts'
import { Type } from '../../core/schema.ts'

const credentialTypes = ['card', 'pin', 'mobile', 'transponder', 'qr', 'plate', 'biometric']
const DAY_MS = 86_400_000

const lose_acknowledgements = Type.Boolean({ description: 'It does what it is told, and its answer is lost.' })
const duplicate_events = Type.Boolean({ description: 'It tells each event twice.' })
const late_events = Type.Boolean({ description: 'It tells every other event after those that came later.' })
const read = Type.Unsafe<string>({
  type: 'string',
  enum: ['works', 'fails', 'empty'],
  description: 'What comes of reading its table.',
})

const Faults = Type.Object(
  { lose_acknowledgements, duplicate_events, late_events, read },
  { additionalProperties: false, description: 'What is wrong with it.' },
)
const SomeFaults = Type.Object(
  {
    lose_acknowledgements: Type.Optional(lose_acknowledgements),
    duplicate_events: Type.Optional(duplicate_events),
    late_events: Type.Optional(late_events),
    read: Type.Optional(read),
  },
  { additionalProperties: false, description: 'What is to be wrong with it, or no more.' },
)

export const SimulatorAct = Type.Object(
  {
    action: Type.Unsafe<string>({ type: 'string', enum: [...deviceActs, ...doorActs], description: 'What happens.' }),
    access_point_id: Type.Optional(Type.String({ format: 'uuid', description: 'At which door.' })),
    type: Type.Optional(
      Type.Unsafe<string>({
        type: 'string',
        enum: credentialTypes,
        description: 'What is held to the reader; card unless given.',
      }),
    ),
    number: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        maxLength: 100,
        description: 'Its number, as the reader reads it.',
      }),
    ),
    facility_code: Type.Optional(
      Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 100, description: 'Its facility code.' }),
    ),
    pin: Type.Optional(
      Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 20, description: 'The PIN that is typed.' }),
    ),
    direction: Type.Optional(
      Type.Unsafe<string>({ type: 'string', enum: ['in', 'out'], description: 'Which way; in unless given.' }),
    ),
    passes: Type.Optional(Type.Boolean({ description: 'Whether whoever is let in goes through; true unless given.' })),
    offset_ms: Type.Optional(
      Type.Integer({ minimum: -DAY_MS * 366, maximum: DAY_MS * 366, description: 'How far its clock is ahead.' }),
    ),
    drift_ppm: Type.Optional(
      Type.Integer({ minimum: -100_000, maximum: 100_000, description: 'How much its clock gains from now on.' }),
    ),
    faults: Type.Optional(SomeFaults),
  },
  { additionalProperties: false },
)

const count = () => Type.Integer({ minimum: 0 })

export const Simulator = Type.Object(
  {
    is_online: Type.Boolean({ description: 'Whether it can be reached.' }),
    is_powered: Type.Boolean({ description: 'Whether it has power.' }),
    clock: Type.String({ format: 'date-time', description: 'What its own clock shows.' }),
    clock_offset_ms: Type.Integer({ description: 'How far that is ahead of ours.' }),
    drift_ppm: Type.Integer({ description: 'How much it gains.' }),
    faults: Faults,
    entries: Type.Unsafe<object | null>({
      ...Type.Object(
        { doors: count(), cards: count(), grants: count(), schedules: count() },
        { additionalProperties: false },
      ),
      type: ['object', 'null'],
      description: 'What its table holds. Null when your role is limited to places.',
    }),
    events_waiting: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      description: 'What it has yet to tell. Null when your role is limited to places.',
    }),
    decision: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      enum: ['granted', 'denied', null],
      description: 'What it decided, where something was held to a reader.',
    }),
    reason: Type.Unsafe<string | null>({ type: ['string', 'null'], enum: [...reasons, null], description: 'Why.' }),
  },
  { additionalProperties: false },
)

export const exampleSimulator = {
  is_online: true,
  is_powered: true,
  clock: '2027-06-15T12:00:00.000Z',
  clock_offset_ms: 0,
  drift_ppm: 0,
  faults: { lose_acknowledgements: false, duplicate_events: false, late_events: false, read: 'works' },
  entries: { doors: 4, cards: 120, grants: 12, schedules: 2 },
  events_waiting: 0,
  decision: 'granted',
  reason: 'granted',
}
