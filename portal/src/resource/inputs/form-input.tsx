import { MultiSelect, NumberInput, Select, Switch, TagsInput, Textarea, TextInput } from '@mantine/core'
import type { ListQuery } from '../../api/queries.ts'
import { secondsIn } from '../../i18n/duration.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { PasswordField } from '../../shell/password-field.tsx'
import { isRecord, isTexts } from '../../typed.ts'
import { DateField } from '../dates/date-field.tsx'
import { DurationField } from '../dates/duration-field.tsx'
import { MomentField } from '../dates/moment-field.tsx'
import type { FormField } from '../forms/form-values.ts'
import { type Resource, targetOf } from '../resources.ts'
import { wordFor } from '../shown/status-badge.tsx'
import { CardNumberInput } from './card-number-input.tsx'
import { DaysInput } from './days-input.tsx'
import { areNamed } from './named-day.ts'
import { PermissionsInput } from './permissions-input.tsx'
import { ReferenceInput } from './reference-input.tsx'
import { ReferencesField } from './references-input.tsx'
import { SettingsInput } from './settings-input.tsx'
import { isWindows } from './week.ts'
import { WindowsInput } from './windows-input.tsx'

/** What ends on a day ends with it. */
const endings = /_until$|^expires_at$/

/** What is referred to by those alone who may change it; people and groups by whoever sees them. */
const mustBeOwn: ReadonlySet<string> = new Set(['locking-system', 'key-types', 'access-control-systems'])

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')]

interface FormInputProps {
  field: FormField
  label: string
  resource: Resource
  value: unknown
  /** Of a reference: which items are offered. */
  among?: ListQuery | undefined
  error: string | undefined
  onChange(value: unknown): void
  /** Several fields at once. */
  onValues(values: Record<string, unknown>): void
  autoFocus: boolean
}

/** The input that a field asks for. */
export function FormInput({
  field,
  label,
  resource,
  value,
  among,
  error,
  onChange,
  onValues,
  autoFocus,
}: FormInputProps) {
  const t = useWords()
  const format = useFormat()
  const hint = field.hint?.(t, value, format)
  const common = {
    label,
    name: field.field,
    error,
    required: field.body.required ?? false,
    withAsterisk: field.body.required ?? false,
    ...(hint === undefined ? {} : { description: hint }),
    ...(autoFocus ? { 'data-autofocus': true } : {}),
  }
  const text = String(value ?? '')
  const texts = isTexts(value) ? value : []
  const chosen = typeof value === 'string' ? value : null
  const figure = typeof value === 'number' || typeof value === 'string' ? value : ''
  const wordOf = (one: string) =>
    field.choices?.label(t, one) ?? field.valueLabel?.(t, one) ?? wordFor(t.values, field.field, one)
  const words = (values: readonly string[]) => values.map((one) => ({ value: one, label: wordOf(one) }))
  const onText = ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value)
  switch (field.kind) {
    case 'prose':
      return <Textarea {...common} value={text} onChange={onText} autosize minRows={2} maxRows={8} />
    case 'password':
      return <PasswordField {...common} value={text} onChange={onText} autoComplete="new-password" />
    case 'number': {
      const unit = secondsIn(field.field)
      if (unit > 0) return <DurationField {...common} unit={unit} value={figure} onChange={onChange} />
      return (
        <NumberInput
          {...common}
          value={figure}
          onChange={onChange}
          allowDecimal={!field.body.whole}
          {...(field.body.min === undefined || field.body.min <= -1e9 ? {} : { min: field.body.min })}
          {...(field.body.max === undefined || field.body.max >= 1e9 ? {} : { max: field.body.max })}
        />
      )
    }
    case 'switch': {
      const { withAsterisk: _, required: __, ...rest } = common
      return (
        <Switch
          {...rest}
          checked={value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
          className="form-switch"
        />
      )
    }
    case 'select':
      return (
        <Select
          {...common}
          data={words(field.values)}
          value={chosen}
          onChange={onChange}
          placeholder={t.form.choose}
          allowDeselect={field.body.nullable ?? false}
          clearable={field.body.nullable ?? false}
        />
      )
    case 'zone':
      return (
        <Select
          {...common}
          data={zones.includes(text) || text === '' ? zones : [text, ...zones]}
          value={text === '' ? null : text}
          onChange={(zone) => onChange(zone ?? '')}
          placeholder={t.form.typeToSearch}
          searchable
          limit={50}
          allowDeselect={field.body.nullable ?? false}
          clearable={field.body.nullable ?? false}
          nothingFoundMessage={t.form.nothingFound}
        />
      )
    case 'multi':
      return <MultiSelect {...common} data={words(field.values)} value={texts} onChange={onChange} searchable />
    case 'tags':
      return (
        <TagsInput
          {...common}
          value={texts}
          onChange={onChange}
          placeholder={t.form.addWithEnter}
          splitChars={[',', ' ', ';']}
        />
      )
    case 'permissions':
      return <PermissionsInput label={label} description={hint} error={error} value={texts} onChange={onChange} />
    case 'reference': {
      const to = targetOf(field.field, resource)
      if (!to) throw new Error(`what does ${field.field} refer to?`)
      return (
        <ReferenceInput
          {...common}
          to={to}
          among={among}
          isOwn={field.isOwn ?? mustBeOwn.has(to.noun)}
          clearable={field.body.nullable ?? false}
          value={chosen}
          onChange={onChange}
        />
      )
    }
    case 'references': {
      const target = targetOf(field.field, resource)
      if (!target) return null
      return <ReferencesField {...common} to={target} among={among} value={texts} onChange={onChange} />
    }
    case 'card_number':
      return (
        <CardNumberInput {...common} value={text} onChange={onChange} onValues={onValues} maxLength={field.body.max} />
      )
    case 'windows':
    case 'holiday_windows':
      return (
        <WindowsInput
          label={label}
          description={hint}
          error={error}
          hasDays={field.kind === 'windows'}
          value={isWindows(value) ? value : []}
          onChange={onChange}
        />
      )
    case 'days':
      return <DaysInput label={label} error={error} value={areNamed(value) ? value : []} onChange={onChange} />
    case 'json':
      return (
        <SettingsInput
          label={label}
          description={hint}
          error={error}
          value={isRecord(value) ? value : {}}
          onChange={onChange}
        />
      )
    case 'date':
      return <DateField {...common} value={text} onChange={onChange} />
    case 'timestamp':
      return (
        <MomentField
          {...common}
          value={text}
          onChange={onChange}
          isEnd={endings.test(field.field)}
          description={hint ?? t.time.zone(format.timeZone)}
        />
      )
    default:
      return <TextInput {...common} value={text} onChange={onText} maxLength={field.body.max} autoComplete="off" />
  }
}
