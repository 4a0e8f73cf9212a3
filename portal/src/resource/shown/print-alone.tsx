import { type ReactNode, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'

/** Prints something that is not on the screen, such as a letter, instead of the page. */
export function usePrintAlone(): { isPrinting: boolean; print(): void } {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    if (!isPrinting) return
    const root = document.documentElement
    root.dataset.print = 'alone'
    // Once it is drawn. The dialog of the browser holds the page until it is closed.
    const frame = requestAnimationFrame(() => {
      window.print()
      setPrinting(false)
    })
    return () => {
      cancelAnimationFrame(frame)
      delete root.dataset.print
    }
  }, [isPrinting])
  return { isPrinting, print: () => setPrinting(true) }
}

/** Beside the page, seen on paper alone. */
export const PrintAlone = ({ children }: { children: ReactNode }) =>
  createPortal(<div className="print-alone">{children}</div>, document.body)
