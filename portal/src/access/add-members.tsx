import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { ApiError, call } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { type Item, queryClient } from '../api/queries.ts'
import { useWords } from '../i18n/language.tsx'
import { type Chosen, ReferencesInput } from '../resource/inputs/references-input.tsx'
import type { Resource } from '../resource/resources.ts'
import { UndoNote } from '../resource/shown/undo-note.tsx'
import { useErrorText } from '../shell/error-note.tsx'
import { membersOf } from './membership.tsx'

interface AddMembersProps {
  /** What is chosen: people for a group, or groups for a person. */
  to: Resource
  label: string
  pair(chosenId: string): { groupId: string; individualId: string }
}

const NOTE = 'added-members'

/** Several at once, by search; and back again. */
export function AddMembers({ to, label, pair }: AddMembersProps) {
  const t = useWords()
  const may = useMay()
  const errorText = useErrorText()
  const [chosen, setChosen] = useState<Chosen[]>([])
  const [isBusy, setBusy] = useState(false)
  if (!may('access-groups:write') || !may(to.read)) return null

  const undo = async (paths: readonly string[]) => {
    notifications.hide(NOTE)
    for (const path of paths) await call(path, { method: 'DELETE' }).catch(() => undefined)
    await queryClient.invalidateQueries()
    notifications.show({ message: t.words.undone, color: 'green' })
  }

  const add = async () => {
    setBusy(true)
    const added: string[] = []
    const failed: Chosen[] = []
    let already = 0
    for (const one of chosen) {
      const { groupId, individualId } = pair(one.value)
      try {
        const { data } = await call<Item>(membersOf(groupId), { method: 'POST', body: { individual_id: individualId } })
        added.push(`${membersOf(groupId)}/${data.id}`)
      } catch (error) {
        if (error instanceof ApiError && error.code === 'CONFLICT') already++
        else {
          failed.push(one)
          notifications.show({ message: `${one.label}: ${errorText(error)}`, color: 'red' })
        }
      }
    }
    await queryClient.invalidateQueries()
    setChosen(failed)
    setBusy(false)
    if (added.length + already > 0) {
      notifications.show({
        id: NOTE,
        color: 'green',
        autoClose: 10_000,
        message: (
          <UndoNote onUndo={added.length > 0 ? () => void undo(added) : undefined}>
            {t.people.added(added.length, already)}
          </UndoNote>
        ),
      })
    }
  }

  return (
    <Group gap="xs" align="flex-start">
      <ReferencesInput to={to} isOwn={to.noun === 'access-groups'} label={label} chosen={chosen} onChange={setChosen} />
      <Button
        leftSection={<IconUserPlus size={16} aria-hidden />}
        disabled={chosen.length === 0}
        loading={isBusy}
        onClick={() => void add()}
      >
        {t.people.add}
      </Button>
    </Group>
  )
}
