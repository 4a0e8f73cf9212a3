import { Fragment } from 'react'
import type { Visit } from '../../api/generated/types.ts'
import { useWords } from '../../i18n/language.tsx'
import { Reference } from '../../resource/reference.tsx'
import { type Noun, resources, targetOf } from '../../resource/resources.ts'

/** Where a visitor may go. */
export function VisitPlaces({ visit }: { visit: Visit }) {
  const t = useWords()
  const places = visit.places.flatMap((place) => Object.entries(place))
  return places.map(([field, id], index) => {
    const to = targetOf(field, resources.visits)
    return (
      to && (
        <Fragment key={id}>
          {index > 0 && ', '}
          <Reference to={to} id={id} fallback={t.resources[to.noun as Noun].one} />
        </Fragment>
      )
    )
  })
}
