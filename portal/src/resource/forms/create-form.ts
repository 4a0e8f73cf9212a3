import { type ComponentType, createContext } from 'react'
import type { Item } from '../../api/queries.ts'
import type { AnyView } from '../define-view.ts'

interface CreateFormProps {
  view: AnyView
  api: string
  initial: Record<string, unknown>
  onCreated(item: Item): void
  onClose(): void
}

/** The form that makes an item, for inputs that are themselves part of forms: handed down from above. */
export const CreateFormContext = createContext<ComponentType<CreateFormProps> | undefined>(undefined)
