import { Drawer } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useMe } from '../../api/me.ts'
import { type Change, type Item, itemOptions, useChange } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import type { AnyView } from '../define-view.ts'
import { ConfirmDialog, DiscardDialog, ResultDialog } from '../dialog.tsx'
import { hasImpact, ImpactText, impactOf } from '../impact.tsx'
import { useOwnPlace } from '../own-places.ts'
import { type BodyName, labelOf, pathTo } from '../resources.ts'
import { BodyForm } from './body-form.tsx'
import { useConflict } from './conflict.tsx'
import { dropDraft, readDraft } from './draft.ts'
import { fieldOf, type Values } from './form-values.ts'

export interface FormDrawerProps {
  view: AnyView
  /** Where its items are. */
  api: string
  /** The item to change; none: a new one is made. */
  item?: Item
  etag?: string | undefined
  initial?: Values
  /** Whoever adds to a list stays there; without it a new item's page is opened. */
  onCreated?: (item: Item) => void
  onClose(): void
}

/** What is asked before it is saved. */
interface Asked {
  title: string
  text?: string
  content?: ReactNode
  isDangerous: boolean
}

const nothing: Values = {}

/** Escape in a question above the form answers the question; every open dialog hears it. */
const isOnTop = (): boolean => document.querySelectorAll('[role="dialog"]').length === 1

/** Creates or changes an item of any resource. */
export function FormDrawer({
  view,
  api,
  item: current,
  etag: currentTag,
  initial = nothing,
  onCreated,
  onClose,
}: FormDrawerProps) {
  const t = useWords()
  const { id: person } = useMe()
  // As it was when the form opened: what is read again meanwhile must not pass for what this person has changed.
  const [{ item, etag }] = useState({ item: current, etag: currentTag })
  const { timeZone } = useFormat()
  const [usual] = useState(() => (typeof view.initial === 'function' ? view.initial(timeZone) : view.initial))
  const place = useOwnPlace(view, initial)
  const client = useQueryClient()
  const navigate = useNavigate()
  const change = useChange()
  // Whoever logs in next in this tab is offered nothing of it.
  const draft = `${person}/${api}/${item?.id ?? 'new'}`
  const [isDirty, setDirty] = useState(() => readDraft(draft) !== undefined)
  const [isAsking, setAsking] = useState(false)
  const conflict = useConflict()
  const [result, setResult] = useState<{ content: ReactNode; path: string | undefined }>()
  const [question, setQuestion] = useState<Asked & { answer(isYes: boolean): void }>()
  const confirm = (asked: Asked) =>
    new Promise<boolean>((resolve) => {
      const answer = (isYes: boolean) => {
        setQuestion(undefined)
        resolve(isYes)
      }
      setQuestion({ ...asked, answer })
    })
  /** What is refused is refused now, at its field; what would change nothing for anybody is not asked about twice. */
  const confirmImpact = async (change: Change): Promise<boolean> => {
    if (!view.showsImpact) return true
    const impact = await impactOf(change)
    if (change.method === 'PATCH' && impact && !hasImpact(impact)) return true
    return confirm({ title: t.opening.impactTitle, isDangerous: false, content: <ImpactText impact={impact} /> })
  }
  const { one } = t.resources[view.resource.noun]
  const body = item ? view.resource.patch : view.resource.create
  if (body === undefined || view.form === undefined) return null

  const discard = () => {
    dropDraft(draft)
    onClose()
  }
  const leave = () => (isDirty ? setAsking(true) : discard())
  const close = async (path: string | undefined) => {
    onClose()
    if (path) await navigate({ to: path })
  }
  const saved = (message: string) => notifications.show({ message, color: 'green' })

  const submit = async (values: Values) => {
    if (!item) {
      const asked = view.confirmation?.(t, values)
      if (asked && !(await confirm({ ...asked, isDangerous: true }))) return
      const whole = { ...values, ...hidden(initial, view, values, body) }
      const bodies = view.expand ? await view.expand(whole) : [whole]
      const made: Change =
        bodies.length === 1
          ? { method: 'POST', path: api, body: bodies[0] }
          : {
              method: 'POST',
              path: `${api}/batch`,
              body: { atomic: true, operations: bodies.map((one) => ({ op: 'create', body: one })) },
            }
      if (!(await confirmImpact(made))) return
      const answer = await change.mutateAsync(made)
      if (bodies.length > 1) {
        saved(t.form.createdMany(bodies.length, t.resources[view.resource.noun].many))
        return close(onCreated ? undefined : view.resource.path)
      }
      saved(view.createdNote?.(t, answer.data) ?? t.form.created(one, labelOf(view.resource, answer.data)))
      const path = onCreated ? undefined : view.detail && pathTo(view.resource, answer.data.id)
      const content = view.created?.(answer)
      if (content !== undefined) return setResult({ content, path })
      onCreated?.(answer.data)
      return close(path)
    }
    if (Object.keys(values).length === 0) return onClose()
    const path = `${api}/${item.id}`
    if (!(await confirmImpact({ method: 'PATCH', path, body: values }))) return
    const answer = await conflict.save(
      (tag) => change.mutateAsync({ method: 'PATCH', path, body: values, etag: tag }),
      etag,
    )
    if (answer) saved(t.form.saved(one, labelOf(view.resource, answer.data)))
    else await client.invalidateQueries({ queryKey: itemOptions(api, item.id).queryKey })
    onClose()
  }

  if (result !== undefined) {
    return (
      <ResultDialog
        title={view.createdTitle?.(t) ?? t.form.create(one)}
        isSecret
        onClose={() => void close(result.path)}
      >
        {result.content}
      </ResultDialog>
    )
  }
  return (
    <>
      <Drawer
        opened
        onClose={() => isOnTop() && leave()}
        position="right"
        size={520}
        title={item ? t.form.edit(one) : ((view.createTitle ?? view.createLabel)?.(t) ?? t.form.create(one))}
        closeButtonProps={{ 'aria-label': t.words.close }}
        className="form-drawer"
      >
        <BodyForm
          view={view}
          body={body}
          sections={view.form}
          item={item ?? { ...place, ...usual, ...initial }}
          isEdit={item !== undefined}
          submitLabel={item ? t.form.saveButton : (view.createLabel?.(t) ?? t.form.createButton)}
          draft={draft}
          onSubmit={submit}
          onCancel={leave}
          onDirty={setDirty}
        />
      </Drawer>
      {isAsking && <DiscardDialog onDiscard={discard} onClose={() => setAsking(false)} />}
      {conflict.dialog}
      {question && (
        <ConfirmDialog
          title={question.title}
          text={question.text}
          confirm={item ? t.form.saveButton : (view.createLabel?.(t) ?? t.form.createButton)}
          isDangerous={question.isDangerous}
          onConfirm={() => question.answer(true)}
          onClose={() => question.answer(false)}
        >
          {question.content}
        </ConfirmDialog>
      )}
    </>
  )
}

/**
 * What a new item starts with and the form does not ask for, such as whose role it is; what is derived cannot be given.
 */
function hidden(initial: Values, view: AnyView, values: Values, body: BodyName): Values {
  const defs =
    view.form?.flatMap(({ fields }) => fields.map((def) => (typeof def === 'string' ? { field: def } : def))) ?? []
  const asked = new Set(
    defs.filter(({ when }) => when?.({ ...initial, ...values }, initial) ?? true).map(({ field }) => field),
  )
  return Object.fromEntries(
    Object.entries(initial).filter(
      ([name]) => !asked.has(name) && !(name in values) && fieldOf(body, name) !== undefined,
    ),
  )
}
