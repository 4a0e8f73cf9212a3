import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Answer } from '../api/client.ts'
import type { Permission } from '../api/generated/types.ts'
import type { Change, ListQuery, Page } from '../api/queries.ts'
import type { Format } from '../i18n/format.ts'
import type { Messages } from '../i18n/messages.ts'
import type { BodyName, Noun, Resource } from './resources.ts'

/** A field of the API that has a word in every language. */
export type FieldOf<T> = keyof T & keyof Messages['fields'] & string

/** Shown as its type asks for; `render` only where that is not enough. */
export interface FieldColumn<T, Field extends string = FieldOf<T>> {
  field: Field
  title?: (t: Messages) => string
  render?(item: T): ReactNode
  /** Offered by the choice of columns, not shown at first. */
  isExtra?: boolean
  isUnsortable?: boolean
  align?: 'right'
}

/** What is made from several fields. */
interface ComputedColumn<T> {
  key: string
  title: (t: Messages) => string
  render(item: T): ReactNode
  isExtra?: boolean
  align?: 'right'
  /** The fields it is made of: a list that is narrowed to one of them does not repeat it. */
  madeOf?: readonly string[]
}

/** The names of fields stand for themselves in these types: whoever treats all items alike knows them as texts. */
export type ColumnDef<T, Field extends string = FieldOf<T>> = Field | FieldColumn<T, Field> | ComputedColumn<T>

/** How a filter is chosen follows from the field: values, a reference, a date or yes/no. */
export interface FilterDef {
  field: string
  /** `identifier` is not offered: a link sets it, such as the one to an item's history. */
  kind: 'values' | 'reference' | 'boolean' | 'period' | 'text' | 'identifier'
  /** Of `values`: those that are offered. */
  values?: readonly string[]
  /** Of `values`: what having none is called, where a link asks for it. */
  none?: (t: Messages) => string
  label?: (t: Messages) => string
}

/** Lists that the API takes as they are: hours of the week, hours of a day, named days. */
export type StructuredKind = 'windows' | 'holiday_windows' | 'days'

/** Inputs that know more than the API’s description: several references, a number that a decoder reads. */
export type OwnKind = 'references' | 'card_number'

export interface FormFieldDef {
  field: string
  label?: (t: Messages) => string
  /** Said below the label; of what has been typed, where that matters. */
  hint?: (t: Messages, value: unknown, format: Format) => string
  /**
   * Where it is not as the API’s description says; `password` hides, `date` takes a day and `timestamp` a moment where
   * the API takes text.
   */
  kind?: 'password' | 'date' | 'timestamp' | OwnKind | StructuredKind
  /**
   * Shown only when this holds for what has been typed so far; `given` is what a new item starts with where the form
   * was opened.
   */
  when?: (values: Record<string, unknown>, given: Record<string, unknown>) => boolean
  /** To be filled in where it is shown, although the API can do without. */
  isNeeded?: boolean
  /** In half the width, beside its neighbour. */
  isHalf?: boolean
  /** Of values: those that make sense, where the API knows more. */
  values?: readonly string[]
  /** What those are called, where the words for values do not know them. */
  valueLabel?: (t: Messages, value: string) => string
  /** A question of the form's own, not sent: what is chosen decides which fields are shown (`when`). */
  choices?: { values: readonly string[]; label: (t: Messages, value: string) => string }
  /** A number that `expand` takes and the API does not. */
  isOwnNumber?: boolean
  /** What else changes when this does. */
  sets?: (value: unknown) => Record<string, unknown>
  /** Of a reference: only what one may change oneself is offered. */
  isOwn?: boolean
  /** Of a reference: which items are offered, given what has been typed so far. */
  among?: (values: Record<string, unknown>) => ListQuery
}

export interface FormSection {
  title?: (t: Messages) => string
  text?: (t: Messages) => string
  fields: ReadonlyArray<string | FormFieldDef>
}

interface FactSection<T, Field extends string> {
  /** Few numbers that matter, large. */
  look?: 'figures'
  title?: (t: Messages) => string
  facts: ReadonlyArray<ColumnDef<T, Field>>
}

/** A list of another resource, narrowed to this item. */
interface RelatedTab<T> {
  key: string
  title?: (t: Messages) => string
  view: Noun
  /** The field of the other resource that holds this item; new ones are made with it. */
  by?: string
  /** Lists all that lie in this place, wings and places below included, not just those that name it. */
  within?: 'within_building' | 'within_location'
  /** What else new ones start with. */
  also?(item: T): Record<string, unknown>
  /** The item is the parent in the path (tokens of a service user). */
  isNested?: boolean
  /** What is made there is made by an action of the item (`creates`). */
  isCreatedAbove?: boolean
  /** Nothing is done with them any more. */
  isOver?(item: T): boolean
  /** Beside its search: what is done there instead. */
  tools?(item: T): ReactNode
  /** The overview shows the first of them, with these columns. */
  glimpse?: readonly string[]
}

/** Anything else. */
interface FreeTab<T> {
  key: string
  title: (t: Messages) => string
  render(item: T): ReactNode
  permission?: Permission
  /** Whether it makes sense now. */
  when?(item: T): boolean
  count?(item: T): number | null | undefined
}

export type TabDef<T> = RelatedTab<T> | FreeTab<T>

/** Something that can be done with an item: POST to `<item>/<name>`, after a confirmation or a small form. */
export interface ActionDef<T> {
  name: string
  label: (t: Messages) => string
  icon: Icon
  permission: Permission
  /** Whether it makes sense now, for me. */
  when?(item: T, me: string): boolean
  isDangerous?: boolean
  /** Done to several at once too: what its form asks can be left out. */
  isForSeveral?: boolean
  /** Shown as a button beside the title instead of in the menu. */
  isPrimary?: boolean
  title: (t: Messages, name: string) => string
  text?(t: Messages, name: string, item: T): string | undefined
  /** What the button says that does it, where the menu's word asks for more first. */
  confirm?: (t: Messages) => string | undefined
  /** What it is going to do to this item, told before it is done. */
  details?(item: T): ReactNode
  /** Who gains and loses which doors by it is said first. */
  showsImpact?: boolean
  /** What cannot be brought back does not happen by a slip: this must be typed first. */
  typed?(item: T): string
  form?: {
    body: BodyName
    sections: readonly FormSection[]
    /** The item itself is changed by it (PATCH), starting from what it is. */
    isChange?: boolean
    /** What it starts with otherwise. */
    initial?(item: T, t: Messages): Record<string, unknown>
  }
  /** Makes another resource for this item by that one's form: inside its path, or with this field set to it. */
  creates?: { view: Noun; by?: string }
  done(t: Messages, name: string, data: Record<string, unknown>, item: T): string
  /** Other than POST to `<item>/<name>`: a change of these fields. */
  patch?: Record<string, unknown>
  /** Other than one call to the item: what was typed comes in, the last answer goes out. */
  run?(
    change: (change: Change) => Promise<Answer<Record<string, unknown>>>,
    item: T,
    typed: Record<string, unknown>,
  ): Promise<Answer<Record<string, unknown>>>
  /** Done at once and without asking, because this undoes it. */
  undo?(item: T): Change
  /** What the answer says that must be read; without it a toast is enough. */
  result?(answer: Answer<Record<string, unknown>>, item: T, close: () => void): ReactNode
  resultTitle?: (t: Messages) => string
  /** The answer holds something that is shown this once. */
  isSecret?: boolean
}

export interface View<T, Field extends string = FieldOf<T>> {
  resource: Resource
  columns: ReadonlyArray<ColumnDef<T, Field>>
  /** How the list is sorted at first, in the grammar of the API. */
  order?: string
  filters?: readonly FilterDef[]
  /** Words of its own for fields. */
  labels?: (t: Messages) => Partial<Record<string, string>>
  form?: readonly FormSection[]
  /** For the button and the form that create one, instead of "Create …". */
  createLabel?: (t: Messages) => string
  /** What the form for a new one is called, where its button's word alone does not say. */
  createTitle?: (t: Messages) => string
  /** Before one is made, changed or deleted it is said who gains and loses which doors by it. */
  showsImpact?: boolean
  /** What was typed as several bodies: each makes one, all or none. */
  expand?: (body: Record<string, unknown>) => Promise<Array<Record<string, unknown>>>
  /** Asked before a new one is made, where that has consequences at once. */
  confirmation?: (t: Messages, values: Record<string, unknown>) => { title: string; text: string; content?: ReactNode }
  /** Whoever is limited to one place makes new ones there: without a place they would be refused. */
  startsInOwnPlace?: boolean
  /** What a new form starts with, by the clock of the organization where that matters. */
  initial?: Record<string, unknown> | ((timeZone: string) => Record<string, unknown>)
  detail?: {
    /** Fields shown as badges beside the name. */
    badges?: readonly Field[]
    /** One that a field alone does not make. */
    badge?(item: T): ReactNode
    /** Where an item has no name of its own. A hook, where it takes the names of others. */
    title?(item: T, t: Messages): string
    subtitle?(item: T): ReactNode
    sections: ReadonlyArray<FactSection<T, Field>>
    tabs?: ReadonlyArray<TabDef<T>>
    /** Above the facts: what must be seen first. */
    lead?(item: T): ReactNode
    /** Below the facts. */
    extra?(item: T): ReactNode
  }
  actions?: ReadonlyArray<ActionDef<T>>
  /** Whether an item can be changed or deleted at all, by me (a built-in role cannot). */
  isFixed?(item: T, me: string): boolean
  /** Where deleting is called something else: a session is ended, a role taken away. */
  deletion?: {
    label: (t: Messages) => string
    title: (t: Messages, name: string) => string
    text?: (t: Messages, name: string) => string
    done: (t: Messages, name: string) => string
  }
  /** Whether deleting makes sense now; always, unless said. */
  isDeletable?(item: T): boolean
  /** What a creation answers that is shown this once. */
  created?(answer: Answer<Record<string, unknown>>): ReactNode
  createdTitle?: (t: Messages) => string
  /** What the note after a creation says, instead of "… created". */
  createdNote?: (t: Messages, data: Record<string, unknown>) => string
  /** Above the table: what a list's answer says beside its rows. */
  note?(page: Page<T>): ReactNode
  /** Beside the button that creates. */
  tools?: () => ReactNode
  /** A page of its own instead of the list (a tree). */
  ListPage?: () => ReactNode
}

/** An item by the names of its fields: what the mechanism, which treats all views alike, knows of it. */
export type AnyItem = Record<string, unknown>
export type AnyView = View<AnyItem, string>

export const defineView = <T>(view: View<T>): View<T> => view
