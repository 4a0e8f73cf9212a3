import { useState } from 'react'
import { errorIn } from '../typed.ts'

interface Attempt {
  isBusy: boolean
  /** What went wrong the last time. */
  error: Error | undefined
  attempt(work: () => Promise<unknown>): Promise<void>
  forget(): void
}

/** For what is tried until it works; `isHandled` is asked first about what went wrong. */
export function useAttempt(isHandled: (failure: unknown) => boolean = () => false): Attempt {
  const [error, setError] = useState<Error>()
  const [isBusy, setBusy] = useState(false)
  return {
    isBusy,
    error,
    async attempt(work) {
      setBusy(true)
      setError(undefined)
      try {
        await work()
      } catch (failure) {
        if (!isHandled(failure)) setError(errorIn(failure))
      } finally {
        setBusy(false)
      }
    },
    forget: () => setError(undefined),
  }
}
