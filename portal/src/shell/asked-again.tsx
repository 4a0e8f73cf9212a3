import { lazy, Suspense, useEffect, useState } from 'react'
import { person } from '../api/client.ts'

const ConfirmIdentity = lazy(async () => ({ default: (await import('./confirm-identity.tsx')).ConfirmIdentity }))

/** Whoever is logged in, on whatever page, is asked who they are once more where a change wants that. */
export function AskedAgain() {
  const [answer, setAnswer] = useState<{ give(isConfirmed: boolean): void }>()
  useEffect(() => {
    person.confirm = () => new Promise<boolean>((resolve) => setAnswer({ give: resolve }))
  }, [])
  if (!answer) return null
  return (
    <Suspense>
      <ConfirmIdentity
        onAnswer={(isConfirmed) => {
          answer.give(isConfirmed)
          setAnswer(undefined)
        }}
      />
    </Suspense>
  )
}
