import { common, oneOf } from '../../core/fields.ts'
import { defineResource } from '../../db/resource.ts'

export const credentials = defineResource({
  noun: 'credentials',
  table: 'credentials',
  singular: 'credential',
  plural: 'credentials',
  description: 'Cards, PINs, phones and whatever else opens an electronic door.',
  fields: {
    ...common,
    status_type: oneOf('pending', 'active', 'suspended', 'expired', 'terminated').derived(
      `case when t.status_reason in ('lost', 'stolen', 'damaged', 'returned', 'revoked') then 'terminated' else 'active' end`,
    ),
  },
  search: [],
})
