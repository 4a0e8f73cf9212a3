import { ActionIcon, Button, Group, Menu, Modal, TextInput } from '@mantine/core'
import {
  IconBookmark,
  IconBookmarkPlus,
  IconDots,
  IconDownload,
  IconPrinter,
  IconRowInsertBottom,
  IconX,
} from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useWords } from '../../i18n/language.tsx'
import type { AnyView } from '../define-view.ts'
import { useKept } from './kept.ts'

interface SavedView {
  name: string
  search: Record<string, string>
}

interface ListMenuProps {
  view: AnyView
  isDense: boolean
  onDense(isDense: boolean): void
  onPrint(): void
  /** Where the whole list is had as a file; undefined where it is not. */
  fileOf?: ((format: 'csv' | 'xlsx') => string) | undefined
}

/** What is done with a list as a whole: views by name, how close its rows stand, paper. */
export function ListMenu({ view, isDense, onDense, onPrint, fileOf }: ListMenuProps) {
  const t = useWords()
  const navigate = useNavigate()
  const { page: _, new: __, ...search } = useSearch({ strict: false })
  const [views, setViews] = useKept<SavedView[]>(`views of ${view.resource.noun}`, [])
  const [isNaming, setNaming] = useState(false)
  const open = (saved: SavedView) =>
    void navigate({ to: '.', search: { ...saved.search, tab: search.tab }, resetScroll: false })
  const save = (name: string) => {
    setViews([...views.filter((one) => one.name !== name), { name, search }])
    setNaming(false)
  }
  return (
    <>
      <Menu position="bottom-end" width={240}>
        <Menu.Target>
          <ActionIcon variant="default" size="input-sm" aria-label={t.list.more} title={t.list.more}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t.list.views}</Menu.Label>
          {views.map((saved) => (
            <Group key={saved.name} gap={0} wrap="nowrap">
              <Menu.Item leftSection={<IconBookmark size={15} aria-hidden />} onClick={() => open(saved)}>
                {saved.name}
              </Menu.Item>
              <Menu.Item
                w={40}
                aria-label={t.list.forgetView(saved.name)}
                closeMenuOnClick={false}
                onClick={() => setViews(views.filter((one) => one !== saved))}
              >
                <IconX size={14} aria-hidden />
              </Menu.Item>
            </Group>
          ))}
          <Menu.Item leftSection={<IconBookmarkPlus size={15} aria-hidden />} onClick={() => setNaming(true)}>
            {t.list.saveView}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<IconPrinter size={15} aria-hidden />} onClick={onPrint}>
            {t.list.print}
          </Menu.Item>
          {fileOf &&
            (['csv', 'xlsx'] as const).map((format) => (
              <Menu.Item
                key={format}
                component="a"
                href={fileOf(format)}
                download
                leftSection={<IconDownload size={15} aria-hidden />}
              >
                {t.list.download[format]}
              </Menu.Item>
            ))}
          <Menu.Item leftSection={<IconRowInsertBottom size={15} aria-hidden />} onClick={() => onDense(!isDense)}>
            {isDense ? t.list.roomy : t.list.dense}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isNaming && <NameView onSave={save} onClose={() => setNaming(false)} />}
    </>
  )
}

function NameView({ onSave, onClose }: { onSave(name: string): void; onClose(): void }) {
  const t = useWords()
  const [name, setName] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== '') onSave(name.trim())
  }
  return (
    <Modal opened onClose={onClose} title={t.list.saveView} closeButtonProps={{ 'aria-label': t.words.close }}>
      <form onSubmit={submit}>
        <TextInput
          label={t.list.viewName}
          description={t.list.viewHint}
          value={name}
          maxLength={60}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          data-autofocus
        />
        <Group justify="flex-end" mt="md">
          <Button type="submit" disabled={name.trim() === ''}>
            {t.list.save}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
