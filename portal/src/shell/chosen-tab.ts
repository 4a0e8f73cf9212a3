import { type RefObject, useEffect, useRef } from 'react'

/** For a list of tabs: on a phone the chosen one may lie beside the screen. */
export function useChosenInSight(chosen: string | undefined): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another is chosen
  useEffect(() => {
    list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [chosen])
  return list
}
