import type { Key, KeyReach, RekeyingPlan } from '../../api/generated/types.ts'
import { useMe } from '../../api/me.ts'
import { deskWords } from '../../i18n/desk-words.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { useReferenced, useReferencedAll } from '../../resource/reference.tsx'
import { labelOf, resources } from '../../resource/resources.ts'

/** What was lost, what it opens, what it costs: to sign or to send on. */
export function LossLetter({ item, reach, plan }: { item: Key; reach: KeyReach; plan: RekeyingPlan | undefined }) {
  const t = useWords()
  const format = useFormat()
  const { organization } = useMe()
  // Other systems have a key of that number too.
  const system = useReferenced(resources['locking-system'], item.locking_system_id).data
  const name = [labelOf(resources.keys, item), system && `(${labelOf(resources['locking-system'], system)})`]
    .filter(Boolean)
    .join(' ')
  const opened = reach.opens.access_points ?? []
  const found = useReferencedAll(
    resources['access-points'],
    opened.map(({ id }) => id),
  )
  // Half of all doors are called the same: what stands on them tells which.
  const called = new Map(
    opened.map((door, index) => [
      door.id,
      found[index] ? labelOf(resources['access-points'], found[index]) : door.name,
    ]),
  )
  const doors = [...called.values()].join(', ')
  const cylinders = (plan?.steps ?? []).map(({ number, access_point: door }) => {
    const where = called.get(door.id ?? '') ?? door.name
    return `${number}${where === null ? '' : ` (${where})`}`
  })
  const cost = plan?.cost === null || plan?.cost === undefined ? '' : deskWords(t).cost(format.number(plan.cost))
  return (
    <article className="letter">
      <p>
        {organization.name}
        <br />
        {format.date(format.today())}
      </p>
      <h1>{deskWords(t).letterTitle(name)}</h1>
      <p>{deskWords(t).letterLost(name, format.day(item.status_since))}</p>
      {item.status_note && <p>{item.status_note}</p>}
      {doors !== '' && (
        <p>
          {deskWords(t).letterOpens(doors)} {reach.opens.limited_to && t.opening.asFarAsSeen}
        </p>
      )}
      {cylinders.length > 0 && <p>{deskWords(t).letterPlan(cylinders.join(', '), cost)}</p>}
      <p className="letter-sign">{deskWords(t).letterSign}: ____________________________________________</p>
    </article>
  )
}
