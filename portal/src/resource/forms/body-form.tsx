import { Alert, Button, Divider, Group, Stack, Text, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconHistory } from '@tabler/icons-react'
import { type FormEvent, useMemo, useState } from 'react'
import { ApiError, type Fault } from '../../api/client.ts'
import { useMay } from '../../api/me.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { ErrorNote } from '../../shell/error-note.tsx'
import { textIn } from '../../typed.ts'
import { fieldLabel } from '../columns.ts'
import type { AnyView, FormSection } from '../define-view.ts'
import { FormInput } from '../inputs/form-input.tsx'
import { type BodyName, targetOf } from '../resources.ts'
import { dropDraft, readDraft, writeDraft } from './draft.ts'
import {
  bodyOf,
  durationFaults,
  type FormField,
  fieldOf,
  fieldsOf,
  missing,
  startOf,
  type Values,
} from './form-values.ts'

interface BodyFormProps {
  view: AnyView
  body: BodyName
  sections: readonly FormSection[]
  /** The item as it is, or what a new one starts with. */
  item: Values
  isEdit: boolean
  submitLabel: string
  isDangerous?: boolean
  /** Names the draft; forms without one keep none. */
  draft?: string
  onSubmit(body: Values): Promise<void>
  onCancel(): void
  onDirty(isDirty: boolean): void
}

/** A form for any body that the API takes: fields from its description, the service's faults at their fields. */
export function BodyForm({
  view,
  body,
  sections,
  item,
  isEdit,
  submitLabel,
  isDangerous,
  draft,
  onSubmit,
  onCancel,
  onDirty,
}: BodyFormProps) {
  const t = useWords()
  const format = useFormat()
  const { timeZone } = format
  const fields = useMemo(() => fieldsOf(body, sections), [body, sections])
  const start = useMemo(() => startOf(fields, item, timeZone), [fields, item, timeZone])
  const [restored, setRestored] = useState(() => (draft === undefined ? undefined : readDraft(draft)))
  const [failure, setFailure] = useState<ApiError>()
  const [isBusy, setBusy] = useState(false)
  const secrets = fields.filter(({ kind }) => kind === 'password' || kind === 'json').map(({ field }) => field)
  const form = useForm<Values>({
    initialValues: { ...start, ...restored },
    onValuesChange(values) {
      // Only what was typed: all else may be newer when the draft is taken up again.
      const typed = Object.entries(values).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(start[name]),
      )
      onDirty(typed.length > 0)
      if (draft === undefined) return
      if (typed.length > 0) writeDraft(draft, Object.fromEntries(typed.filter(([name]) => !secrets.includes(name))))
      else dropDraft(draft)
    },
  })
  const may = useMay()
  // Nobody can choose from what they may not see.
  const canChoose = ({ kind, field, body: { required } }: FormField): boolean =>
    (kind !== 'reference' && kind !== 'references') || required === true || may(targetOf(field, view.resource)?.read)
  const visible = fields.filter(
    (field) => (field.when?.({ ...item, ...form.values }, item) ?? true) && canChoose(field),
  )

  const startOver = () => {
    if (draft !== undefined) dropDraft(draft)
    setRestored(undefined)
    form.setValues(start)
    form.clearErrors()
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setFailure(undefined)
    const lacking = missing(visible, form.values)
    if (lacking.length > 0) {
      form.setErrors(Object.fromEntries(lacking.map((field) => [field, t.form.required])))
      focusOn(lacking[0])
      return
    }
    const odd = durationFaults(visible, form.values)
    if (odd.size > 0) {
      const toldOf = (seconds: number | undefined) => (seconds === undefined ? undefined : format.duration(seconds))
      form.setErrors(
        Object.fromEntries(
          [...odd].map(([name, { least, most }]) => [name, t.time.noDuration(toldOf(least), toldOf(most))]),
        ),
      )
      focusOn([...odd.keys()][0])
      return
    }
    setBusy(true)
    try {
      await onSubmit(bodyOf(visible, form.values, start, timeZone, isEdit))
      if (draft !== undefined) dropDraft(draft)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const placed = error.details.filter(({ path }) => visible.some(({ field }) => field === nameIn(path)))
      form.setErrors(
        Object.fromEntries(placed.map((fault) => [nameIn(fault.path), t.errors.byRule[fault.rule] ?? readable(fault)])),
      )
      if (placed[0]) focusOn(nameIn(placed[0].path))
      // What is told at its field is not told twice.
      if (placed.length === 0 || placed.length < error.details.length) setFailure(error)
    } finally {
      setBusy(false)
    }
  }

  /** The service speaks of fields and instants as programs write them. */
  const readable = ({ path, message }: Fault): string =>
    message
      .replace(path, fieldLabel(view, t, nameIn(path)))
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (instant) => format.moment(instant))

  const [first] = visible
  return (
    <form onSubmit={submit} noValidate className="body-form">
      <Stack gap="md" className="body-form-fields">
        {restored && (
          <Alert icon={<IconHistory size={16} aria-hidden />} color="brand" p="xs">
            <Group justify="space-between" gap="xs">
              <Text size="sm">{t.form.restored}</Text>
              <Button size="compact-xs" variant="subtle" onClick={startOver}>
                {t.form.startOver}
              </Button>
            </Group>
          </Alert>
        )}
        {sections.map((section, index) => {
          const inputs = section.fields
            .map((def) => fieldOf(body, def))
            .filter((field) => field !== undefined && visible.some((one) => one.field === field.field))
          if (inputs.length === 0) return null
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: sections never move
            <Stack key={index} gap="sm">
              {section.title && (
                <>
                  {inputs.every((field) => field?.field !== first?.field) && <Divider />}
                  <Title order={3} size="h5">
                    {section.title(t)}
                  </Title>
                </>
              )}
              {section.text && (
                <Text size="sm" c="dimmed">
                  {section.text(t)}
                </Text>
              )}
              <div className="form-grid">
                {inputs.map((field) =>
                  field === undefined ? null : (
                    <div key={field.field} data-half={field.isHalf || undefined}>
                      <FormInput
                        field={field}
                        label={field.label?.(t) ?? fieldLabel(view, t, field.field)}
                        resource={view.resource}
                        value={form.values[field.field]}
                        among={field.among?.({ ...item, ...form.values })}
                        error={textIn(form.errors, field.field)}
                        onChange={(value) => {
                          form.setValues({ [field.field]: value, ...field.sets?.(value) })
                          form.clearFieldError(field.field)
                        }}
                        onValues={form.setValues}
                        autoFocus={field.field === first?.field}
                      />
                    </div>
                  ),
                )}
              </div>
            </Stack>
          )
        })}
        {failure && <ErrorNote error={failure} title={t.form.unplaced} />}
      </Stack>
      <Group justify="flex-end" gap="xs" className="body-form-buttons">
        <Button variant="default" onClick={onCancel}>
          {t.words.cancel}
        </Button>
        <Button type="submit" loading={isBusy} {...(isDangerous ? { color: 'red' } : {})}>
          {submitLabel}
        </Button>
      </Group>
    </form>
  )
}

/** `addresses.0` and `addresses[0]` are told at `addresses`. */
const nameIn = (path: string): string => path.split(/[.[]/)[0] ?? path

const focusOn = (name: string | undefined): void => {
  if (name !== undefined) setTimeout(() => document.getElementsByName(name)[0]?.focus())
}
