/**
 * Who is to be told of a signal. One listener per signal: to add and remove one for each statement costs more than the
 * rest of it.
 */
const told = new WeakMap<AbortSignal, Set<() => void>>()

function listenersOf(signal: AbortSignal): Set<() => void> {
  const known = told.get(signal)
  if (known) return known
  const listeners = new Set<() => void>()
  signal.addEventListener('abort', () => {
    for (const listener of listeners) listener()
  })
  told.set(signal, listeners)
  return listeners
}

/**
 * What was asked for, or the signal's reason as soon as it is aborted: then nobody waits for the answer, and `onAbort`
 * sees to what was asked.
 */
export function unlessAborted<T>(asked: Promise<T>, signal: AbortSignal | undefined, onAbort: () => void): Promise<T> {
  if (!signal) return asked
  const listeners = listenersOf(signal)
  return new Promise<T>((resolve, reject) => {
    const abandon = () => {
      reject(signal.reason)
      onAbort()
    }
    listeners.add(abandon)
    asked.then(
      (result) => {
        listeners.delete(abandon)
        resolve(result)
      },
      (error) => {
        listeners.delete(abandon)
        reject(error)
      },
    )
  })
}
