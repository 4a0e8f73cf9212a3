import { useRouter } from '@tanstack/react-router'
import { type ComponentProps, type FocusEvent, type MouseEvent, type PointerEvent, useMemo } from 'react'

/**
 * A link to another page of ours, followed by the frame around all pages: of those in tables there are a hundred on a
 * screen, and each that
 * asks the router by itself makes every change of the address slower. */
export const OwnLink = (props: ComponentProps<'a'> & { href: string }) => <a data-own {...props} />

/** So long somebody points at a link before what is behind it is fetched. */
const POINTED_MS = 50

const linkIn = (target: EventTarget): HTMLAnchorElement | null =>
  target instanceof Element ? target.closest<HTMLAnchorElement>('a[data-own]') : null

/** For the frame: follows the links inside it. What opens a tab or a window of its own is the browser's. */
export function useOwnLinks() {
  const router = useRouter()
  return useMemo(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined
    const point = ({ target }: PointerEvent | FocusEvent) => {
      clearTimeout(waiting)
      const path = linkIn(target)?.pathname
      if (path !== undefined) waiting = setTimeout(() => void router.preloadRoute({ to: path }), POINTED_MS)
    }
    return {
      onPointerOver: point,
      onFocus: point,
      onClick(event: MouseEvent) {
        const link = linkIn(event.target)
        if (!link || event.defaultPrevented || event.button !== 0) return
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        void router.navigate({ to: link.pathname })
      },
    }
  }, [router])
}
