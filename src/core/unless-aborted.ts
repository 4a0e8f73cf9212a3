/** What was asked for, or the signal's reason as soon as it is aborted: then nobody waits for the answer, and `onAbort` sees to what was asked. */
export function unlessAborted<T>(asked: Promise<T>, signal: AbortSignal | undefined, onAbort: () => void): Promise<T> {
  if (!signal) return asked
  return new Promise<T>((resolve, reject) => {
    const abandon = () => {
      reject(signal.reason)
      onAbort()
    }
    signal.addEventListener('abort', abandon, { once: true })
    const settled = () => signal.removeEventListener('abort', abandon)
    asked.then(resolve, reject).finally(settled)
  })
}
