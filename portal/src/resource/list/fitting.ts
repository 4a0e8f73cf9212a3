import { useCallback, useRef, useState } from 'react'

/** A scroll bar that comes or goes makes no other screen. */
const SAME_PX = 24

/**
 * How many of a table's last columns do not fit its frame: they give way rather than lie beside the screen. Once gone
 * they stay away, whatever the next page holds, until the frame is of another width.
 */
export function useFitting(): { tooMany: number; frame(element: HTMLDivElement): () => void } {
  const [tooMany, set] = useState(0)
  const now = useRef({ tooMany: 0, width: 0 }).current
  const frame = useCallback(
    (element: HTMLDivElement) => {
      const table = element.firstElementChild
      if (!(table instanceof HTMLElement)) return () => undefined
      const look = () => {
        const isOther = Math.abs(element.offsetWidth - now.width) > SAME_PX
        if (isOther) now.width = element.offsetWidth
        if (isOther && now.tooMany > 0) now.tooMany = 0
        else if (table.offsetWidth > element.clientWidth) now.tooMany += 1
        set(now.tooMany)
      }
      // Not at once: what is seen to change is not changed while it is looked at.
      let waiting = 0
      const observer = new ResizeObserver(() => {
        cancelAnimationFrame(waiting)
        waiting = requestAnimationFrame(look)
      })
      observer.observe(element)
      observer.observe(table)
      return () => {
        cancelAnimationFrame(waiting)
        observer.disconnect()
      }
    },
    [now],
  )
  return { tooMany, frame }
}
