import { useKeyNames } from '../../access/key-names.ts'
import type { Key } from '../../api/generated/types.ts'
import { useMe } from '../../api/me.ts'
import { deskWords } from '../../i18n/desk-words.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { useReferenced } from '../../resource/reference.tsx'
import { resources } from '../../resource/resources.ts'
import { textIn } from '../../typed.ts'

/** A page for each person who has not brought back their keys. */
export function OverdueLetter({ holderId, keys }: { holderId: string; keys: readonly Key[] }) {
  const t = useWords()
  const format = useFormat()
  const { organization } = useMe()
  const person = useReferenced(resources.individuals, holderId).data
  const name = textIn(person, 'display_name') ?? t.resources.individuals.one
  const nameOf = useKeyNames(keys)
  const lines = keys.map((key) => `${t.resources.keys.one} ${nameOf(key)}: ${format.date(key.due_back_on ?? '')}`)
  return (
    <article className="letter">
      <p>
        {organization.name}
        <br />
        {format.date(format.today())}
      </p>
      <p>
        {name}
        <br />
        {[textIn(person, 'department'), textIn(person, 'company')].filter(Boolean).join(', ')}
      </p>
      <h1>{deskWords(t).reminderSubject}</h1>
      <p className="letter-text">{deskWords(t).reminder(name, lines.join('\n'), organization.name)}</p>
    </article>
  )
}
