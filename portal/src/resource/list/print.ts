import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Item, type ListQuery, listOptions } from '../../api/queries.ts'
import { useWords } from '../../i18n/language.tsx'
import { useErrorText } from '../../shell/error-note.tsx'

const PAGE = 100
/** So many rows are put on paper; whoever needs more exports them. */
const MOST = 2000

interface Printing {
  /** All rows, while they are being printed. */
  items: Item[] | undefined
  isBusy: boolean
  print(): Promise<void>
}

/** Puts the whole list on paper, not just the page that is shown. */
export function usePrint(api: string, query: ListQuery): Printing {
  const t = useWords()
  const errorText = useErrorText()
  const client = useQueryClient()
  const [items, setItems] = useState<Item[]>()
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    if (!items) return
    // Once it is drawn. The dialog of the browser holds the page until it is closed.
    const frame = requestAnimationFrame(() => {
      window.print()
      setItems(undefined)
    })
    return () => cancelAnimationFrame(frame)
  }, [items])
  const print = async () => {
    setBusy(true)
    try {
      const all: Item[] = []
      let pages = 1
      for (let page = 1; page <= pages && all.length < MOST; page++) {
        const got = await client.fetchQuery(listOptions(api, { ...query, limit: String(PAGE), page: String(page) }))
        all.push(...got.items)
        pages = got.pages
        if (page === 1 && got.total > MOST)
          notifications.show({ message: t.list.printedFirst(MOST, got.total), color: 'yellow' })
      }
      setItems(all)
    } catch (error) {
      notifications.show({ message: errorText(error), color: 'red' })
    } finally {
      setBusy(false)
    }
  }
  return { items, isBusy, print }
}
