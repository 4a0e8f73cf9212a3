import { useRouteContext } from '@tanstack/react-router'
import { createContext, use } from 'react'
import { orMissing } from '../shell/missing-file.ts'
import type { AnyView } from './define-view.ts'
import type { Noun } from './resources.ts'

export type ViewLoaders = Partial<Record<Noun, () => Promise<AnyView>>>

/** Which resources have pages. Handed in from above, since views use the mechanism and not the other way round. */
export const ViewsContext = createContext<ViewLoaders>({})

const loaded = new Map<Noun, Promise<AnyView>>()

export function loadView(loaders: ViewLoaders, noun: Noun): Promise<AnyView> {
  const known = loaded.get(noun)
  if (known) return known
  const load = loaders[noun]
  if (!load) return Promise.reject(new Error(`there is no view of ${noun}`))
  const promise = orMissing(load)()
  loaded.set(noun, promise)
  promise.then(
    // As React marks a promise that it has waited for: it does not suspend for one that is known to be fulfilled.
    (view) => Object.assign(promise, { status: 'fulfilled', value: view }),
    // A failed download is tried again the next time.
    () => loaded.delete(noun),
  )
  return promise
}

/**
 * Suspends until its file is there; not for a moment when it is, since whatever is shown meanwhile stays for a third of
 * a second.
 */
export const useView = (noun: Noun): AnyView => use(loadView(use(ViewsContext), noun))

/** Which resource the page of an address is of, as its route says. */
export function useOwnNoun(): Noun {
  const noun = useRouteContext({ strict: false, select: ({ noun: own }: { noun?: Noun }) => own })
  if (noun === undefined) throw new Error('the route does not say what its page is of')
  return noun
}

export const useHasView = (): ((noun: Noun) => boolean) => {
  const loaders = use(ViewsContext)
  return (noun) => loaders[noun] !== undefined
}
