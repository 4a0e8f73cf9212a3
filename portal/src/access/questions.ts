import type { AnyView } from '../resource/define-view.ts'
import type { Noun } from '../resource/resources.ts'
import { keysOf } from '../typed.ts'
import {
  canOpen,
  canOpenChanges,
  whoCanEnter,
  whoCanEnterChanges,
  whoCanOpen,
  whoCanOpenChanges,
} from './opening-views.tsx'

/** What can be asked about, by the name that it has in an address. */
export type Question = 'door' | 'space' | 'person'

interface Asking {
  /** What is picked. */
  of: Noun
  view: AnyView
  changes: AnyView
  /** What one decision is about, beside what a row says. */
  about: 'individualId' | 'accessPointId' | undefined
}

export const questions: Record<Question, Asking> = {
  door: { of: 'access-points', view: whoCanOpen, changes: whoCanOpenChanges, about: 'accessPointId' },
  space: { of: 'spaces', view: whoCanEnter, changes: whoCanEnterChanges, about: undefined },
  person: { of: 'individuals', view: canOpen, changes: canOpenChanges, about: 'individualId' },
}

export const questionNames = keysOf(questions)
