import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Key } from '../../api/generated/types.ts'
import { deskWords } from '../../i18n/desk-words.ts'
import { useWords } from '../../i18n/language.tsx'
import { Where } from '../../resource/located.tsx'
import { labelOf, resources } from '../../resource/resources.ts'

interface KeyRowsProps {
  keys: readonly Key[]
  onRemove(key: Key): void
  /** What is said of each. */
  children(key: Key): ReactNode
}

/** The keys that lie on the desk. */
export function KeyRows({ keys, onRemove, children }: KeyRowsProps) {
  const t = useWords()
  return (
    <ul className="desk-keys">
      {keys.map((key) => {
        const name = labelOf(resources.keys, key)
        return (
          <li key={key.id}>
            <span className="desk-key">
              <b className="code">{name}</b>
              <small>
                <Where end={{ resource: resources.keys, id: key.id }} />
              </small>
            </span>
            <span className="desk-key-more">{children(key)}</span>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={deskWords(t).putAway(name)}
              onClick={() => onRemove(key)}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </li>
        )
      })}
    </ul>
  )
}
