import { Fragment } from 'react'
import { useWords } from '../../i18n/language.tsx'
import { liveWords, noteOf } from '../../i18n/live-words.ts'
import { permissionWords } from '../../i18n/permission-words.ts'
import { areNamed } from '../../resource/inputs/named-day.ts'
import { SettingsList } from '../../resource/inputs/settings-input.tsx'
import { isWindows } from '../../resource/inputs/week.ts'
import { Reference } from '../../resource/reference.tsx'
import { type Noun, type Resource, resources } from '../../resource/resources.ts'
import { Nothing, Value } from '../../resource/shown/value.tsx'
import { isRecord } from '../../typed.ts'
import { Days, Windows } from '../shown-times.tsx'
import { auditWords, recordedLabel } from './audit-fields.ts'

/** What the log refers to and no form does. */
const targets: Partial<Record<string, Noun>> = {
  access_grant_id: 'access-grants',
  cylinder_id: 'cylinders',
  requester_id: 'users',
}

type Part = Record<string, unknown>

/** A recorded value in words. What an entry does not hold was not recorded: nobody is told that they may not see it. */
export function RecordedValue({ field, value, resource }: { field: string; value: unknown; resource: Resource }) {
  const t = useWords()
  const words = auditWords(t)
  if (value === undefined || value === null || value === '') return <Nothing />
  if ((field === 'windows' || field === 'holiday_windows') && isWindows(value)) return <Windows windows={value} />
  if (field === 'days' && areNamed(value)) return <Days days={value} />
  if (field === 'settings' && isRecord(value)) return <SettingsList value={value} />
  if (field === 'reason' && typeof value === 'string' && words.reasons[value] !== undefined) return words.reasons[value]
  if (Array.isArray(value)) return <Lines field={field} values={value} resource={resource} />
  if (isRecord(value)) return <Parts of={value} resource={resource} />
  const noun = targets[field]
  if (noun && typeof value === 'string') return <Reference to={resources[noun]} id={value} />
  return <Value field={field} value={value} resource={resource} />
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-/

/** One to a line: what is a list in the API is a list to read. */
function Lines({ field, values, resource }: { field: string; values: readonly unknown[]; resource: Resource }) {
  const t = useWords()
  if (values.length === 0) return <Nothing />
  // Of what is listed by its identifier alone, such as entries, the number says more.
  if (values.every((one) => typeof one === 'string' && UUID.test(one))) return auditWords(t).items(values.length)
  const permissions: Partial<Record<string, string>> = permissionWords(t)
  if (!values.some((one) => typeof one === 'object') && field !== 'permissions') {
    return <Value field={field} value={values} resource={resource} />
  }
  return (
    <ul className="recorded-list">
      {values.map((one) => (
        <li key={JSON.stringify(one)}>
          {field === 'permissions' ? (
            (permissions[String(one)] ?? String(one))
          ) : isNote(one) ? (
            noteOf(liveWords(t), one)
          ) : Array.isArray(one) ? (
            one.join(': ')
          ) : isRecord(one) ? (
            <Joined part={one} resource={resource} />
          ) : (
            <RecordedValue field={field} value={one} resource={resource} />
          )}
        </li>
      ))}
    </ul>
  )
}

const isNote = (value: unknown): value is { code: string; message: string } =>
  isRecord(value) && typeof value.code === 'string' && typeof value.message === 'string'

/** What has no name is told by what it joins. */
function Joined({ part, resource }: { part: Part; resource: Resource }) {
  return Object.entries(part).map(([name, value], index) => (
    <Fragment key={name}>
      {index > 0 && ' · '}
      <RecordedValue field={name} value={value} resource={resource} />
    </Fragment>
  ))
}

function Parts({ of, resource }: { of: Part; resource: Resource }) {
  const t = useWords()
  const entries = Object.entries(of)
  if (entries.length === 0) return <Nothing />
  return (
    <dl className="settings-list">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt className="setting-label">{recordedLabel(t, undefined, name)}</dt>
          <dd className="setting-text">
            <RecordedValue field={name} value={value} resource={resource} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
