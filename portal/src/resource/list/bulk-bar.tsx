import { Button, Group, List, Paper, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type Icon, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { type May, useMay, useMe } from '../../api/me.ts'
import { type Item, queryClient } from '../../api/queries.ts'
import { useWords } from '../../i18n/language.tsx'
import { useErrorText } from '../../shell/error-note.tsx'
import { possibleFor } from '../actions.tsx'
import type { ActionDef, AnyItem, AnyView } from '../define-view.ts'
import { ConfirmDialog } from '../dialog.tsx'
import { labelOf } from '../resources.ts'

interface BulkBarProps {
  view: AnyView
  api: string
  items: readonly Item[]
  onClear(): void
}

interface Bulk {
  name: string
  label: string
  icon: Icon
  isDangerous: boolean
  run(item: Item): Promise<unknown>
}

/** Whether there is anything that could be done to this one together with others. */
export function canBeChosen(view: AnyView, item: Item, may: May, me: string): boolean {
  const { actions, canDelete } = possibleFor(view, item, may, me)
  return canDelete || actions.some(isPlain)
}

const isPlain = ({ isForSeveral, form, typed, creates, result, run }: ActionDef<AnyItem>): boolean =>
  isForSeveral || (!form && !typed && !creates && !result && !run)

/** What can be done with all that are chosen: whatever can be done with each of them without asking more. */
export function BulkBar({ view, api, items, onClear }: BulkBarProps) {
  const t = useWords()
  const may = useMay()
  const { id: me } = useMe()
  const errorText = useErrorText()
  const [chosen, setChosen] = useState<Bulk>()
  const [isBusy, setBusy] = useState(false)
  const possible = items.map((item) => possibleFor(view, item, may, me))
  const actions: Bulk[] = (view.actions ?? [])
    .filter((action) => isPlain(action) && possible.every((one) => one.actions.includes(action)))
    .map((action) => ({
      name: action.name,
      label: action.label(t),
      icon: action.icon,
      isDangerous: action.isDangerous ?? false,
      run: ({ id }) =>
        action.patch
          ? call(`${api}/${id}`, { method: 'PATCH', body: action.patch })
          : call(`${api}/${id}/${action.name}`, { method: 'POST', body: {} }),
    }))
  if (possible.every(({ canDelete }) => canDelete)) {
    actions.push({
      name: 'delete',
      label: view.deletion?.label(t) ?? t.form.deleteButton,
      icon: IconTrash,
      isDangerous: true,
      run: ({ id }) => call(`${api}/${id}`, { method: 'DELETE' }),
    })
  }
  const doAll = async ({ run, label }: Bulk) => {
    setBusy(true)
    let done = 0
    for (const item of items) {
      try {
        await run(item)
        done++
      } catch (error) {
        notifications.show({
          message: `${labelOf(view.resource, item)}: ${errorText(error)}`,
          color: 'red',
          autoClose: false,
        })
      }
    }
    await queryClient.invalidateQueries()
    setBusy(false)
    setChosen(undefined)
    if (done > 0) notifications.show({ message: t.list.bulkDone(label, done), color: 'green' })
    onClear()
  }
  const { one, many } = t.resources[view.resource.noun]
  return (
    <Paper withBorder p="xs" className="bulk-bar no-print" role="region" aria-label={t.list.chosen(items.length)}>
      <Group gap="xs">
        <Text size="sm" fw={600} role="status">
          {t.list.chosen(items.length)}
        </Text>
        {actions.map((action) => (
          <Button
            key={action.name}
            size="xs"
            variant="default"
            leftSection={<action.icon size={14} aria-hidden />}
            onClick={() => setChosen(action)}
          >
            {action.label}
          </Button>
        ))}
        {actions.length === 0 && (
          <Text size="sm" c="dimmed">
            {t.list.nothingForAll}
          </Text>
        )}
        <Button size="xs" variant="subtle" color="gray" ml="auto" onClick={onClear}>
          {t.list.chooseNone}
        </Button>
      </Group>
      {chosen && (
        <ConfirmDialog
          title={t.list.bulkTitle(chosen.label, items.length, items.length === 1 ? one : many)}
          confirm={chosen.label}
          isDangerous={chosen.isDangerous}
          isBusy={isBusy}
          onConfirm={() => void doAll(chosen)}
          onClose={() => setChosen(undefined)}
        >
          <List size="sm" className="impact-list">
            {items.map((item) => (
              <List.Item key={item.id}>{labelOf(view.resource, item) || item.id.slice(0, 8)}</List.Item>
            ))}
          </List>
        </ConfirmDialog>
      )}
    </Paper>
  )
}
