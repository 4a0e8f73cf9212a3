import { Fragment } from 'react'
import type { Visit } from '../../api/generated/types.ts'
import { Located } from '../../resource/located.tsx'
import { Unseen } from '../../resource/reference.tsx'
import { resources, targetOf } from '../../resource/resources.ts'

/** Where a visitor may go; whoever is expected elsewhere too is shown without where. */
export function VisitPlaces({ visit }: { visit: Visit }) {
  if (!visit.places) return <Unseen />
  const places = visit.places.flatMap((place) => Object.entries(place))
  return places.map(([field, id], index) => {
    const to = targetOf(field, resources.visits)
    return (
      to && (
        <Fragment key={id}>
          {index > 0 && ', '}
          <Located end={{ resource: to, id }} />
        </Fragment>
      )
    )
  })
}
