import { Anchor, Badge, Group } from '@mantine/core'
import { IconCheck, IconMinus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { secondsIn } from '../../i18n/duration.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { Located } from '../located.tsx'
import { Reference, Unseen } from '../reference.tsx'
import { mayBeUnseen, type Resource, targetOf } from '../resources.ts'
import { Breakable } from './breakable.tsx'
import { StatusBadge, wordFor } from './status-badge.tsx'

const badges = new Set([
  'status',
  'status_type',
  'effect',
  'connectivity',
  'lock_state',
  'mode',
  'position',
  'outcome',
  'result',
  'verdict',
  'state',
  'decision',
])
const codes = new Set([
  'slug',
  'label',
  'number',
  'code',
  'req_id',
  'external_id',
  'last_four',
  'facility_code',
  'personnel_number',
  'action',
])

/** What has no value: a dash to see, a word to hear. */
export function Nothing({ word }: { word?: string }) {
  const t = useWords()
  return (
    <span className="nothing dimmed">
      <span aria-hidden>—</span>
      <span className="visually-hidden">{word ?? t.words.none}</span>
    </span>
  )
}

function Never() {
  const t = useWords()
  return <span className="dimmed">{t.time.never}</span>
}

/** Rather after `@` than anywhere else. */
function Email({ address }: { address: string }) {
  const at = address.lastIndexOf('@') + 1
  return (
    <>
      <Breakable text={address.slice(0, at)} />
      <wbr />
      <span className="email-domain">
        <Breakable text={address.slice(at)} />
      </span>
    </>
  )
}

export function Moment({ at, isRelative = false }: { at: string; isRelative?: boolean }) {
  const format = useFormat()
  return (
    <time dateTime={at} title={isRelative ? format.moment(at) : format.relative(at)}>
      {isRelative ? format.relative(at) : format.moment(at)}
    </time>
  )
}

export function YesNo({ value }: { value: boolean }) {
  const t = useWords()
  return (
    <span className={value ? 'yes-no' : 'yes-no dimmed'}>
      {value ? <IconCheck size={14} aria-hidden /> : <IconMinus size={14} aria-hidden />}
      {value ? t.words.yes : t.words.no}
    </span>
  )
}

interface ValueProps {
  field: string
  value: unknown
  resource: Resource
  /** Without links of its own. */
  isPlain?: boolean
}

/** Any value of the API as its field and type ask for, the same in tables and on detail pages. */
export function Value({ field, value, resource, isPlain = false }: ValueProps): ReactNode {
  const t = useWords()
  const format = useFormat()
  if (value === undefined && mayBeUnseen(resource)) return <Unseen />
  if (value === null || value === undefined || value === '') {
    return /^last_.*_at$/.test(field) ? <Never /> : <Nothing />
  }
  if (typeof value === 'boolean') return <YesNo value={value} />
  if (typeof value === 'number') {
    const unit = secondsIn(field)
    return (
      <span className="number">
        {unit ? format.duration(value * unit) : field === 'version' ? value : format.number(value)}
      </span>
    )
  }
  if (Array.isArray(value))
    return value.length === 0 ? (
      <Nothing />
    ) : (
      <Many values={field in t.values ? value.map((one) => wordFor(t.values, field, one)) : value} />
    )
  if (typeof value !== 'string') return <code className="json">{JSON.stringify(value)}</code>
  const target = field.endsWith('_id') ? targetOf(field, resource) : undefined
  // Every campus has a main building, and every locking system a first key.
  if (target?.noun === 'buildings' || target?.noun === 'keys')
    return <Located end={{ resource: target, id: value }} isPlain={isPlain} isKindSaid />
  if (target) return <Reference to={target} id={value} isPlain={isPlain} />
  if (badges.has(field)) return <StatusBadge field={field} value={value} />
  if (field in t.values) return wordFor(t.values, field, value)
  if (field.endsWith('_on') || field === 'last_day') return <span className="number">{format.date(value)}</span>
  if (/_at$|^valid_|_since$/.test(field)) return <Moment at={value} isRelative={field.startsWith('last_')} />
  if (field === 'email')
    return isPlain ? (
      <Email address={value} />
    ) : (
      <Anchor inherit href={`mailto:${value}`}>
        <Email address={value} />
      </Anchor>
    )
  if (field === 'phone' && !isPlain)
    return (
      <Anchor inherit href={`tel:${value.replaceAll(' ', '')}`}>
        {value}
      </Anchor>
    )
  if (codes.has(field))
    return (
      <span className="code">
        <Breakable text={value} />
      </span>
    )
  return <Breakable text={value} />
}

function Many({ values }: { values: unknown[] }) {
  return (
    <Group gap={4}>
      {values.map((value) => (
        <Badge key={String(value)} variant="default" className="one-of-many">
          <Breakable text={typeof value === 'object' ? JSON.stringify(value) : String(value)} />
        </Badge>
      ))}
    </Group>
  )
}
