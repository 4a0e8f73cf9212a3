import type { Key, KeyReach, RekeyingPlan } from '../../api/generated/types.ts'
import { useMe } from '../../api/me.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { labelOf, resources } from '../../resource/resources.ts'

/** What was lost, what it opens, what it costs: to sign or to send on. */
export function LossLetter({ item, reach, plan }: { item: Key; reach: KeyReach; plan: RekeyingPlan | undefined }) {
  const t = useWords()
  const format = useFormat()
  const { organization } = useMe()
  const name = labelOf(resources.keys, item)
  const doors = (reach.opens.access_points ?? []).map((door) => door.name)
  const cylinders = (plan?.steps ?? []).map(({ number, access_point: door }) => `${number}${door.name === null ? '' : ` (${door.name})`}`)
  const cost = plan?.cost === null || plan?.cost === undefined ? '' : t.desk.cost(format.number(plan.cost))
  return (
    <article className="letter">
      <p>
        {organization.name}
        <br />
        {format.date(format.today())}
      </p>
      <h1>{t.desk.letterTitle(name)}</h1>
      <p>{t.desk.letterLost(name, format.day(item.status_since))}</p>
      {item.status_note && <p>{item.status_note}</p>}
      {doors.length > 0 && <p>{t.desk.letterOpens(doors.join(', '))}</p>}
      {cylinders.length > 0 && <p>{t.desk.letterPlan(cylinders.join(', '), cost)}</p>}
      <p className="letter-sign">{t.desk.letterSign}: ____________________________________________</p>
    </article>
  )
}
