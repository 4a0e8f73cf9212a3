import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMay } from '../api/me.ts'
import type { Question } from './questions.ts'

/** Where it is told who can open a door, who gets into a space, what somebody opens. */
export const WHO_CAN_OPEN = '/who-can-open'

/** A number of people or doors leads to who and which they are; whoever may not ask sees the number alone. */
export function OpeningsLink({ question, id, children }: { question: Question; id: string; children: ReactNode }) {
  const may = useMay()
  if (!may('access-points:audience')) return children
  return (
    <Link to={WHO_CAN_OPEN} search={{ [question]: id }} className="reference">
      {children}
    </Link>
  )
}
