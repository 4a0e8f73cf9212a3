import { createContext, use } from 'react'
import type { AnyView } from './define-view.ts'
import type { Noun } from './resources.ts'

export type ViewLoaders = Partial<Record<Noun, () => Promise<AnyView>>>

/** Which resources have pages. Handed in from above, since views use the mechanism and not the other way round. */
export const ViewsContext = createContext<ViewLoaders>({})

const loading = new Map<Noun, Promise<AnyView>>()
const loaded = new Map<Noun, AnyView>()

export function loadView(loaders: ViewLoaders, noun: Noun): Promise<AnyView> {
  const known = loading.get(noun)
  if (known) return known
  const load = loaders[noun]
  if (!load) return Promise.reject(new Error(`there is no view of ${noun}`))
  const promise = load()
  loading.set(noun, promise)
  promise.then(
    (view) => loaded.set(noun, view),
    // A failed download is tried again the next time.
    () => loading.delete(noun),
  )
  return promise
}

/** Suspends until its file is there; not for a moment when it is, since whatever is shown meanwhile stays for a third of a second. */
export function useView(noun: Noun): AnyView {
  const loaders = use(ViewsContext)
  return loaded.get(noun) ?? use(loadView(loaders, noun))
}

export const useHasView = (): ((noun: Noun) => boolean) => {
  const loaders = use(ViewsContext)
  return (noun) => loaders[noun] !== undefined
}
