import { oneOf, pointer, text, timestamp } from '../../core/fields.ts'
import { Type } from '../../core/schema.ts'
import { containing } from '../../db/lists/search.ts'
import { defineResource } from '../../db/resource.ts'
import { raw, sql } from '../../db/sql.ts'

const ofPerson = (column: string) =>
  `select pi.${column} from individuals pi where pi.org = :org and pi.id = t.individual_id`

export const occupants = defineResource({
  noun: 'presence',
  table: 'presence',
  singular: 'occupant',
  plural: 'occupants',
  description: 'Who was last seen in a space: whoever was let in there and was not seen anywhere else since.',
  fields: {
    individual_id: pointer('individuals').readOnly().describe('Who.'),
    display_name: text(400).derived(ofPerson('display_name')).describe('Their name.', 'Ada Lovelace'),
    kind: oneOf('employee', 'contractor', 'tenant', 'visitor', 'service')
      .derived(ofPerson('kind'))
      .describe('What they are.', 'employee'),
    company: text(200).nullable().derived(ofPerson('company')).describe('For whom they work.', null),
    space_id: pointer('spaces').readOnly().describe('The space.'),
    access_point_id: pointer('access_points').nullable().readOnly().describe('The door they came through.'),
    since: timestamp().readOnly().describe('Since when.'),
  },
  search: [],
  // By what is shown of them, whether or not the caller may read individuals: who is inside is asked for by name.
  searchAlso: async (_handle, word) =>
    sql`t.individual_id in (select si.id from individuals si where si.org = :org
      and ${containing('si.seen_text', word)})`,
  place: ({ row, inBuildings }) =>
    sql`exists (select 1 from spaces os where os.org = :org and os.id = ${raw(row)}.space_id
      and ${inBuildings('os.building_id')})`,
  defaultOrder: ['individual_id'],
  isVolatile: true,
})

const Person = Type.Object(
  {
    individual_id: Type.String({ format: 'uuid', description: 'Who.' }),
    display_name: Type.String({ description: 'Their name.' }),
    kind: Type.String({ description: 'What they are.' }),
    company: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'For whom they work.' }),
    phone: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description: 'Where they are reached; absent of whom you may not see all.',
      }),
    ),
    status: Type.Unsafe<string>({
      type: 'string',
      enum: ['unaccounted', 'accounted'],
      description:
        'Unaccounted: last seen in the building. Accounted: seen leaving it, or elsewhere, since the list begins.',
    }),
    space_id: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'uuid',
      description: 'Where they were last seen; null: outside.',
    }),
    space: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Its name.' }),
    since: Type.String({ format: 'date-time', description: 'When they were last seen there, or to have left.' }),
  },
  { additionalProperties: false },
)

export const Muster = Type.Object(
  {
    building_id: Type.String({ format: 'uuid', description: 'The building; its wings are part of it.' }),
    begins_at: Type.String({
      format: 'date-time',
      description: 'From when on whoever left is accounted for: the evacuation or drill, else a day ago.',
    }),
    unaccounted: Type.Integer({ description: 'How many were last seen inside.' }),
    accounted: Type.Integer({ description: 'How many were seen leaving since.' }),
    people: Type.Array(Person, { description: 'Who, the unaccounted first, by name.' }),
  },
  { additionalProperties: false },
)
