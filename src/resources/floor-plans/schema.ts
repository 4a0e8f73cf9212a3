import { boolean, common, integer, name, number, oneOf, type RowOf, reference, text } from '../../core/fields.ts'
import { defineResource } from '../../db/resource.ts'
import { doorStandsThere } from '../../db/scope.ts'
import { raw, sql } from '../../db/sql.ts'

/** What an image may be. */
export const imageTypes = ['image/svg+xml', 'image/png'] as const
export type ImageType = (typeof imageTypes)[number]

const MAX_LENGTH = 1_000_000

export const floorPlans = defineResource({
  noun: 'floor-plans',
  table: 'floor_plans',
  singular: 'floor plan',
  plural: 'floor plans',
  description:
    'An image of a floor of a building, SVG or PNG, one for each floor, and where its doors are on it. A plan lies ' +
    'where its building lies and goes with it.',
  fields: {
    ...common,
    building_id: reference('buildings').required().fixedAtCreation().owned().describe('The building.'),
    floor: integer(-200, 500).required().describe('Floor; 0 is the ground floor. A building has one plan for each.', 0),
    name: name().nullable().describe('What the floor is called, where its number does not say it.', 'Mezzanine'),
    image_type: oneOf(...imageTypes)
      .nullable()
      .readOnly()
      .describe('What the image is; null: there is none yet.', 'image/svg+xml'),
    image_size: integer(1, Number.MAX_SAFE_INTEGER)
      .nullable()
      .readOnly()
      .describe('Bytes of the image, as it is stored.', 48_213),
    image_hash: text(64)
      .nullable()
      .readOnly()
      .describe(
        'SHA-256 of the image, as it is stored.',
        'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
      ),
    width: number(0, MAX_LENGTH).nullable().readOnly().describe('Width of the image, in its own units.', 1200),
    height: number(0, MAX_LENGTH).nullable().readOnly().describe('Height of the image, in its own units.', 800),
  },
  search: ['name', 'external_id'],
  searchThrough: ['building_id'],
  place: ({ row, inBuildings }) => inBuildings(`${row}.building_id`),
})

export type FloorPlan = RowOf<typeof floorPlans.fields>

const fraction = () => number(0, 1).required()

export const floorPlanPositions = defineResource({
  noun: 'floor-plan-positions',
  table: 'floor_plan_positions',
  permissions: { read: 'floor-plans:read', write: 'floor-plans:write' },
  singular: 'floor plan position',
  plural: 'floor plan positions',
  description:
    'Where a door of the building is on the plan. A door is on a plan once, and goes from it when it is deleted.',
  fields: {
    ...common,
    floor_plan_id: reference('floor_plans').required().fixedAtCreation().owned().describe('The plan.'),
    access_point_id: reference('access_points')
      .required()
      .fixedAtCreation()
      .owned()
      .describe('The door, of that building or its wings.'),
    x: fraction().describe('From the left, as a fraction of the width.', 0.25),
    y: fraction().describe('From the top, as a fraction of the height.', 0.5),
    is_elsewhere: boolean()
      .decorated()
      .describe(
        'The door has since moved to another building: it is not on this floor any more. It counts again when it ' +
          'comes back.',
        false,
      ),
  },
  search: [],
  searchThrough: ['access_point_id'],
  // A door that was moved to another building is not told of where only this one is seen.
  place: (
    places,
  ) => sql`exists (select 1 from floor_plans pf where pf.org = :org and pf.id = ${raw(places.row)}.floor_plan_id
      and ${places.inBuildings('pf.building_id')}) and ${doorStandsThere(places, `${places.row}.access_point_id`)}`,
})

export type FloorPlanPosition = RowOf<typeof floorPlanPositions.fields>
