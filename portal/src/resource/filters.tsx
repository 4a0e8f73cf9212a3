import { Button, CloseButton, Group, MultiSelect, Popover, Select, Stack, TextInput } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { useMay } from '../api/me.ts'
import { useFormat } from '../i18n/format.ts'
import { useWords } from '../i18n/language.tsx'
import { fieldLabel } from './columns.ts'
import { DateField } from './dates/date-field.tsx'
import type { AnyView, FilterDef } from './define-view.ts'
import { ReferenceInput } from './inputs/reference-input.tsx'
import type { ListState } from './list-state.ts'
import { Reference } from './reference.tsx'
import { type Resource, targetOf } from './resources.ts'
import { wordFor } from './shown/status-badge.tsx'

const targetFor = (view: AnyView, { field }: FilterDef): Resource => {
  const target = targetOf(field, view.resource)
  if (!target) throw new Error(`what does the filter ${field} refer to?`)
  return target
}

/** The values of `in.(…)`; an address that somebody has written by hand may name a single one. */
export const chosenIn = (text = ''): string[] =>
  (/^in\.\((.*)\)$/.exec(text)?.[1] ?? /^eq\.(.*)$/.exec(text)?.[1] ?? '').split(',').filter(Boolean)

const DAY_MS = 86_400_000
const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

/** A link to what was counted names the instants; whoever chooses a period chooses days. */
function instantsOf(text: string): { from: string | undefined; until: string | undefined } | undefined {
  const [, from] = /gte\.([^,]+T[^,]+)/.exec(text) ?? []
  const [, until] = /lte?\.([^,]+T[^,]+)/.exec(text) ?? []
  return from === undefined && until === undefined ? undefined : { from, until }
}

/** `gte.2026-05-01,lt.2026-06-01`: both ends of a period, days that belong to it. */
function periodOf(text = ''): { from: string; until: string } {
  const [, from = ''] = /gte\.([\d-]{10})/.exec(text) ?? []
  const [, last = ''] = /lte\.([\d-]{10})/.exec(text) ?? []
  const [, after] = /lt\.([\d-]{10})/.exec(text) ?? []
  return { from, until: after === undefined ? last : dayAfter(after, -1) }
}

/** A day ends before the next one begins; what is a day itself needs no such care. */
function periodText(field: string, from: string, until: string): string | undefined {
  const end = until && (field.endsWith('_on') ? `lte.${until}` : `lt.${dayAfter(until, 1)}`)
  return [from && `gte.${from}`, end].filter(Boolean).join(',') || undefined
}

interface FilterProps {
  view: AnyView
  filter: FilterDef
  value: string | undefined
  onChange(value: string | undefined): void
}

/** One filter's control. Its value is the text of the API's grammar. */
function FilterInput({ view, filter, value, onChange }: FilterProps) {
  const t = useWords()
  const label = filter.label?.(t) ?? fieldLabel(view, t, filter.field)
  switch (filter.kind) {
    case 'values':
      return (
        <MultiSelect
          label={label}
          placeholder={chosenIn(value).length === 0 ? t.list.any : ''}
          data={(filter.values ?? []).map((one) => ({ value: one, label: wordFor(t.values, filter.field, one) }))}
          value={chosenIn(value)}
          onChange={(chosen) => onChange(chosen.length === 0 ? undefined : `in.(${chosen.join(',')})`)}
          comboboxProps={{ withinPortal: false }}
          clearable
        />
      )
    case 'reference': {
      const bare = view.resource.isBare
      return (
        <ReferenceInput
          label={label}
          placeholder={t.list.any}
          to={targetFor(view, filter)}
          value={bare ? (value ?? null) : (/^eq\.(.+)/.exec(value ?? '')?.[1] ?? null)}
          onChange={(id) => onChange(id === null ? undefined : bare ? id : `eq.${id}`)}
          comboboxProps={{ withinPortal: false }}
        />
      )
    }
    case 'boolean':
      return (
        <Select
          label={label}
          placeholder={t.list.any}
          data={[
            { value: 'is.true', label: t.words.yes },
            { value: 'is.false', label: t.words.no },
          ]}
          value={value ?? null}
          onChange={(chosen) => onChange(chosen ?? undefined)}
          comboboxProps={{ withinPortal: false }}
          clearable
        />
      )
    case 'period': {
      const { from, until } = periodOf(value)
      return (
        <Group gap="xs" grow>
          <DateField
            label={`${label} ${t.list.from}`}
            value={from}
            onChange={(day) => onChange(periodText(filter.field, day, until))}
          />
          <DateField
            label={`${label} ${t.list.until}`}
            value={until}
            onChange={(day) => onChange(periodText(filter.field, from, day))}
          />
        </Group>
      )
    }
    default:
      return (
        <TextInput
          label={label}
          value={value?.replace(/^ilike\.\*|\*$/g, '') ?? ''}
          onChange={({ currentTarget }) =>
            onChange(currentTarget.value === '' ? undefined : `ilike.*${currentTarget.value}*`)
          }
        />
      )
  }
}

export function FilterButton({ view, state, fixed }: { view: AnyView; state: ListState; fixed: object }) {
  const t = useWords()
  const may = useMay()
  const offered = (view.filters ?? []).filter(
    (filter) =>
      filter.kind !== 'identifier' &&
      !(filter.field in fixed) &&
      (filter.kind !== 'reference' || may(targetFor(view, filter).read)),
  )
  const count = Object.keys(state.filters).length
  if (offered.length === 0) return null
  return (
    <Popover width={320} position="bottom-start" trapFocus withRoles shadow="md">
      <Popover.Target>
        <Button variant="default" leftSection={<IconFilter size={15} aria-hidden />}>
          {t.list.filter}
          {count > 0 && ` (${count})`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t.list.filter}>
        <Stack gap="sm">
          {offered.map((filter) => (
            <FilterInput
              key={filter.field}
              view={view}
              filter={filter}
              value={state.filters[filter.field]}
              onChange={(value) => state.set({ [filter.field]: value }, { isTyping: true })}
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

/** The filters in force, each to be taken away. */
export function FilterPills({ view, state }: { view: AnyView; state: ListState }) {
  const t = useWords()
  const active = (view.filters ?? []).filter(({ field }) => field in state.filters)
  if (active.length === 0) return null
  return (
    <Group gap={6}>
      {active.map((filter) => {
        const label = filter.label?.(t) ?? fieldLabel(view, t, filter.field)
        return (
          <span key={filter.field} className="filter-pill">
            <span className="filter-pill-label">{label}</span>
            <FilterText view={view} filter={filter} value={state.filters[filter.field] ?? ''} />
            <CloseButton
              size="xs"
              aria-label={t.list.removeFilter(label)}
              onClick={() => state.set({ [filter.field]: undefined })}
            />
          </span>
        )
      })}
      <Button
        variant="subtle"
        color="gray"
        size="compact-xs"
        onClick={() => state.set(Object.fromEntries(active.map(({ field }) => [field, undefined])))}
      >
        {t.list.clearFilters}
      </Button>
    </Group>
  )
}

function FilterText({ view, filter, value }: { view: AnyView; filter: FilterDef; value: string }) {
  const t = useWords()
  const format = useFormat()
  switch (filter.kind) {
    case 'values':
      if (value === 'is.null') return filter.none?.(t)
      return chosenIn(value)
        .map((one) => wordFor(t.values, filter.field, one))
        .join(', ')
    case 'reference':
      return chosenIn(value).map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Reference to={targetFor(view, filter)} id={id} isPlain />
        </span>
      ))
    case 'boolean':
      return value === 'is.true' ? t.words.yes : t.words.no
    case 'period': {
      const instants = instantsOf(value)
      const { from, until } = instants ?? periodOf(value)
      const said = instants ? format.moment : format.date
      return [from && `${t.list.from} ${said(from)}`, until && `${t.list.until} ${said(until)}`]
        .filter(Boolean)
        .join(' ')
    }
    case 'identifier':
      return value.replace(/^eq\./, '').slice(0, 8)
    default:
      return value.replace(/^ilike\.\*|\*$/g, '')
  }
}
