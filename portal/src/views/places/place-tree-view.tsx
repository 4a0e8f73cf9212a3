import { IconChevronRight } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useWords } from '../../i18n/language.tsx'
import { resources } from '../../resource/resources.ts'
import type { Place, Visible } from './tree.ts'

interface PlaceTreeViewProps {
  rows: readonly Visible[]
  selected: string | undefined
  onChoose(place: Place): void
  onToggle(place: Place, isToOpen: boolean): void
}

const INDENT = 18
const TYPING_MS = 600

/** A tree as ARIA has it: arrows walk, open and fold, Enter chooses, letters jump. */
export function PlaceTreeView({ rows, selected, onChoose, onToggle }: PlaceTreeViewProps) {
  const t = useWords()
  const tree = useRef<HTMLUListElement>(null)
  const typed = useRef({ text: '', at: 0 })
  const [focused, setFocused] = useState(selected)
  const current = rows.some(({ place }) => place.id === focused) ? focused : (rows[0]?.place.id ?? '')

  useEffect(() => {
    if (selected === undefined) return
    setFocused(selected)
    tree.current?.querySelector(`[data-id="${selected}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [selected])

  const focus = (index: number) => {
    const row = rows[index]
    if (!row) return
    setFocused(row.place.id)
    tree.current?.querySelector<HTMLElement>(`[data-id="${row.place.id}"]`)?.focus()
  }
  const jump = (letter: string, index: number) => {
    const now = Date.now()
    typed.current = { text: now - typed.current.at < TYPING_MS ? typed.current.text + letter : letter, at: now }
    const { text } = typed.current
    const from = text.length === 1 ? index + 1 : index
    const order = [...rows.keys()].map((one) => (one + from) % rows.length)
    const found = order.find((one) => rows[one]?.place.name.toLowerCase().startsWith(text))
    if (found !== undefined) focus(found)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const index = rows.findIndex(({ place }) => place.id === current)
    const row = rows[index]
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return
    const { hasBelow } = row
    switch (event.key) {
      case 'ArrowDown':
        focus(index + 1)
        break
      case 'ArrowUp':
        focus(index - 1)
        break
      case 'Home':
        focus(0)
        break
      case 'End':
        focus(rows.length - 1)
        break
      case 'ArrowRight':
        if (hasBelow && !row.isOpen) onToggle(row.place, true)
        else if (hasBelow) focus(index + 1)
        break
      case 'ArrowLeft':
        if (hasBelow && row.isOpen) onToggle(row.place, false)
        else focus(rows.findLastIndex(({ level }, one) => one < index && level < row.level))
        break
      case 'Enter':
      case ' ':
        onChoose(row.place)
        break
      default:
        if (event.key.length !== 1) return
        jump(event.key.toLowerCase(), index)
    }
    event.preventDefault()
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a tree is made of lists
    <ul ref={tree} role="tree" aria-label={t.estate.places} className="tree" onKeyDown={onKeyDown}>
      {rows.map(({ place, level, position, size, isOpen, hasBelow }) => {
        const Icon = resources[place.noun].icon
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys
          <li
            key={place.id}
            role="treeitem"
            data-id={place.id}
            aria-level={level}
            aria-posinset={position}
            aria-setsize={size}
            aria-selected={place.id === selected}
            {...(hasBelow ? { 'aria-expanded': isOpen } : {})}
            tabIndex={place.id === current ? 0 : -1}
            className="tree-item"
            style={{ paddingInlineStart: 6 + (level - 1) * INDENT }}
            onClick={() => {
              setFocused(place.id)
              onChoose(place)
            }}
          >
            {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys open and fold */}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
            <span
              className="tree-arrow"
              data-open={isOpen || undefined}
              onClick={(event) => {
                if (!hasBelow) return
                event.stopPropagation()
                onToggle(place, !isOpen)
              }}
            >
              {hasBelow && <IconChevronRight size={15} aria-hidden />}
            </span>
            <Icon size={16} stroke={1.6} aria-hidden className="tree-icon" />
            <span className="tree-name">{place.name}</span>
            <span className="visually-hidden">{t.resources[place.noun].one}</span>
          </li>
        )
      })}
    </ul>
  )
}
