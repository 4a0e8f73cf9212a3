import { ActionIcon, Menu } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { useWords } from '../../i18n/language.tsx'
import type { Shown } from '../columns.ts'
import type { ListState } from '../list-state.ts'

/** Which columns are shown. */
export function ColumnMenu({
  columns,
  shown,
  state,
}: {
  columns: readonly Shown[]
  shown: readonly Shown[]
  state: ListState
}) {
  const t = useWords()
  const keys = shown.map(({ key }) => key)
  const toggle = (key: string) => {
    const next = columns
      .map((column) => column.key)
      .filter((one) => (one === key ? !keys.includes(key) : keys.includes(one)))
    if (next.length > 0) state.set({ columns: next.join(',') }, { isTyping: true, keepsPage: true })
  }
  return (
    <Menu closeOnItemClick={false} position="bottom-end">
      <Menu.Target>
        <ActionIcon
          className="column-button"
          variant="default"
          size="input-sm"
          aria-label={t.list.columns}
          title={t.list.columns}
        >
          <IconColumns3 size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t.list.columns}</Menu.Label>
        {columns.map(({ key, title }) => (
          <Menu.CheckboxItem key={key} checked={keys.includes(key)} onChange={() => toggle(key)}>
            {title}
          </Menu.CheckboxItem>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => state.set({ columns: undefined }, { keepsPage: true })}>
          {t.list.columnsReset}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
