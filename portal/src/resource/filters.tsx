import { Button, CloseButton, Group, MultiSelect, Popover, Select, Stack, TextInput } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { useMay } from '../api/me.ts'
import { useFormat } from '../i18n/format.ts'
import { useWords } from '../i18n/language.tsx'
import { fieldLabel } from './columns.ts'
import type { AnyView, FilterDef } from './define-view.ts'
import type { ListState } from './list-state.ts'
import { Reference } from './reference.tsx'
import { ReferenceInput } from './reference-input.tsx'
import { type Resource, resources, targetOf } from './resources.ts'
import { wordFor } from './status-badge.tsx'

const targetFor = (view: AnyView, { to, field }: FilterDef): Resource => {
  const target = to ? resources[to] : targetOf(field, view.resource)
  if (!target) throw new Error(`what does the filter ${field} refer to?`)
  return target
}

const listOf = (text: string | undefined): string[] =>
  /^in\.\((.*)\)$/
    .exec(text ?? '')?.[1]
    ?.split(',')
    .filter(Boolean) ?? []

const DAY_MS = 86_400_000
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** A period is two filters on one field: from this day on, and before the day after that one. */
const fromOf = (value: string | undefined): string => /gte\.(\S+)/.exec(value ?? '')?.[1] ?? ''
const untilOf = (value: string | undefined): string => {
  const end = /lt\.(\S+)/.exec(value ?? '')?.[1]
  return end === undefined ? '' : dayOf(Date.parse(end) - DAY_MS)
}
const periodOf = (from: string, until: string): string | undefined =>
  [from && `gte.${from}`, until && `lt.${dayOf(Date.parse(until) + DAY_MS)}`].filter(Boolean).join(' ') || undefined

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
          placeholder={listOf(value).length === 0 ? t.list.any : ''}
          data={(filter.values ?? []).map((one) => ({ value: one, label: wordFor(t.values, filter.field, one) }))}
          value={listOf(value)}
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
          value={bare ? (value ?? null) : (value?.replace(/^eq\./, '') ?? null)}
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
    case 'period':
      return (
        <Group gap="xs" grow align="flex-end">
          <TextInput
            type="date"
            label={`${label} ${t.list.from}`}
            value={fromOf(value)}
            onChange={({ currentTarget }) => onChange(periodOf(currentTarget.value, untilOf(value)))}
          />
          <TextInput
            type="date"
            aria-label={`${label} ${t.list.until}`}
            label={t.list.until}
            value={untilOf(value)}
            onChange={({ currentTarget }) => onChange(periodOf(fromOf(value), currentTarget.value))}
          />
        </Group>
      )
    default:
      return (
        <TextInput
          label={label}
          value={value?.replace(/^ilike\.\*|\*$/g, '') ?? ''}
          onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : `ilike.*${currentTarget.value}*`)}
        />
      )
  }
}

export function FilterButton({ view, state, fixed }: { view: AnyView; state: ListState; fixed: object }) {
  const t = useWords()
  const may = useMay()
  const offered = (view.filters ?? []).filter(
    (filter) =>
      filter.kind !== 'identifier' && !(filter.field in fixed) && (filter.kind !== 'reference' || may(targetFor(view, filter).read)),
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
            <CloseButton size="xs" aria-label={t.list.removeFilter(label)} onClick={() => state.set({ [filter.field]: undefined })} />
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
      return listOf(value)
        .map((one) => wordFor(t.values, filter.field, one))
        .join(', ')
    case 'reference':
      return <Reference to={targetFor(view, filter)} id={value.replace(/^eq\./, '')} isPlain />
    case 'boolean':
      return value === 'is.true' ? t.words.yes : t.words.no
    case 'period':
      return [
        fromOf(value) && `${t.list.from} ${format.date(fromOf(value))}`,
        untilOf(value) && `${t.list.until} ${format.date(untilOf(value))}`,
      ]
        .filter(Boolean)
        .join(' ')
    case 'identifier':
      return value.replace(/^eq\./, '').slice(0, 8)
    default:
      return value.replace(/^ilike\.\*|\*$/g, '')
  }
}
