import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import type {
  Entrant,
  OpenableAccessPoint,
  OpenableAccessPointChange,
  Opener,
  OpenerChange,
} from '../api/generated/types.ts'
import { useMay } from '../api/me.ts'
import type { ListMeta } from '../api/queries.ts'
import { useWords } from '../i18n/language.tsx'
import { type ColumnDef, defineView, type FilterDef } from '../resource/define-view.ts'
import { pathTo, type Resource, resources } from '../resource/resources.ts'
import { ToneBadge, wordFor } from '../resource/shown/status-badge.tsx'
import { Nothing } from '../resource/shown/value.tsx'
import { LostKeys } from './lost-keys.tsx'
import { Verdict } from './why.tsx'

type Row = Opener | Entrant | OpenableAccessPoint

function ItemLink({ to, id, name }: { to: Resource; id: string | null; name: string }) {
  const may = useMay()
  if (id === null || !may(to.read)) return name
  return (
    <Anchor inherit renderRoot={(props) => <Link to={pathTo(to, id) ?? '/'} {...props} />}>
      {name}
    </Anchor>
  )
}

/** What a name begins with, which the service says in English: the kind is said in the reader's language. */
const nouns: Partial<Record<string, string>> = {
  card: 'Card',
  pin: 'PIN',
  mobile: 'Mobile key',
  transponder: 'Transponder',
  qr: 'QR code',
  plate: 'Number plate',
  biometric: 'Biometric template',
}

/** What works there, by kind: "Card 4711, key GHS · 2". What may not be seen is told by its kind. */
function Means({ means }: { means: Row['means'] }) {
  const t = useWords()
  if (means.length === 0) return <Nothing />
  const words = means.map(({ type, name }) => {
    const kind = type === 'key' ? t.values.means.key : wordFor(t.values, 'type', type)
    const noun = nouns[type]
    const mark = noun && name?.startsWith(noun) ? name.slice(noun.length).trim() : name
    return mark ? `${kind} ${mark}` : kind
  })
  // Each in one piece: a number in the line below its kind reads like something else.
  return (
    <span>
      {[...new Set(words)].map((word, index) => (
        <Fragment key={word}>
          {index > 0 && ', '}
          <span className="nowrap">{word}</span>
        </Fragment>
      ))}
    </span>
  )
}

/** To whom and where it was given; the way down from there to the door is the same in every row. */
function Through({ path }: { path: Row['path'] }) {
  const t = useWords()
  if (path === null) return <span className="dimmed">{t.opening.unseen}</span>
  if (path.length === 0) return <Nothing />
  if (path.some(({ type }) => type === 'key')) return t.values.means.key
  const group = path.find(({ type }) => type === 'access_group')
  const place = path.find(({ type }) => type !== 'individual' && type !== 'access_group')
  return [group?.name ?? t.people.personally, place?.name].filter(Boolean).join(' → ')
}

const judged = [
  { key: 'verdict', title: (t) => t.opening.answer, render: (row) => <Verdict row={row} /> },
  { key: 'by', title: (t) => t.fields.means, render: ({ means }) => <Means means={means} /> },
  { key: 'through', title: (t) => t.people.through, render: ({ path }) => <Through path={path} /> },
] satisfies ReadonlyArray<ColumnDef<Row>>

const filters: readonly FilterDef[] = [{ field: 'allowed', kind: 'boolean' }]
const kinds = ['employee', 'contractor', 'tenant', 'visitor', 'service']

const person = {
  field: 'display_name',
  render: ({ individual_id: id, display_name: name }) => <ItemLink to={resources.individuals} id={id} name={name} />,
} satisfies ColumnDef<Opener | OpenerChange>

const door = {
  field: 'name',
  render: ({ access_point_id: id, name }) => <ItemLink to={resources['access-points']} id={id} name={name} />,
} satisfies ColumnDef<OpenableAccessPoint | OpenableAccessPointChange>

const people = {
  columns: [person, ...judged, { field: 'kind', isExtra: true, isUnsortable: true }],
  order: 'display_name.asc',
  filters: [...filters, { field: 'kind', kind: 'values', values: kinds }],
  note: ({ meta }: { meta: ListMeta }) => <LostKeys meta={meta} />,
} satisfies Omit<Parameters<typeof defineView<Opener>>[0], 'resource'>

export const whoCanOpen = defineView<Opener>({ resource: resources['who-can-open'], ...people })
export const whoCanEnter = defineView<Opener>({ resource: resources['who-can-enter'], ...people })

export const canOpen = defineView<OpenableAccessPoint>({
  resource: resources['can-open'],
  columns: [door, 'label', { field: 'place', isUnsortable: true }, ...judged],
  order: 'name.asc',
  filters,
})

type Change = OpenerChange | OpenableAccessPointChange

/** Whether a right came or went. */
function Came({ change }: { change: Change['change'] }) {
  const t = useWords()
  return <ToneBadge tone={change === 'gained' ? 'info' : 'over'}>{wordFor(t.values, 'change', change)}</ToneBadge>
}

/** The answer at one of two moments. */
function Answered({ isAllowed, reason }: { isAllowed: boolean; reason: string }) {
  const t = useWords()
  return <ToneBadge tone={isAllowed ? 'good' : 'bad'}>{wordFor(t.values, 'reason', reason)}</ToneBadge>
}

const compared = [
  { field: 'change', render: ({ change }) => <Came change={change} /> },
  {
    key: 'before',
    title: (t) => t.opening.before,
    render: ({ allowed_before: isAllowed, reason_before: reason }) => (
      <Answered isAllowed={isAllowed} reason={reason} />
    ),
  },
  {
    key: 'after',
    title: (t) => t.opening.after,
    render: ({ allowed_after: isAllowed, reason_after: reason }) => <Answered isAllowed={isAllowed} reason={reason} />,
  },
] satisfies ReadonlyArray<ColumnDef<Change>>

const comparedFilters: readonly FilterDef[] = [{ field: 'change', kind: 'values', values: ['gained', 'lost'] }]

const comparedPeople = {
  columns: [person, ...compared, { field: 'kind', isExtra: true }],
  order: 'display_name.asc',
  filters: comparedFilters,
} satisfies Omit<Parameters<typeof defineView<OpenerChange>>[0], 'resource'>

export const whoCanOpenChanges = defineView<OpenerChange>({
  resource: resources['who-can-open-changes'],
  ...comparedPeople,
})
export const whoCanEnterChanges = defineView<OpenerChange>({
  resource: resources['who-can-enter-changes'],
  ...comparedPeople,
})

export const canOpenChanges = defineView<OpenableAccessPointChange>({
  resource: resources['can-open-changes'],
  columns: [door, 'label', { field: 'place', isUnsortable: true }, ...compared],
  order: 'name.asc',
  filters: comparedFilters,
})
