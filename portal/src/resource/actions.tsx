import { ActionIcon, Button, List, Menu, Modal, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { ApiError, call, type Fault } from '../api/client.ts'
import { type May, useMay, useMe } from '../api/me.ts'
import { type Change, type Item, queryClient, useChange } from '../api/queries.ts'
import { useWords } from '../i18n/language.tsx'
import type { Messages } from '../i18n/messages.ts'
import { ErrorNote, useErrorText } from '../shell/error-note.tsx'
import { isKeyOf } from '../typed.ts'
import type { ActionDef, AnyItem, AnyView } from './define-view.ts'
import { ConfirmDialog, ResultDialog } from './dialog.tsx'
import { FormDrawer } from './forms/form-drawer-lazy.ts'
import type { Values } from './forms/form-values.ts'
import { ImpactOf, useImpact } from './impact.tsx'
import { useView } from './known-views.ts'
import { apiOf, isSeenInPart, labelOf } from './resources.ts'
import { UndoNote } from './shown/undo-note.tsx'

const BodyForm = lazy(async () => ({ default: (await import('./forms/body-form.tsx')).BodyForm }))

interface ItemProps {
  view: AnyView
  item: Item
  api: string
  etag?: string | undefined
}

type AnyAction = ActionDef<AnyItem>
type Open = { kind: 'edit' } | { kind: 'delete' } | { kind: 'action'; action: AnyAction } | undefined

/** What this person may do with this item now. */
export function possibleFor(view: AnyView, item: Item, may: May, me: string) {
  // What is seen in part belongs elsewhere, and is changed there.
  const isOwn = !isSeenInPart(view.resource, item)
  const mayWrite = isOwn && may(view.resource.write) && !view.isFixed?.(item, me)
  return {
    actions: !isOwn
      ? []
      : (view.actions ?? []).filter(({ permission, when }) => may(permission) && (when?.(item, me) ?? true)),
    canEdit: mayWrite && view.form !== undefined && view.resource.patch !== undefined,
    canDelete: mayWrite && view.resource.write !== undefined && (view.isDeletable?.(item) ?? true),
  }
}

const usePossible = (view: AnyView, item: Item) => possibleFor(view, item, useMay(), useMe().id)

/** What can be undone is done at once; everything else opens a dialog. */
function useOpen({ view, item, api }: ItemProps): [Open, (open: Open) => void] {
  const t = useWords()
  const errorText = useErrorText()
  const [open, setOpen] = useState<Open>()
  // Straight to the API: the row is gone by the time that somebody thinks better of it.
  const send = async ({ path, ...options }: Change) => {
    const answer = await call<Record<string, unknown>>(path, options)
    await queryClient.invalidateQueries()
    return answer
  }
  const attempt = async (run: () => Promise<unknown>, message: (id: string) => ReactNode) => {
    const id = `done-${item.id}`
    notifications.hide(id)
    try {
      await run()
      notifications.show({ id, message: message(id), color: 'green', autoClose: 10_000 })
    } catch (error) {
      notifications.show({ message: errorText(error), color: 'red' })
    }
  }
  const doNow = (action: AnyAction, undo: (item: Item) => Change) =>
    attempt(
      () =>
        action.run?.(send, item, {}) ?? send({ method: 'POST', path: `${api}/${item.id}/${action.name}`, body: {} }),
      () => (
        <UndoNote
          onUndo={() =>
            void attempt(
              () => send(undo(item)),
              () => t.words.undone,
            )
          }
        >
          {action.done(t, labelOf(view.resource, item), {}, item)}
        </UndoNote>
      ),
    )
  const choose = (next: Open) => {
    if (next?.kind === 'action' && next.action.undo) void doNow(next.action, next.action.undo)
    else setOpen(next)
  }
  return [open, choose]
}

/** In a row of a table: everything in a menu. */
export function RowMenu({ view, item, api }: ItemProps) {
  const t = useWords()
  const [open, setOpen] = useOpen({ view, item, api })
  const { actions, canEdit, canDelete } = usePossible(view, item)
  if (actions.length === 0 && !canEdit && !canDelete) return null
  return (
    <>
      <ItemMenu view={view} actions={actions} canEdit={canEdit} canDelete={canDelete} onOpen={setOpen}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t.list.rowActions(labelOf(view.resource, item) || t.resources[view.resource.noun].one)}
        >
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </ItemMenu>
      <Opened open={open} view={view} item={item} api={api} onClose={() => setOpen(undefined)} />
    </>
  )
}

/** At the head of a page: the main ones as buttons, the rest in a menu. */
export function HeaderActions({ view, item, api, etag }: ItemProps) {
  const t = useWords()
  const [open, setOpen] = useOpen({ view, item, api })
  const { actions, canEdit, canDelete } = usePossible(view, item)
  // On a phone one button and the menu: more would take a second line of the bar at its foot.
  const isPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
  const primary = actions.filter(({ isPrimary }) => isPrimary).slice(0, isPhone ? 1 : undefined)
  const others = actions.filter((action) => !primary.includes(action))
  const isEditInMenu = canEdit && isPhone && primary.length > 0
  return (
    <>
      {primary.map((action) => (
        <Button
          key={action.name}
          variant="default"
          leftSection={<action.icon size={16} aria-hidden />}
          onClick={() => setOpen({ kind: 'action', action })}
        >
          {action.label(t)}
        </Button>
      ))}
      {canEdit && !isEditInMenu && (
        <Button
          variant="default"
          leftSection={<IconPencil size={16} aria-hidden />}
          onClick={() => setOpen({ kind: 'edit' })}
        >
          {t.form.editButton}
        </Button>
      )}
      {(others.length > 0 || canDelete || isEditInMenu) && (
        <ItemMenu view={view} actions={others} canEdit={isEditInMenu} canDelete={canDelete} onOpen={setOpen}>
          <ActionIcon variant="default" size="input-sm" aria-label={t.detail.actions} title={t.detail.actions}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </ItemMenu>
      )}
      <Opened open={open} view={view} item={item} api={api} etag={etag} isPage onClose={() => setOpen(undefined)} />
    </>
  )
}

interface ItemMenuProps {
  view: AnyView
  actions: readonly AnyAction[]
  canEdit: boolean
  canDelete: boolean
  onOpen(open: Open): void
  children: ReactNode
}

function ItemMenu({ view, actions, canEdit, canDelete, onOpen, children }: ItemMenuProps) {
  const t = useWords()
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        {canEdit && (
          <Menu.Item leftSection={<IconPencil size={15} aria-hidden />} onClick={() => onOpen({ kind: 'edit' })}>
            {t.form.editButton}
          </Menu.Item>
        )}
        {actions.map((action) => (
          <Menu.Item
            key={action.name}
            leftSection={<action.icon size={15} aria-hidden />}
            onClick={() => onOpen({ kind: 'action', action })}
            {...(action.isDangerous ? { color: 'red' } : {})}
          >
            {action.label(t)}
          </Menu.Item>
        ))}
        {canDelete && (
          <>
            {(canEdit || actions.length > 0) && <Menu.Divider />}
            <Menu.Item
              color="red"
              leftSection={<IconTrash size={15} aria-hidden />}
              onClick={() => onOpen({ kind: 'delete' })}
            >
              {view.deletion?.label(t) ?? t.form.delete(t.resources[view.resource.noun].one)}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

interface OpenedProps extends ItemProps {
  open: Open
  /** On the item’s own page: there is none once it is deleted. */
  isPage?: boolean
  onClose(): void
}

function Opened({ open, view, item, api, etag, isPage = false, onClose }: OpenedProps) {
  if (!open) return null
  if (open.kind === 'edit') {
    return (
      <Suspense>
        <FormDrawer view={view} api={api} item={item} etag={etag} onClose={onClose} />
      </Suspense>
    )
  }
  if (open.kind === 'action' && open.action.creates) {
    return (
      <Suspense>
        <CreateFor creates={open.action.creates} item={item} onClose={onClose} />
      </Suspense>
    )
  }
  if (open.kind === 'delete')
    return <DeleteDialog view={view} item={item} api={api} isPage={isPage} onClose={onClose} />
  return <ActionDialog action={open.action} view={view} item={item} api={api} etag={etag} onClose={onClose} />
}

/** Another resource's form, for what belongs to this item. */
function CreateFor({
  creates: { view: noun, by },
  item,
  onClose,
}: {
  creates: NonNullable<AnyAction['creates']>
  item: Item
  onClose(): void
}) {
  const view = useView(noun)
  const initial = useMemo(() => (by === undefined ? {} : { [by]: item.id }), [by, item.id])
  return (
    <FormDrawer
      view={view}
      api={apiOf(view.resource, by === undefined ? item.id : undefined)}
      initial={initial}
      onClose={onClose}
    />
  )
}

/** What still needs an item, in the words of the page: a fault's path is a list and the field that holds the item. */
function usedBy({ path, message }: Fault, t: Messages): string {
  const noun = path.slice(0, path.indexOf('.'))
  return isKeyOf(t.resources, noun) ? `${t.resources[noun].many}: ${Number.parseInt(message, 10)}` : message
}

function DeleteDialog({ view, item, api, isPage, onClose }: Omit<OpenedProps, 'open'>) {
  const t = useWords()
  const navigate = useNavigate()
  const change = useChange()
  const { one } = t.resources[view.resource.noun]
  const name = labelOf(view.resource, item)
  const remove = async () => {
    try {
      // Away from the page first: it would ask for what is gone.
      await change.mutateAsync({ method: 'DELETE', path: `${api}/${item.id}` })
      onClose()
      notifications.show({ message: view.deletion?.done(t, name) ?? t.form.deleted(one, name), color: 'green' })
      if (isPage && view.resource.path) await navigate({ to: view.resource.path })
    } catch {
      // Told in the dialog.
    }
  }
  const { error } = change
  if (error instanceof ApiError && error.code === 'RESOURCE_IN_USE') {
    return (
      <Modal opened onClose={onClose} title={t.form.inUseTitle} closeButtonProps={{ 'aria-label': t.words.close }}>
        <Text size="sm">{t.form.inUseText(name)}</Text>
        <List size="sm" my="sm">
          {error.details.map((fault) => (
            <List.Item key={fault.path}>{usedBy(fault, t)}</List.Item>
          ))}
        </List>
        <Text size="sm" c="dimmed">
          {t.form.inUseHint}
        </Text>
      </Modal>
    )
  }
  return (
    <ConfirmDialog
      title={view.deletion?.title(t, name) ?? t.form.deleteTitle(one, name)}
      text={view.deletion?.text?.(t, name) ?? t.form.deleteText}
      confirm={view.deletion?.label(t) ?? t.form.deleteButton}
      isDangerous
      isBusy={change.isPending}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      {view.showsImpact && <ImpactOf change={{ method: 'DELETE', path: `${api}/${item.id}` }} />}
      {error && <ErrorNote error={error} />}
    </ConfirmDialog>
  )
}

function ActionDialog({ action, view, item, api, etag, onClose }: Omit<OpenedProps, 'open'> & { action: AnyAction }) {
  const t = useWords()
  const change = useChange<Record<string, unknown>>()
  const [result, setResult] = useState<ReactNode>()
  const [isDirty, setDirty] = useState(false)
  const [typed, setTyped] = useState('')
  const [start] = useState<Values>(() => (action.form?.isChange ? item : (action.form?.initial?.(item, t) ?? {})))
  const name = labelOf(view.resource, item)
  const text = action.text?.(t, name, item)
  const path = `${api}/${item.id}`
  const impact = useImpact(
    action.showsImpact ? { method: 'POST', path: `${path}/${action.name}`, body: {} } : undefined,
  )

  const run = async (body: Values) => {
    const answer = action.run
      ? await action.run(change.mutateAsync, item, body)
      : await change.mutateAsync(
          action.patch || action.form?.isChange
            ? { method: 'PATCH', path, body: { ...action.patch, ...body }, etag }
            : { method: 'POST', path: `${path}/${action.name}`, body },
        )
    notifications.show({ message: action.done(t, name, answer.data, item), color: 'green' })
    const content = action.result?.(answer, item, onClose)
    if (content === undefined) onClose()
    else setResult(content)
  }

  if (result !== undefined) {
    return (
      <ResultDialog title={action.resultTitle?.(t) ?? action.label(t)} isSecret={action.isSecret} onClose={onClose}>
        {result}
      </ResultDialog>
    )
  }
  // What is refused is told before it is asked for, and not offered.
  if (impact.isRefused) {
    return (
      <ResultDialog title={action.title(t, name)} onClose={onClose}>
        {action.details?.(item)}
        {impact.content}
      </ResultDialog>
    )
  }
  if (action.form) {
    return (
      <Modal
        opened
        onClose={onClose}
        title={action.title(t, name)}
        size="lg"
        closeOnClickOutside={!isDirty}
        closeButtonProps={{ 'aria-label': t.words.close }}
      >
        <Stack gap="md">
          {text !== undefined && <Text size="sm">{text}</Text>}
          {action.details?.(item)}
          {impact.content}
          {!impact.isLoading && (
            <Suspense fallback={<Skeleton height={200} />}>
              <BodyForm
                view={view}
                body={action.form.body}
                sections={action.form.sections}
                item={start}
                isEdit={action.form.isChange ?? false}
                submitLabel={action.confirm?.(t) ?? action.label(t)}
                isDangerous={action.isDangerous ?? false}
                onSubmit={run}
                onCancel={onClose}
                onDirty={setDirty}
              />
            </Suspense>
          )}
        </Stack>
      </Modal>
    )
  }
  return (
    <ConfirmDialog
      title={action.title(t, name)}
      text={text}
      confirm={action.confirm?.(t) ?? action.label(t)}
      isDangerous={action.isDangerous ?? false}
      isBusy={change.isPending}
      isDisabled={impact.isLoading || (action.typed !== undefined && typed.trim() !== action.typed(item).trim())}
      onConfirm={() => void run({}).catch(() => undefined)}
      onClose={onClose}
    >
      {action.details?.(item)}
      {impact.content}
      {action.typed && (
        <TextInput
          label={t.form.typeToConfirm(action.typed(item))}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      {change.error && <ErrorNote error={change.error} />}
    </ConfirmDialog>
  )
}
